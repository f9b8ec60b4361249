// SPDX-License-Identifier: Apache-2.0
// Every text of the app in German.

const plural = new Intl.PluralRules("de");
const list = new Intl.ListFormat("de");
const count = (number, one, other) => `${number} ${plural.select(number) === "one" ? one : other}`;
const ordinal = (number) => `${number}.`;

const days = { MO: "Montag", TU: "Dienstag", WE: "Mittwoch", TH: "Donnerstag", FR: "Freitag",
  SA: "Samstag", SU: "Sonntag" };
const months = ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
  "Oktober", "November", "Dezember"];
const every = { DAILY: ["jeden Tag", "jeden zweiten Tag", "Tage"],
  WEEKLY: ["jede Woche", "jede zweite Woche", "Wochen"],
  MONTHLY: ["jeden Monat", "jeden zweiten Monat", "Monate"],
  YEARLY: ["jedes Jahr", "jedes zweite Jahr", "Jahre"],
  HOURLY: ["jede Stunde", "alle 2 Stunden", "Stunden"] };
const places = { 1: "ersten", 2: "zweiten", 3: "dritten", 4: "vierten", "-1": "letzten" };

/** A recurrence rule (RFC 5545) as a sentence. */
function recurrence(rule) {
  const part = Object.fromEntries(rule.split(";").map((each) => each.split("=")));
  const interval = Number(part.INTERVAL ?? 1);
  const [single, second, unit] = every[part.FREQ] ?? ["wiederholt", "wiederholt", ""];
  let text = interval === 1 ? single : interval === 2 ? second : `alle ${interval} ${unit}`;
  const on = part.BYDAY?.split(",").map((day) => {
    const place = parseInt(day, 10), name = days[day.slice(-2)];
    return Number.isNaN(place) ? name : `${places[place] ?? ordinal(place)} ${name}`;
  });
  if (part.BYDAY === "MO,TU,WE,TH,FR") text = interval === 1 ? "jeden Werktag" : text;
  else if (on && part.FREQ === "WEEKLY") {
    text = interval === 1 ? `jeden ${list.format(on)}` : `${text} am ${list.format(on)}`;
  } else if (on) {
    const number = part.BYSETPOS, place = number ? `${places[number] ?? ordinal(number)} ` : "";
    text += ` am ${place}${list.format(on)}`;
  }
  if (part.BYMONTHDAY) {
    text += ` am ${list.format(part.BYMONTHDAY.split(",").map((day) =>
      day === "-1" ? "letzten Tag" : ordinal(Number(day))))}`;
  }
  if (part.BYMONTH) {
    text += ` im ${list.format(part.BYMONTH.split(",").map((month) => months[month - 1]))}`;
  }
  if (part.COUNT) text += `, ${part.COUNT}-mal`;
  if (part.UNTIL) text += `, bis ${part.UNTIL.replace(/^(\d{4})(\d\d)(\d\d).*/, "$3.$2.$1")}`;
  return text;
}

/** "1 Tag 2 Stunden" of an ISO 8601 duration. */
function duration(text) {
  const found = /^[+-]?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (!found) return text;
  const names = [["Woche", "Wochen"], ["Tag", "Tage"], ["Stunde", "Stunden"],
    ["Minute", "Minuten"], ["Sekunde", "Sekunden"]];
  return names.map(([one, other], index) => Number(found[index + 1]) &&
    count(Number(found[index + 1]), one, other)).filter(Boolean).join(" ");
}

const length = (minutes) =>
  minutes < 60 ? `${minutes} Min.` : `${Math.floor(minutes / 60)} Std.`;
const reminders = (number) => count(number, "Erinnerung", "Erinnerungen");
const changes = (number) => count(number, "Änderung", "Änderungen");

