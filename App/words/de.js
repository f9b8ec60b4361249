// SPDX-License-Identifier: Apache-2.0
// Every text of the app in German.

const count = (number, one, other) => `${number} ${number === 1 ? one : other}`;

const length = (minutes) =>
  minutes < 60 ? `${minutes} Min.` : `${Math.floor(minutes / 60)} Std.`;
const reminders = (number) => count(number, "Erinnerung", "Erinnerungen");
const am = (days) => `am ${days}`;
const changes = (number) => count(number, "Änderung", "Änderungen");

export default {
  app: "Martlet",
  skip: "Zu den Erinnerungen",
  places: "Orte", tabs: "Seiten", smartLists: "Intelligente Listen", lists: "Listen",
  tags: "Schlagwörter", side: "Listen und Orte",
  today: "Heute", tomorrow: "Morgen", yesterday: "Gestern", scheduled: "Geplant",
  statistics: "Statistik",
  calendar: "Kalender",
  flagged: "Markiert", all: "Alle", completed: "Erledigt", trash: "Papierkorb", search: "Suche",
  settings: "Einstellungen", overdue: "Überfällig", add: "Hinzufügen", later: "Später",
  newList: "Neue Liste", color: "Farbe", cancel: "Abbrechen",
  create: "Anlegen", close: "Schließen", undo: "Widerrufen", redo: "Wiederholen",
  more: "Mehr", done: "Erledigt", retry: "Noch einmal", discard: "Verwerfen", edit: "Bearbeiten",
  other: "Wählen",
  connection: { connecting: "Verbindet", live: "Live",
    reconnecting: "Verbindung wird wiederhergestellt",
    offline: "Offline" },
  waiting: "wartend",
  offlineTitle: "Keine Verbindung.",
  offlineText: (number) => number === 0 ? "Was hier ist, kann gelesen und geändert werden." :
    `${changes(number)} ${number === 1 ? "ist" : "sind"} hier gesichert und ` +
    `${number === 1 ? "wird" : "werden"} gesendet, sobald der Server antwortet.`,
  tryNow: "Jetzt versuchen",
  only: (title) => `Von über 20.000 offenen Erinnerungen sind nur die in „${title}“ hier.`,
  failedTitle: "Das konnte nicht gesichert werden.",
  otherDatabase: "Der Server hat jetzt eine andere Datenbank.",
  failedWrite: { POST: "Neu:", PATCH: "Änderung:", PUT: "Reihenfolge:", DELETE: "Löschung:" },
  problems: {
    other: "Der Server nimmt das nicht an.", internal: "Der Server hatte einen Fehler.",
    "invalid-body": "Der Server nimmt diesen Wert nicht an.",
    unauthorized: "Dieser Schlüssel gilt nicht mehr.", "not-found": "Es ist nicht mehr da.",
    "outcome-unknown": "Es wurde vielleicht getan: nachsehen, und wenn nicht, noch einmal.",
    "not-stored": "Dieses Gerät hat keinen Platz dafür.",
  },
  reminders: "Erinnerungen",
  row: {
    alarm: "Hat einen Alarm",
    more: (title) => `Mehr zu ${title}`,
    edit: (title) => `Titel von ${title}`, open: "Öffnen",
    flag: "Markieren",
    move: "Verschieben nach",
    delete: "Löschen", parts: (open, all) => `${all - open} von ${all}`,
    partsOf: (title) => `Teile von ${title}`, fold: (title) => `Teilaufgaben von ${title}`,
    up: "Nach oben", down: "Nach unten", selected: "ausgewählt",
  },
  priority: { high: "Hoch", medium: "Mittel", low: "Niedrig", none: "Keine" },
  isSorted: "Diese Liste ist sortiert. Wähle erst die eigene Reihenfolge in ihrem Menü.",
  none: { dueDate: "Ohne Datum", priority: "Ohne Priorität" },
  left: (open, late) => [`${open} offen`, late && `${late} überfällig`].filter(Boolean).join(", "),
  open: (number) => `${number} offen`,
  late: (minutes) => minutes < 1 ? "jetzt" : `seit ${length(minutes)}`,
  soon: (minutes) => minutes < 1 ? "jetzt" : `in ${length(minutes)}`,
  daysLate: (number) => `seit ${count(number, "Tag", "Tagen")}`,
  nowLine: (time) => `Jetzt, ${time}`,
  completedNone: "Hier ist noch nichts erledigt.",
  showMore: "Mehr zeigen",
  readOnly: "Dieser Schlüssel darf nur lesen.",
  needsNetwork: "Dafür braucht es eine Verbindung.",
  empty: {
    today: ["Heute ist nichts fällig", "Was ein Datum hat, erscheint hier an seinem Tag."],
    todayNext: (day, number) => `Als Nächstes: ${day}, ${reminders(number)}.`,
    scheduled: ["Nichts hat ein Datum", "Schreib den Tag dazu: „Zahnarzt Freitag 14:30“."],
    flagged: ["Nichts ist markiert", "Mit f wird eine Erinnerung markiert."],
    all: ["Keine offenen Erinnerungen", "Mit q schreibst du die erste."],
    list: ["Diese Liste ist leer", "Mit q fügst du etwas hinzu."],
    missing: ["Diese Liste ist nicht hier",
      "Sie wurde gelöscht, oder der Schlüssel darf sie nicht lesen."],
    smart: ["Nichts passt", "Was zum Filter passt, erscheint hier."],
    tag: ["Nichts hat dieses Schlagwort", "Schreib es dazu: „@telefon“."],
    search: ["Nichts gefunden", "Gefunden werden Wörter und Wortanfänge."],
    searchHint: ["Was suchst du?", "Wörter, „Wortfolgen“, tag:telefon."],
    completed: ["Noch nichts erledigt", "Was du abhakst, steht hier."],
    trash: ["Der Papierkorb ist leer", "Was du löschst, bleibt hier eine Weile."],
  },
  quick: {
    placeholder: "Erinnerung hinzufügen",
    hint: "etwa „Milch morgen 18 Uhr @einkauf“", placeholderIn: (title) => `Neu in ${title}`,
    read: "Was verstanden wurde", notes: "Notiz", flag: "markiert", none: "kein Alarm",
    noTitle: "Ein Titel fehlt.",
  },
  did: {
    completed: (title) => `„${title}“ erledigt`, reopened: (title) => `„${title}“ wieder offen`,
    deleted: (title) => `„${title}“ gelöscht`, edited: (title, what) =>
      `„${title}“ geändert${what ? `: ${what}` : ""}`, dueThen: (day) => `Schon am ${day} fällig`,
    moved: (title, list) => `„${title}“ nach ${list} verschoben`,
    added: (title) => `„${title}“ hinzugefügt`,
    many: { completed: (n) => `${reminders(n)} erledigt`,
      deleted: (n) => `${reminders(n)} gelöscht`,
      edited: (n, what) => `${reminders(n)} geändert: ${what}`,
      added: (n) => `${reminders(n)} hinzugefügt` },
    undone: "Widerrufen", redone: "Wiederholt", itself: "die Erinnerung selbst",
    left: (done, names) => `${done || "Nichts wurde geändert"}. Ein anderes Gerät hat inzwischen ` +
      `geändert, und das bleibt: ${names}`,
    placed: (title, place, all) => `${title}: ${place} von ${all}`,
    skipped: (title) => `„${title}“ übersprungen`,
  },
  detail: {
    title: "Titel", notes: "Notizen", due: "Fällig", start: "Beginn", repeat: "Wiederholen",
    priority: "Priorität", tags: "Schlagwörter", alarms: "Alarme", list: "Liste",
    parent: "Teil von", when: "wenn fällig",
  },
  rule: {
    every: (days) => `jeden ${days}`, all: (span) => `alle ${span}`,
    weekdays: "montags bis freitags",
    often: { DAILY: ["jeden Tag", "jeden zweiten Tag"], WEEKLY: ["jede Woche", "jede zweite Woche"],
      MONTHLY: ["jeden Monat", "jeden zweiten Monat"],
      YEARLY: ["jedes Jahr", "jedes zweite Jahr"] },
    places: { 1: "ersten", 2: "zweiten", 3: "dritten", 4: "vierten", 5: "fünften", "-1": "letzten",
      "-2": "vorletzten" },
    nth: (number) => `${number}.`, on: am, onThe: am, lastDay: "letzten Tag", in: "im",
    until: "bis", times: (number) => number === 1 ? "einmal" : `${number}-mal`,
    afterDone: (span) => `${span} nach dem Erledigen`, fromDone: "ab dem Erledigen gezählt",
  },
  alarm: {
    ways: { "-due": (text) => `${text} vorher`, due: (text) => `${text} danach`,
      "-start": (text) => `${text} vor Beginn`, start: (text) => `${text} nach Beginn`,
      at: () => "zu einem Zeitpunkt" },
    onDay: (days, time) => `${days === 0 ? "am selben Tag" : days === -1 ? "am Vortag" :
      `${Math.abs(days)} ${Math.abs(days) === 1 ? "Tag" : "Tage"} ${days < 0 ? "vorher" :
        "danach"}`} um ${time}`,
    repeats: (every, times) => `noch ${times} Mal im Abstand von ${every}`,
  },
  smart: {
    make: "Neue intelligente Liste", icon: "Zeichen", filter: "Filter", sort: "Reihenfolge",
  },
  reopen: (title) => `${title} wieder öffnen`,
  set: {
    zone: "Zeitzone",
    appearance: "Zwischen hell und dunkel wechseln",
    update: "Eine neue Version ist da.", reload: "Laden",
  },
  keys: {
    title: "Tastenkürzel",
    names: { " ": "Leertaste", Enter: "Eingabe", Escape: "Esc", Delete: "Entf", Tab: "Tab",
      Control: "Strg", Alt: "Alt", Shift: "Umschalt" },
  },
};
