// SPDX-License-Identifier: Apache-2.0
// Every text of the app in French. The spaces before : ; ! ? % and inside of « » do not break.

// Zero and one are singular.
const count = (number, one, other) => `${number} ${number < 2 ? one : other}`;

const length = (minutes) => minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
const reminders = (number) => count(number, "rappel", "rappels");
const partsOf = (title) => `Sous-tâches de ${title}`;

export default {
  app: "Martlet",
  skip: "Aller aux rappels",
  places: "Rubriques", tabs: "Pages", smartLists: "Listes intelligentes", lists: "Listes",
  tags: "Étiquettes", side: "Listes et rubriques",
  today: "Aujourd’hui", tomorrow: "Demain", yesterday: "Hier", scheduled: "Prévus",
  statistics: "Statistiques",
  calendar: "Calendrier",
  flagged: "Marqués", all: "Tous", completed: "Terminés", trash: "Corbeille", search: "Recherche",
  settings: "Réglages", overdue: "En retard", add: "Ajouter", later: "Plus tard",
  newList: "Nouvelle liste", color: "Couleur", cancel: "Annuler",
  create: "Créer", close: "Fermer", undo: "Annuler", redo: "Rétablir", more: "Plus",
  done: "Terminé", retry: "Réessayer", discard: "Abandonner", edit: "Modifier", other: "Choisir",
  connection: { connecting: "Connexion", live: "En ligne", reconnecting: "Reconnexion",
    offline: "Hors ligne" },
  waiting: "en attente",
  offlineTitle: "Vous êtes hors ligne.",
  offlineText: (number) => number === 0 ? "Ce qui est ici peut être lu et modifié." :
    `${count(number, "modification enregistrée ici sera envoyée", "modifications enregistrées " +
      "ici seront envoyées")} dès que le serveur répondra.`,
  tryNow: "Réessayer",
  only: (title) => `Sur plus de 20 000 rappels à faire, seuls ceux de « ${title} » sont affichés.`,
  failedTitle: "Enregistrement impossible.",
  otherDatabase: "Le serveur a maintenant une autre base de données.",
  failedWrite: { POST: "Nouveau :", PATCH: "Modification :", PUT: "Ordre :",
    DELETE: "Suppression :" },
  problems: {
    other: "Le serveur refuse cette demande.", internal: "Le serveur a rencontré une erreur.",
    "invalid-body": "Le serveur refuse cette valeur.",
    unauthorized: "Cette clé n’est plus valable.",
    "not-found": "Cet élément n’existe plus.",
    "outcome-unknown": "C’est peut-être fait : vérifiez, sinon recommencez.",
    "not-stored": "Cet appareil n’a plus assez de place.",
  },
  reminders: "Rappels",
  row: {
    alarm: "Avec alarme",
    more: (title) => `Actions pour ${title}`, edit: (title) => `Titre de ${title}`,
    open: "Ouvrir", flag: "Marquer",
    move: "Déplacer vers", delete: "Supprimer",
    parts: (open, all) => `${all - open} sur ${all}`, partsOf, fold: partsOf,
    up: "Monter", down: "Descendre", selected: "sélectionné",
  },
  priority: { high: "Haute", medium: "Moyenne", low: "Basse", none: "Aucune" },
  isSorted: "Cette liste est triée. Choisissez d’abord l’ordre manuel dans son menu.",
  none: { dueDate: "Sans date", priority: "Sans priorité" },
  left: (open, late) => [`${open} à faire`, late && `${late} en retard`].filter(Boolean).join(", "),
  open: (number) => `${number} à faire`,
  late: (minutes) => minutes < 1 ? "maintenant" : `${length(minutes)} de retard`,
  soon: (minutes) => minutes < 1 ? "maintenant" : `dans ${length(minutes)}`,
  daysLate: (number) => `${count(number, "jour", "jours")} de retard`,
  nowLine: (time) => `Maintenant, ${time}`,
  completedNone: "Rien n’est encore terminé ici.",
  showMore: "Afficher plus",
  readOnly: "Cette clé ne permet que de lire.",
  needsNetwork: "Une connexion est nécessaire.",
  empty: {
    today: ["Rien à faire aujourd’hui", "Ce qui a une date s’affiche ici le jour venu."],
    todayNext: (day, number) => `Ensuite : ${day.toLowerCase()}, ${reminders(number)}.`,
    scheduled: ["Rien n’a de date", "Écrivez un jour : « dentiste vendredi 14h30 »."],
    flagged: ["Rien n’est marqué", "La touche f marque un rappel."],
    all: ["Aucun rappel à faire", "Appuyez sur q et écrivez le premier."],
    list: ["Cette liste est vide", "Appuyez sur q pour y ajouter un rappel."],
    missing: ["Cette liste n’est pas ici",
      "Elle a été supprimée, ou cette clé ne permet pas de la lire."],
    smart: ["Rien ne correspond", "Ce qui correspond au filtre s’affiche ici."],
    tag: ["Rien n’a cette étiquette", "Écrivez-la avec un rappel : « @téléphone »."],
    search: ["Aucun résultat", "La recherche porte sur les mots et leur début."],
    searchHint: ["Que cherchez-vous ?", "Des mots, des “expressions”, tag:téléphone."],
    completed: ["Rien n’est encore terminé", "Ce que vous cochez est conservé ici."],
    trash: ["La corbeille est vide", "Ce que vous supprimez y reste quelque temps."],
  },
  quick: {
    placeholder: "Ajouter un rappel", hint: "comme « lait demain 18h @courses »",
    placeholderIn: (title) => `Ajouter à ${title}`, read: "Ce qui a été compris",
    notes: "note", flag: "marqué", none: "sans alarme", noTitle: "Il manque un titre.",
  },
  did: {
    completed: (title) => `« ${title} » terminé`, reopened: (title) => `« ${title} » rouvert`,
    deleted: (title) => `« ${title} » supprimé`, edited: (title, what) =>
      `« ${title} » modifié${what ? ` : ${what}` : ""}`, dueThen: (day) => `Déjà prévu le ${day}`,
    moved: (title, list) => `« ${title} » déplacé vers ${list}`,
    added: (title) => `« ${title} » ajouté`,
    many: { completed: (n) => count(n, "rappel terminé", "rappels terminés"),
      deleted: (n) => count(n, "rappel supprimé", "rappels supprimés"), edited: (n, what) =>
        `${count(n, "rappel modifié", "rappels modifiés")} : ${what}`,
      added: (n) => count(n, "rappel ajouté", "rappels ajoutés") },
    undone: "Annulé", redone: "Rétabli", itself: "le rappel lui-même",
    left: (done, names) => `${done || "Rien n’a été modifié"}. Un autre appareil a fait des ` +
      `modifications entre-temps, et elles restent : ${names}`,
    placed: (title, place, all) => `${title} : ${place} sur ${all}`,
    skipped: (title) => `« ${title} » passé`,
  },
  detail: {
    title: "Titre", notes: "Notes", due: "Échéance", start: "Début", repeat: "Répéter",
    priority: "Priorité", tags: "Étiquettes", alarms: "Alarmes", list: "Liste",
    parent: "Tâche parente", when: "à l’échéance",
  },
  rule: {
    every: (days) => `tous les ${days.replace(/di(?!m)|he\b/g, "$&s")}`,
    all: (span) => `${span.includes("sem") ? "toutes" : "tous"} les ${span}`,
    weekdays: "du lundi au vendredi",
    often: { DAILY: ["tous les jours", "un jour sur deux"],
      WEEKLY: ["toutes les semaines", "une semaine sur deux"],
      MONTHLY: ["tous les mois", "un mois sur deux"], YEARLY: ["tous les ans", "un an sur deux"] },
    places: { 1: "premier", 2: "deuxième", 3: "troisième", 4: "quatrième", 5: "cinquième",
      "-1": "dernier", "-2": "avant-dernier" },
    nth: (number) => number === 1 ? "1er" : `${number}`,
    // Each of several days has its article, but for those that share an ordinal.
    on: (days) => `le ${days.replace(/, | et /g, "$&le ").replace(/^1 /, "1er ")}`,
    onThe: (days) => `le ${days.replace(/(, | et )(?!\S+(di|he)\b)/g, "$&le ")}`
      .replace(/le av/g, "l’av"),
    lastDay: "dernier jour", in: "en", until: "jusqu’au",
    times: (number) => number === 1 ? "une fois" : `${number} fois`,
    afterDone: (span) => `${span} après l’avoir terminé`, fromDone: "compté après l’avoir terminé",
  },
  alarm: {
    ways: { "-due": (text) => `${text} avant`, due: (text) => `${text} après`,
      "-start": (text) => `${text} avant le début`, start: (text) => `${text} après le début`,
      at: () => "à un moment précis" },
    onDay: (days, time) => `${days === 0 ? "le jour même" : days === -1 ? "la veille" :
      `${count(Math.abs(days), "jour", "jours")} ${days < 0 ? "avant" : "après"}`} à ${time}`,
    repeats: (every, times) => `puis ${times} fois à ${every} d’intervalle`,
  },
  smart: { make: "Nouvelle liste intelligente", icon: "Icône", filter: "Filtre", sort: "Ordre" },
  reopen: (title) => `Rouvrir ${title}`,
  set: {
    zone: "Fuseau horaire", appearance: "Passer du clair au sombre",
    update: "Une nouvelle version est disponible.", reload: "Recharger",
  },
  keys: {
    title: "Raccourcis clavier",
    names: { " ": "Espace", Enter: "Entrée", Escape: "Échap", Delete: "Suppr", Tab: "Tab",
      Control: "Ctrl", Alt: "Alt", Shift: "Maj" },
  },
};
