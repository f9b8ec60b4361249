// SPDX-License-Identifier: Apache-2.0
// Every text of the app in English.

const plural = new Intl.PluralRules("en");
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const list = new Intl.ListFormat("en");
const count = (number, one, other) => `${number} ${plural.select(number) === "one" ? one : other}`;
const ordinal = (number) =>
  `${number}${{ one: "st", two: "nd", few: "rd", other: "th" }[ordinals.select(number)]}`;

const days = { MO: "Monday", TU: "Tuesday", WE: "Wednesday", TH: "Thursday", FR: "Friday",
  SA: "Saturday", SU: "Sunday" };
const months = ["January", "February", "March", "April", "May", "June", "July", "August",
  "September", "October", "November", "December"];
const every = { DAILY: ["every day", "days"], WEEKLY: ["every week", "weeks"],
  MONTHLY: ["every month", "months"], YEARLY: ["every year", "years"],
  HOURLY: ["every hour", "hours"] };
const places = { 1: "first", 2: "second", 3: "third", 4: "fourth", "-1": "last" };

/** A recurrence rule (RFC 5545) as a sentence. */
function recurrence(rule) {
  const part = Object.fromEntries(rule.split(";").map((each) => each.split("=")));
  const interval = Number(part.INTERVAL ?? 1);
  const [single, unit] = every[part.FREQ] ?? ["again", ""];
  let text = interval === 1 ? single : interval === 2 && unit !== "days" ?
    `every other ${unit.slice(0, -1)}` : `every ${interval} ${unit}`;
  const on = part.BYDAY?.split(",").map((day) => {
    const place = parseInt(day, 10), name = days[day.slice(-2)];
    return Number.isNaN(place) ? name : `${places[place] ?? ordinal(place)} ${name}`;
  });
  if (part.BYDAY === "MO,TU,WE,TH,FR") text = interval === 1 ? "every weekday" : text;
  else if (on && part.FREQ === "WEEKLY") {
    text = interval === 1 ? `every ${list.format(on)}` : `${text} on ${list.format(on)}`;
  } else if (on) {
    const number = part.BYSETPOS, place = number ? `${places[number] ?? ordinal(number)} ` : "";
    text += ` on the ${place}${list.format(on)}`;
  }
  if (part.BYMONTHDAY) {
    text += ` on the ${list.format(part.BYMONTHDAY.split(",").map((day) =>
      day === "-1" ? "last day" : ordinal(Number(day))))}`;
  }
  if (part.BYMONTH) {
    text += ` in ${list.format(part.BYMONTH.split(",").map((month) => months[month - 1]))}`;
  }
  if (part.COUNT) text += `, ${count(Number(part.COUNT), "time", "times")}`;
  if (part.UNTIL) {
    text += `, until ${part.UNTIL.replace(/^(\d{4})(\d\d)(\d\d).*/, "$1-$2-$3")}`;
  }
  return text;
}

/** "1 day 2 hours" of an ISO 8601 duration. */
function duration(text) {
  const found = /^[+-]?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (!found) return text;
  const names = ["week", "day", "hour", "minute", "second"];
  return names.map((name, index) => Number(found[index + 1]) &&
    count(Number(found[index + 1]), name, `${name}s`)).filter(Boolean).join(" ");
}

