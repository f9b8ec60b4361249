// SPDX-License-Identifier: Apache-2.0
// Every text of the app in English.

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });
const count = (number, one, other) => `${number} ${number === 1 ? one : other}`;
const reminders = (number) => count(number, "reminder", "reminders");
const ordinal = (number) => number +
  /** @type {any} */ ({ one: "st", two: "nd", few: "rd", other: "th" })[ordinals.select(number)];

function length(minutes) {
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h`;
}

export default {
  app: "Martlet",
  skip: "Skip to reminders",
  places: "Places", tabs: "Pages", smartLists: "Smart lists", lists: "Lists",
  tags: "Tags", side: "Lists and places",
  today: "Today", tomorrow: "Tomorrow", yesterday: "Yesterday", scheduled: "Scheduled",
  statistics: "Statistics",
  calendar: "Calendar",
  flagged: "Flagged", all: "All", completed: "Completed", trash: "Trash", search: "Search",
  settings: "Settings", overdue: "Overdue", add: "Add", later: "Later",
  newList: "New list", color: "Color", cancel: "Cancel",
  create: "Create", close: "Close", undo: "Undo", redo: "Redo", more: "More", done: "Done",
  retry: "Try again", discard: "Discard", edit: "Edit", other: "Choose",
  // The connection
  connection: { connecting: "Connecting", live: "Live", reconnecting: "Reconnecting",
    offline: "Offline" },
  waiting: "waiting",
  offlineTitle: "You are offline.",
  offlineText: (number) => number === 0 ? "What is here can be read and changed." :
    `${count(number, "change is", "changes are")} saved here, and will be sent when the server ` +
    "answers.",
  tryNow: "Try now",
  only: (title) => `Of more than 20,000 open reminders, only those in “${title}” are shown.`,
  failedTitle: "This could not be saved.",
  otherDatabase: "The server has another database now.",
  failedWrite: { POST: "New:", PATCH: "Change:", PUT: "Order:", DELETE: "Deletion:" },
  // By the types of docs/problems.md, and of the client
  problems: {
    other: "The server does not accept this.", internal: "The server had a fault.",
    "invalid-body": "The server does not accept this value.", unauthorized: "This key has ended.",
    "not-found": "It is not there any more.",
    "outcome-unknown": "It may have been done: look, and do it again if not.",
    "not-stored": "This device has no room to keep it.",
  },
  // Rows
  reminders: "Reminders",
  row: {
    alarm: "Has an alarm",
    more: (title) => `More for ${title}`, edit: (title) => `Title of ${title}`,
    open: "Open", flag: "Flag",
    move: "Move to", delete: "Delete",
    parts: (open, all) => `${all - open} of ${all}`, partsOf: (title) => `Part of ${title}`,
    fold: (title) => `Subtasks of ${title}`, up: "Move up", down: "Move down",
    selected: "selected",
  },
  priority: { high: "High", medium: "Medium", low: "Low", none: "None" },
  isSorted: "This list is sorted. Choose its own order in its menu first.",
  none: { dueDate: "Without a date", priority: "Without a priority" },
  left: (open, late) => [`${open} left`, late && `${late} overdue`].filter(Boolean).join(", "),
  open: (number) => `${number} open`,
  late: (minutes) => minutes < 1 ? "now" : `${length(minutes)} late`,
  soon: (minutes) => minutes < 1 ? "now" : `in ${length(minutes)}`,
  daysLate: (number) => `${count(number, "day", "days")} late`,
  nowLine: (time) => `Now, ${time}`,
  completedNone: "Nothing is completed here yet.",
  showMore: "Show more",
  readOnly: "This key may only read.",
  needsNetwork: "This needs a connection.",
  // Empty places
  empty: {
    today: ["Nothing is due today", "What has a date shows up here on its day."],
    todayNext: (day, number) =>
      `Next is ${day}, with ${reminders(number)}.`,
    scheduled: ["Nothing has a date", "Type a day with a reminder: “dentist friday 14:30”."],
    flagged: ["Nothing is flagged", "Press f on a reminder."],
    all: ["No open reminders", "Press q and type the first one."],
    list: ["This list is empty", "Press q to add to it."],
    missing: ["This list is not here", "It was deleted, or this key may not read it."],
    smart: ["Nothing matches", "What fits the filter shows up here."],
    tag: ["Nothing has this tag", "Type it with a reminder: “@phone”."],
    search: ["Nothing was found", "Words and their beginnings are found."],
    searchHint: ["What are you looking for?", "Words, “phrases”, tag:phone."],
    completed: ["Nothing is completed yet", "What you tick is kept here."],
    trash: ["The trash is empty", "What you delete stays here for a while."],
  },
  // Quick add
  quick: {
    placeholder: "Add a reminder", hint: "like “milk tomorrow 6pm @errand”",
    placeholderIn: (title) => `Add to ${title}`, read: "What was understood",
    notes: "note", flag: "flagged", none: "no alarm", noTitle: "A title is missing.",
  },
  // What happened, with undo
  did: {
    completed: (title) => `Completed “${title}”`, reopened: (title) => `Reopened “${title}”`,
    deleted: (title) => `Deleted “${title}”`, edited: (title, what) =>
      `Changed “${title}”${what ? `: ${what}` : ""}`, dueThen: (day) => `Due on ${day} already`,
    moved: (title, list) => `Moved “${title}” to ${list}`, added: (title) => `Added “${title}”`,
    many: { completed: (n) => `Completed ${reminders(n)}`,
      deleted: (n) => `Deleted ${reminders(n)}`, edited: (n, what) =>
        `Changed ${reminders(n)}: ${what}`, added: (n) => `Added ${reminders(n)}` },
    undone: "Undone", redone: "Done again", itself: "the reminder itself",
    left: (done, names) => `${done || "Nothing was changed"}. Another device has changed ` +
      `meanwhile, and that stays: ${names}`,
    placed: (title, place, all) => `${title}: ${place} of ${all}`,
    skipped: (title) => `Skipped “${title}”`,
  },
  // What a member is called
  detail: {
    title: "Title", notes: "Notes", due: "Due", start: "Start", repeat: "Repeat",
    priority: "Priority", tags: "Tags", alarms: "Alarms", list: "List", parent: "Part of",
    when: "when due",
  },
  rule: {
    every: (days) => `every ${days}`, all: (span) => `every ${span}`, weekdays: "every weekday",
    often: { DAILY: ["every day"], WEEKLY: ["every week", "every other week"],
      MONTHLY: ["every month", "every other month"], YEARLY: ["every year", "every other year"] },
    places: { 1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth", "-1": "last",
      "-2": "second-to-last" }, nth: ordinal,
    on: (days) => `on ${days}`, onThe: (days) => `on the ${days}`, lastDay: "last day", in: "in",
    until: "until",
    times: (number) => count(number, "time", "times"),
    afterDone: (span) => `${span} after it is done`, fromDone: "counted from when it is done",
  },
  alarm: {
    ways: { "-due": (text) => `${text} before`, due: (text) => `${text} after`,
      "-start": (text) => `${text} before the start`, start: (text) => `${text} after the start`,
      at: () => "at a time" },
    onDay: (days, time) => `${days === 0 ? "on the day" : days === -1 ? "the day before" :
      `${count(Math.abs(days), "day", "days")} ${days < 0 ? "before" : "after"}`} at ${time}`,
    repeats: (every, times) => `again every ${every}, ${count(times, "time", "times")}`,
  },
  smart: { make: "New smart list", icon: "Icon", filter: "Filter", sort: "Order" },
  reopen: (title) => `Reopen ${title}`,
  set: {
    zone: "Time zone",
    appearance: "Switch between light and dark", update: "A new version is available.",
    reload: "Reload",
  },
  keys: {
    title: "Keyboard shortcuts",
    names: { " ": "Space", Enter: "Enter", Escape: "Esc", Delete: "Del", Tab: "Tab",
      Control: "Ctrl", Alt: "Alt", Shift: "Shift" },
  },
};
