// A page that uses the API. One event stream updates the lists, reminders and statistics; another
// one updates the search results. EventSource reconnects by itself with the ID of its last event,
// and the server sends a result only if it has changed.

const element = (id) => document.getElementById(id);
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

const queries = {
  lists: "/v1/lists?limit=500",
  open: "/v1/reminders?completed=false&limit=50&total=true",
  stats: "/v1/stats",
};

function show(state) {
  element("connection").dataset.state = state;
  element("connection").textContent = state;
}

// Authentication. If the database has keys, the page asks for one and stores it until the tab is
// closed.

const key = {
  get text() { return sessionStorage.getItem("key") ?? ""; },
  set text(value) { sessionStorage.setItem("key", value); },
  get fields() { return this.text ? { Authorization: `Bearer ${this.text}` } : {}; },
};

// The secret of a live session. Event streams send it instead of the key, because an EventSource
// cannot set headers.
let access = "";

async function letIn() {
  const response = await fetch("/v1/live/sessions", { method: "POST", headers: key.fields });
  const isLocked = response.status === 401;
  element("key").hidden = !isLocked;
  element("app").hidden = isLocked;
  element("stats").hidden = isLocked;
  if (response.ok) access = (await response.json()).access;
  // Without a key, the form already says that one is needed.
  else if (!isLocked || key.text) complain(await response.json());
  return response.ok;
}

element("key").onsubmit = (event) => {
  event.preventDefault();
  key.text = element("key-text").value.trim();
  element("key-text").value = "";
  element("problem").hidden = true;
  follow();
};

function stream(target, parameters) {
  return new EventSource(`${target}?${new URLSearchParams({ ...parameters, access })}`);
}

async function follow() {
  try {
    if (!await letIn()) return show("locked");
  } catch {
    show("reconnecting");
    return setTimeout(follow, 2000);
  }
  const parameters = { ...queries, timeZone: zone };
  const target = `/v1/live?${new URLSearchParams(parameters)}`;
  const field = key.text ? " -H \"Authorization: Bearer $KEY\"" : "";
  element("command").textContent = `curl -N '${location.origin}${target}' -H 'Accept: text/event-stream'${field}`;
  const source = stream("/v1/live", parameters);
  source.onopen = () => show("live");
  source.onerror = () => {
    show("reconnecting");
    // The response was not an event stream, so the browser does not reconnect.
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, 2000);
  };
  source.addEventListener("result", (event) => {
    show("live");
    const state = JSON.parse(event.data);
    if (state.lists) showLists(state.lists.items);
    if (state.stats) showStats(state.stats);
    if (state.open) showOpen(state.open);
  });
  source.addEventListener("current", () => show("live"));
  source.addEventListener("problem", (event) => complain(JSON.parse(event.data)));
}

// Rendering

function showStats(stats) {
  const names = ["open", "today", "overdue", "scheduled", "flagged", "completed", "all"];
  element("stats").replaceChildren(...names.map((name) => {
    const item = document.createElement("li");
    const number = document.createElement("strong");
    number.textContent = stats[name];
    number.id = `stat-${name}`;
    const label = document.createElement("span");
    label.textContent = name;
    item.append(number, label);
    return item;
  }));
}

let listTitles = new Map();

function showLists(lists) {
  listTitles = new Map(lists.map((list) => [list.id, list.title]));
  const chosen = element("list").value;
  element("list").replaceChildren(...lists.map((list) => new Option(list.title || `List ${list.id}`, list.id)));
  if (listTitles.has(Number(chosen))) element("list").value = chosen;
}

let known = null;

function showOpen(open) {
  const before = known;
  known = new Set(open.items.map((reminder) => reminder.id));
  element("reminders").replaceChildren(...open.items.map((reminder) => {
    const item = row(reminder);
    if (before && !before.has(reminder.id)) item.className = "new";
    return item;
  }));
  const rest = open.total - open.items.length;
  element("more").hidden = rest <= 0;
  element("more").textContent = `and ${rest} more`;
}

function row(reminder, title) {
  const item = document.createElement("li");
  item.dataset.id = reminder.id;
  item.dataset.status = reminder.status;
  const box = document.createElement("input");
  box.type = "checkbox";
  box.id = `${title ? "found" : "open"}-${reminder.id}`;
  box.checked = reminder.status !== "incomplete";
  box.onchange = () => send("PATCH", `/v1/reminders/${reminder.id}`, {
    status: box.checked ? "completing" : "incomplete",
  });
  const label = document.createElement("label");
  label.htmlFor = box.id;
  if (title) label.append(title); else label.append(reminder.title);
  const details = [
    reminder.isFlagged ? "flagged" : "", listTitles.get(reminder.listID) ?? "", day(reminder.dueDate),
    reminder.priority ? `${reminder.priority} priority` : "", ...reminder.tags.map((tag) => `#${tag}`),
  ].filter(Boolean);
  const small = document.createElement("small");
  small.textContent = details.join(" · ");
  label.append(small);
  item.append(box, label);
  return item;
}

function day(due) {
  if (!due) return "";
  // A date has no time zone; an instant is shown in the browser's time zone.
  return due.includes("T")
    ? new Date(due).toLocaleString([], { dateStyle: "medium", timeStyle: "short" })
    : new Date(`${due}T00:00`).toLocaleDateString([], { dateStyle: "medium" });
}

// Search

let search = null;
let waiting = 0;

element("query").oninput = () => {
  clearTimeout(waiting);
  waiting = setTimeout(find, 150);
};

function find() {
  search?.close();
  const query = element("query").value.trim();
  element("found").replaceChildren();
  element("none").hidden = true;
  if (!query) return;
  search = stream("/v1/search", { q: query, limit: 20 });
  search.addEventListener("result", (event) => {
    const { items } = JSON.parse(event.data);
    element("found").replaceChildren(...items.map((reminder) => row(reminder, marked(reminder.highlights.title))));
    element("none").hidden = items.length > 0;
  });
  search.addEventListener("problem", (event) => complain(JSON.parse(event.data)));
}

// The server escapes everything except the marks.
function marked(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

// Changes. Their effects arrive on the streams.

element("add").onsubmit = async (event) => {
  event.preventDefault();
  const body = { title: element("title").value };
  if (element("due").value) body.dueDate = element("due").value;
  if (await send("POST", `/v1/lists/${element("list").value}/reminders`, body)) {
    element("title").value = "";
    element("due").value = "";
    element("title").focus();
  }
};

async function send(method, target, body) {
  try {
    const response = await fetch(target, {
      method, body: JSON.stringify(body), headers: { "Content-Type": "application/json", ...key.fields },
    });
    if (!response.ok) {
      complain(await response.json());
      return false;
    }
    element("problem").hidden = true;
    return true;
  } catch {
    complain({ title: "The server does not respond.", detail: "The change may not have been saved." });
    return false;
  }
}

function complain(problem) {
  const details = [problem.detail, ...(problem.errors ?? []).map((error) => error.detail)].filter(Boolean);
  element("problem").textContent = [problem.title, ...details].join(" ");
  element("problem").hidden = false;
}

follow();