function length(minutes) {
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h`;
}

export default {
  app: "Martlet",
  skip: "Skip to reminders",
  places: "Places", tabs: "Pages", smartLists: "Smart lists", lists: "Lists",
    yourLists: "Your lists",
  tags: "Tags", side: "Lists and places",
  today: "Today", tomorrow: "Tomorrow", yesterday: "Yesterday", scheduled: "Scheduled",
  flagged: "Flagged", all: "All", completed: "Completed", trash: "Trash", search: "Search",
  settings: "Settings", overdue: "Overdue", add: "Add", later: "Later",
  newList: "New list", listTitle: "Name", color: "Colour", save: "Save", cancel: "Cancel",
  create: "Create", close: "Close", undo: "Undo", more: "More", done: "Done", retry: "Try again",
  discard: "Discard", remove: "Remove", editList: "Edit list", deleteList: "Delete list",
  colors: ["Blue", "Teal", "Green", "Lime", "Amber", "Orange", "Red", "Rose", "Violet", "Slate"],
  otherColor: "Its own colour",
  deleteListTitle: (title) => `Delete “${title}”?`,
  deleteListText: (open) => open === 0 ? "The list moves to the trash, and stays there a while." :
    `The list and its ${count(open, "open reminder", "open reminders")} move to the trash.`,
  // The connection
  connection: { connecting: "Connecting", live: "Live", reconnecting: "Reconnecting",
    offline: "Offline" },
  waiting: "waiting",
  offlineTitle: "You are offline.",
  offlineText: (number) => number === 0 ? "What is here can be read and changed." :
    `${count(number, "change is", "changes are")} saved here, and will be sent when the server ` +
    "answers.",
  tryNow: "Try now",
  failedTitle: "This could not be saved.",
  failedWrite: { POST: "New", PATCH: "Change", PUT: "Order", DELETE: "Deletion" },
  // Rows
  reminders: "Reminders",
  row: {
    tick: (title) => `Complete ${title}`, flagged: "Flagged", alarm: "Has an alarm",
    recurs: "Recurs", more: (title) => `More for ${title}`, edit: (title) => `Title of ${title}`,
    open: "Open", rename: "Edit title", flag: "Flag", unflag: "Remove flag", dueToday: "Due today",
    dueTomorrow: "Due tomorrow", noDue: "Remove due date", move: "Move to", delete: "Delete",
    parts: (open, all) => `${all - open} of ${all}`, partsOf: (title) => `Part of ${title}`,
    fold: (title) => `Subtasks of ${title}`, waiting: "waiting", up: "Move up", down: "Move down",
    selected: "selected", notes: "Notes",
  },
  priority: { high: "High", medium: "Medium", low: "Low", none: "None" },
  left: (open, late) => [`${open} left`, late && `${late} overdue`].filter(Boolean).join(", "),
  open: (number) => `${number} open`,
  late: (minutes) => minutes < 1 ? "now" : `${length(minutes)} late`,
  soon: (minutes) => minutes < 1 ? "now" : `in ${length(minutes)}`,
  daysLate: (number) => `${count(number, "day", "days")} late`,
  nowLine: (time) => `Now, ${time}`,
  recurrence, duration, ordinal,
  completedIn: "Completed", completedNone: "Nothing is completed here yet.",
  showMore: "Show more",
  needsNetwork: "This needs the server. It is shown when there is a connection.",
  // Empty places
  empty: {
    today: ["Nothing is due today", "What has a date shows up here on its day."],
    todayNext: (day, number) =>
      `Next is ${day}, with ${count(number, "reminder", "reminders")}.`,
    scheduled: ["Nothing has a date", "Type a day with a reminder: “dentist friday 14:30”."],
    flagged: ["Nothing is flagged", "Press f on a reminder, and it is kept here as well."],
    all: ["No open reminders", "Press q and type the first one."],
    list: ["This list is empty", "Press q to add to it."],
    smart: ["Nothing matches", "Reminders show up here as soon as they fit the filter."],
    tag: ["Nothing has this tag", "Type it with a reminder: “@phone”."],
    search: ["Nothing was found", "Whole words and their beginnings are found, in titles, notes " +
      "and tags."],
    searchHint: ["What are you looking for?", "Words, “phrases”, tag:phone."],
    completed: ["Nothing is completed yet", "What you tick is kept here, by day."],
    trash: ["The trash is empty", "What you delete stays here for a while."],
  },
  // Quick add
  quick: {
    label: "New reminder", placeholder: "Add a reminder", hint: "like “milk tomorrow 6pm @errand”",
    placeholderIn: (title) => `Add to ${title}`, read: "What was understood",
    notes: "note", flag: "flagged", none: "no alarm",
      offline: "It is read when the server answers.",
  },
  // What happened, with undo
  did: {
    completed: (title) => `Completed “${title}”`, reopened: (title) => `Reopened “${title}”`,
    deleted: (title) => `Deleted “${title}”`, edited: (title) => `Changed “${title}”`,
    moved: (title, list) => `Moved “${title}” to ${list}`, added: (title) => `Added “${title}”`,
    many: { completed: (n) => `Completed ${n} reminders`, deleted: (n) => `Deleted ${n} reminders`,
      edited: (n) => `Changed ${n} reminders` },
    listAdded: (title) => `Created the list “${title}”`, undone: "Undone",
    listDeleted: (title) => `Deleted the list “${title}”`,
    listEdited: (title) => `Changed the list “${title}”`,
    placed: (title, place, all) => `${title}: ${place} of ${all}`, restored: "Restored",
    snoozed: (time) => `Rings again at ${time}`,
    undoFailed: "This could not be undone.",
  },
  // The detail
  detail: {
    label: "Details", title: "Title", notes: "Notes", notesHint: "Add notes", due: "Due",
    date: "Date", time: "Time", list: "List", priority: "Priority", repeat: "Repeat", tags: "Tags",
    addTag: "Add a tag", removeTag: (tag) => `Remove the tag ${tag}`, alarms: "Alarms",
    addAlarm: "Add an alarm", removeAlarm: (text) => `Remove the alarm ${text}`,
    parts: "Subtasks", addPart: "Add a subtask", next: "Next", history: "History", none: "None",
    clear: "Remove", gone: ["This reminder is not open", "It was completed or deleted."],
    when: "when due", before: (text) => `${text} before`, after: (text) => `${text} after`,
    own: "Another rule", rule: "Rule", skip: "Skip this one",
    skipped: "Skipped", created: "Created", links: "Links in the notes",
    basis: "When it is done late",
    bases: { due: "keep to the rule", each: "one after the other", completion: "count from then" },
  },
  repeats: (weekday, day) => [["", "Never"], ["FREQ=DAILY", "Every day"],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "Every weekday"],
    ["FREQ=WEEKLY", weekday ? `Every week, on ${days[weekday]}` : "Every week"],
    ["FREQ=WEEKLY;INTERVAL=2", "Every other week"],
    ["FREQ=MONTHLY", day ? `Every month, on the ${ordinal(day)}` : "Every month"],
    ["FREQ=MONTHLY;BYMONTHDAY=-1", "On the last day of the month"],
    ["FREQ=YEARLY", "Every year"]],
  // Alarms
  ring: {
    label: "Ringing", done: "Done", ten: "10 min", hour: "1 hour", tonight: "Tonight",
    tomorrow: "Tomorrow", later: "Later", others: (number) => `${number} more`,
    title: (title) => `Snooze “${title}”`, ok: "Stop",
  },
  // Search, completed, trash
  searchLabel: "Search reminders", found: (number) => count(number, "result", "results"),
  searchOffline: "Only what is at hand was searched, because there is no connection.",
  reopen: (title) => `Reopen ${title}`, restore: "Restore",
    restoreOf: (title) => `Restore ${title}`,
  keepUntil: (day) => `until ${day}`, listKind: "List",
  contains: (number) => `with ${count(number, "reminder", "reminders")}`,
  emptyTrash: "Empty the trash", emptyTrashTitle: "Empty the trash?",
  emptyTrashText: "What is in it is gone for good.",
  // Keys
  door: {
    title: "Sign in", text: "This server asks for a key. The person who runs it can make one.",
    key: "Key", stay: "Stay signed in",
    stayText: "Keeps the key and a copy of the reminders on this device.", submit: "Sign in",
    wrong: "The server does not accept this key.", unreachable: "The server does not answer.",
    empty: "Enter a key.", pair: "Use a code of another device", pairText:
      "Choose “Add a device” in the settings of a device that is signed in, and type its code.",
    code: "Code", useKey: "Use a key", wrongCode: "The server does not know this code.",
    device: "Web app", kept: "These changes were not sent. Keep what you need of them:",
  },
  set: {
    look: "Look", theme: "Theme", themes: { system: "System", light: "Light", dark: "Dark" },
    zone: "Time zone", zoneText: "Says what today is.", zoneOwn: (name) => `This device (${name})`,
    language: "Language", languages: { en: "English", de: "Deutsch" },
    keys: "Single keys", keysText: "Letters such as q and e act at once. ? shows all.",
    access: "Access", signOut: "Sign out",
    signOutText: "Deletes the key and the copy from this device.",
    signOutWaiting: (number) => `${count(number, "change was", "changes were")} not sent yet. ` +
      "Signing out shows their text a last time.",
    noKey: "This server asks for no key.", as: (name, scope) => `${name}, ${scope}`,
    scopes: { read: "may read", write: "may read and write", admin: "may do everything" },
    device: "Add a device",
      deviceText: "Shows a code that signs another device in. It is valid once.",
    deviceButton: "Show a code", deviceCode: (time) => `Type it on the other device until ${time}.`,
    server: "Server", shown: "Your key",
    appearance: "Switch between light and dark", help: "Keyboard shortcuts",
    update: "A new version is here.", reload: "Load it",
  },
  select: {
    number: (number) => `${number} selected`, done: "Done", today: "Today", flag: "Flag",
    move: "Move", delete: "Delete", clear: "Clear",
  },
  swipe: { done: "Done", tomorrow: "Tomorrow" },
  keys: {
    title: "Keyboard shortcuts", or: "or", then: "then",
    groups: { move: "Move", reminder: "Reminder", go: "Go to", page: "Page" },
    down: "Next reminder", up: "Previous reminder", open: "Open details", tick: "Complete",
    edit: "Edit the title", add: "Add a reminder", dueToday: "Due today", flag: "Flag",
    delete: "Delete", search: "Search", help: "Show this help", close: "Close", undo: "Undo",
    goToday: "Today", goScheduled: "Scheduled", goFlagged: "Flagged", goAll: "All",
    moveUp: "Move up", moveDown: "Move down", select: "Select", list: "Move to a list",
    goCompleted: "Completed", dueTomorrow: "Due tomorrow",
    names: { " ": "Space", ArrowUp: "↑", ArrowDown: "↓", Enter: "Enter", Escape: "Esc",
      Delete: "Del", Control: "Ctrl", Alt: "Alt", Shift: "Shift" },
  },
};