export default {
  app: "Martlet",
  skip: "Zu den Erinnerungen",
  places: "Orte", tabs: "Seiten", smartLists: "Intelligente Listen", lists: "Listen",
  yourLists: "Deine Listen", tags: "Schlagwörter", side: "Listen und Orte",
  today: "Heute", tomorrow: "Morgen", yesterday: "Gestern", scheduled: "Geplant",
  flagged: "Markiert", all: "Alle", completed: "Erledigt", trash: "Papierkorb", search: "Suche",
  settings: "Einstellungen", overdue: "Überfällig", add: "Hinzufügen", later: "Später",
  newList: "Neue Liste", listTitle: "Name", color: "Farbe", save: "Sichern", cancel: "Abbrechen",
  create: "Anlegen", close: "Schließen", undo: "Widerrufen", more: "Mehr", done: "Erledigt",
  retry: "Noch einmal", discard: "Verwerfen", remove: "Entfernen", editList: "Liste bearbeiten",
  deleteList: "Liste löschen",
  colors: ["Blau", "Türkis", "Grün", "Limette", "Bernstein", "Orange", "Rot", "Rosa", "Violett",
    "Schiefer"],
  otherColor: "Ihre eigene Farbe",
  deleteListTitle: (title) => `„${title}“ löschen?`,
  deleteListText: (open) => open === 0 ?
    "Die Liste kommt in den Papierkorb und bleibt dort eine Weile." :
    `Die Liste und ${count(open, "offene Erinnerung", "offene Erinnerungen")} kommen in den ` +
    "Papierkorb.",
  connection: { connecting: "Verbindet", live: "Live", reconnecting: "Verbindet neu",
    offline: "Offline" },
  waiting: "wartend",
  offlineTitle: "Keine Verbindung.",
  offlineText: (number) => number === 0 ? "Was hier ist, kann gelesen und geändert werden." :
    `${changes(number)} ${number === 1 ? "ist" : "sind"} hier gesichert und ` +
    `${number === 1 ? "wird" : "werden"} gesendet, sobald der Server antwortet.`,
  tryNow: "Jetzt versuchen",
  failedTitle: "Das konnte nicht gesichert werden.",
  failedWrite: { POST: "Neu", PATCH: "Änderung", PUT: "Reihenfolge", DELETE: "Löschung" },
  reminders: "Erinnerungen",
  row: {
    tick: (title) => `${title} erledigen`, flagged: "Markiert", alarm: "Hat einen Alarm",
    recurs: "Wiederholt sich", more: (title) => `Mehr zu ${title}`,
    edit: (title) => `Titel von ${title}`, open: "Öffnen", rename: "Titel bearbeiten",
    flag: "Markieren", unflag: "Markierung entfernen", dueToday: "Heute fällig",
    dueTomorrow: "Morgen fällig", noDue: "Fälligkeit entfernen", move: "Verschieben nach",
    delete: "Löschen", parts: (open, all) => `${all - open} von ${all}`,
    partsOf: (title) => `Teile von ${title}`, fold: (title) => `Teilaufgaben von ${title}`,
    waiting: "wartend", up: "Nach oben", down: "Nach unten", selected: "ausgewählt",
    notes: "Notizen",
  },
  priority: { high: "Hoch", medium: "Mittel", low: "Niedrig", none: "Keine" },
  left: (open, late) => [`${open} offen`, late && `${late} überfällig`].filter(Boolean).join(", "),
  open: (number) => `${number} offen`,
  late: (minutes) => minutes < 1 ? "jetzt" : `seit ${length(minutes)}`,
  soon: (minutes) => minutes < 1 ? "jetzt" : `in ${length(minutes)}`,
  daysLate: (number) => `seit ${count(number, "Tag", "Tagen")}`,
  nowLine: (time) => `Jetzt, ${time}`,
  recurrence, duration, ordinal,
  completedIn: "Erledigt", completedNone: "Hier ist noch nichts erledigt.",
  showMore: "Mehr zeigen",
  needsNetwork: "Dafür braucht es den Server. Es erscheint, sobald es eine Verbindung gibt.",
  empty: {
    today: ["Heute ist nichts fällig", "Was ein Datum hat, erscheint hier an seinem Tag."],
    todayNext: (day, number) => `Als Nächstes: ${day}, ${reminders(number)}.`,
    scheduled: ["Nichts hat ein Datum", "Schreib den Tag dazu: „Zahnarzt Freitag 14:30“."],
    flagged: ["Nichts ist markiert", "Mit f wird eine Erinnerung markiert und steht auch hier."],
    all: ["Keine offenen Erinnerungen", "Mit q schreibst du die erste."],
    list: ["Diese Liste ist leer", "Mit q fügst du etwas hinzu."],
    smart: ["Nichts passt", "Erinnerungen erscheinen hier, sobald sie zum Filter passen."],
    tag: ["Nichts hat dieses Schlagwort", "Schreib es dazu: „@telefon“."],
    search: ["Nichts gefunden", "Gefunden werden Wörter und Wortanfänge in Titeln, Notizen und " +
      "Schlagwörtern."],
    searchHint: ["Was suchst du?", "Wörter, „Wortfolgen“, tag:telefon."],
    completed: ["Noch nichts erledigt", "Was du abhakst, steht hier nach Tagen."],
    trash: ["Der Papierkorb ist leer", "Was du löschst, bleibt hier eine Weile."],
  },
  quick: {
    label: "Neue Erinnerung", placeholder: "Erinnerung hinzufügen",
    hint: "etwa „Milch morgen 18 Uhr @einkauf“", placeholderIn: (title) => `Neu in ${title}`,
    read: "Was verstanden wurde", notes: "Notiz", flag: "markiert", none: "kein Alarm",
    offline: "Es wird gelesen, sobald der Server antwortet.",
  },
  did: {
    completed: (title) => `„${title}“ erledigt`, reopened: (title) => `„${title}“ wieder offen`,
    deleted: (title) => `„${title}“ gelöscht`, edited: (title) => `„${title}“ geändert`,
    moved: (title, list) => `„${title}“ nach ${list} verschoben`,
    added: (title) => `„${title}“ hinzugefügt`,
    many: { completed: (n) => `${reminders(n)} erledigt`,
      deleted: (n) => `${reminders(n)} gelöscht`,
      edited: (n) => `${reminders(n)} geändert` },
    listAdded: (title) => `Liste „${title}“ angelegt`, undone: "Widerrufen",
    listDeleted: (title) => `Liste „${title}“ gelöscht`,
    listEdited: (title) => `Liste „${title}“ geändert`,
    placed: (title, place, all) => `${title}: ${place} von ${all}`, restored: "Wiederhergestellt",
    snoozed: (time) => `Klingelt wieder um ${time}`,
    undoFailed: "Das konnte nicht widerrufen werden.",
  },
  detail: {
    label: "Einzelheiten", title: "Titel", notes: "Notizen", notesHint: "Notizen hinzufügen",
    due: "Fällig", date: "Datum", time: "Uhrzeit", list: "Liste", priority: "Priorität",
    repeat: "Wiederholen", tags: "Schlagwörter", addTag: "Schlagwort hinzufügen",
    removeTag: (tag) => `Schlagwort ${tag} entfernen`, alarms: "Alarme",
    addAlarm: "Alarm hinzufügen", removeAlarm: (text) => `Alarm ${text} entfernen`,
    parts: "Teilaufgaben", addPart: "Teilaufgabe hinzufügen", next: "Nächste", history: "Verlauf",
    none: "Keine", clear: "Entfernen",
    gone: ["Diese Erinnerung ist nicht offen", "Sie wurde erledigt oder gelöscht."],
    when: "wenn fällig", before: (text) => `${text} vorher`, after: (text) => `${text} danach`,
    own: "Eigene Regel", rule: "Regel", skip: "Diese auslassen", skipped: "Ausgelassen",
    created: "Angelegt", links: "Links in den Notizen",
    basis: "Wenn sie spät erledigt wird",
    bases: { due: "nach der Regel", each: "eine nach der anderen", completion: "ab dann zählen" },
  },
  repeats: (weekday, day) => [["", "Nie"], ["FREQ=DAILY", "Jeden Tag"],
    ["FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "Jeden Werktag"],
    ["FREQ=WEEKLY", weekday ? `Jede Woche, am ${days[weekday]}` : "Jede Woche"],
    ["FREQ=WEEKLY;INTERVAL=2", "Jede zweite Woche"],
    ["FREQ=MONTHLY", day ? `Jeden Monat, am ${ordinal(day)}` : "Jeden Monat"],
    ["FREQ=MONTHLY;BYMONTHDAY=-1", "Am letzten Tag des Monats"], ["FREQ=YEARLY", "Jedes Jahr"]],
  ring: {
    label: "Klingelt", done: "Erledigt", ten: "10 Min.", hour: "1 Stunde", tonight: "Heute Abend",
    tomorrow: "Morgen", later: "Später", others: (number) => `${number} weitere`,
    title: (title) => `Später an „${title}“ erinnern`, ok: "Aus",
  },
  searchLabel: "Erinnerungen suchen", found: (number) => `${number} gefunden`,
  searchOffline: "Nur was hier ist wurde durchsucht, weil es keine Verbindung gibt.",
  reopen: (title) => `${title} wieder öffnen`, restore: "Wiederherstellen",
  restoreOf: (title) => `${title} wiederherstellen`, keepUntil: (day) => `bis ${day}`,
  listKind: "Liste", contains: (number) => `mit ${reminders(number)}`,
  emptyTrash: "Papierkorb leeren", emptyTrashTitle: "Papierkorb leeren?",
  emptyTrashText: "Was darin ist, ist dann endgültig weg.",
  door: {
    title: "Anmelden",
    text: "Dieser Server verlangt einen Schlüssel. Wer ihn betreibt, kann einen ausstellen.",
    key: "Schlüssel", stay: "Angemeldet bleiben",
    stayText: "Behält den Schlüssel und eine Kopie der Erinnerungen auf diesem Gerät.",
    submit: "Anmelden", wrong: "Der Server nimmt diesen Schlüssel nicht an.",
    unreachable: "Der Server antwortet nicht.", empty: "Gib einen Schlüssel ein.",
    pair: "Code eines anderen Geräts verwenden",
    pairText: "Wähl „Gerät hinzufügen“ in den Einstellungen eines angemeldeten Geräts und gib " +
      "dessen Code hier ein.",
    code: "Code", useKey: "Schlüssel verwenden", wrongCode: "Der Server kennt diesen Code nicht.",
    device: "Web-App", kept: "Diese Änderungen wurden nicht gesendet. Behalte, was du brauchst:",
  },
  set: {
    look: "Aussehen", theme: "Farben", themes: { system: "System", light: "Hell", dark: "Dunkel" },
    zone: "Zeitzone", zoneText: "Sagt, was heute ist.",
    zoneOwn: (name) => `Dieses Gerät (${name})`,
    language: "Sprache", languages: { en: "English", de: "Deutsch" },
    keys: "Einzelne Tasten", keysText: "Buchstaben wie q und e wirken sofort. ? zeigt alle.",
    access: "Zugang", signOut: "Abmelden",
    signOutText: "Löscht den Schlüssel und die Kopie von diesem Gerät.",
    signOutWaiting: (number) => `${changes(number)} noch nicht gesendet. Beim Abmelden wird ihr ` +
      "Text ein letztes Mal gezeigt.",
    noKey: "Dieser Server verlangt keinen Schlüssel.", as: (name, scope) => `${name}, ${scope}`,
    scopes: { read: "darf lesen", write: "darf lesen und schreiben", admin: "darf alles" },
    device: "Gerät hinzufügen",
    deviceText: "Zeigt einen Code, mit dem sich ein anderes Gerät anmeldet. Er gilt einmal.",
    deviceButton: "Code zeigen",
    deviceCode: (time) => `Gib ihn auf dem anderen Gerät bis ${time} ein.`,
    server: "Server", shown: "Dein Schlüssel", appearance: "Zwischen hell und dunkel wechseln",
    help: "Tasten",
    update: "Eine neue Version ist da.", reload: "Laden",
  },
  select: {
    number: (number) => `${number} ausgewählt`, done: "Erledigt", today: "Heute", flag: "Markieren",
    move: "Verschieben", delete: "Löschen", clear: "Aufheben",
  },
  swipe: { done: "Erledigt", tomorrow: "Morgen" },
  keys: {
    title: "Tasten", or: "oder", then: "dann",
    groups: { move: "Bewegen", reminder: "Erinnerung", go: "Gehe zu", page: "Seite" },
    down: "Nächste Erinnerung", up: "Vorige Erinnerung", open: "Einzelheiten öffnen",
    tick: "Erledigen", edit: "Titel bearbeiten", add: "Erinnerung hinzufügen",
    dueToday: "Heute fällig", flag: "Markieren", delete: "Löschen", search: "Suchen",
    help: "Diese Hilfe zeigen", close: "Schließen", undo: "Widerrufen", goToday: "Heute",
    goScheduled: "Geplant", goFlagged: "Markiert", goAll: "Alle", moveUp: "Nach oben",
    moveDown: "Nach unten", select: "Auswählen", list: "In eine Liste verschieben",
    goCompleted: "Erledigt", dueTomorrow: "Morgen fällig",
    names: { " ": "Leertaste", ArrowUp: "↑", ArrowDown: "↓", Enter: "Eingabe", Escape: "Esc",
      Delete: "Entf", Control: "Strg", Alt: "Alt", Shift: "Umschalt" },
  },
};
