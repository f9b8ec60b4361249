// SPDX-License-Identifier: Apache-2.0
// The types of martlet.js. docs/javascript.md explains the client.

export interface MartletOptions {
  /** The address of the server, such as `https://todo.example.org`. By default that of the page. */
  url?: string;
  /** An API key, or a function that returns one. After a 401 it is called again, with that key. */
  key?: string | ((refused?: string) => string | undefined | Promise<string | undefined>);
  fetch?: typeof globalThis.fetch;
  /** For tests: the time in milliseconds, numbers from 0 to 1, and timers. */
  now?: () => number;
  random?: () => number;
  timers?: { setTimeout(done: () => void, ms: number): unknown; clearTimeout(timer: never): void };
}

/** `waiting`: the next attempt is in `ms`. `problem`: a query failed, and the stream goes on. */
export type OnStatus = (
  status: "live" | "waiting" | "problem", problem?: MartletProblem, ms?: number,
) => void;

export interface RequestOptions {
  signal?: AbortSignal;
  /** The ETag that the item must have. */
  ifMatch?: string;
  /** For a POST. By default each has one of its own. */
  idempotencyKey?: string;
  /** With `false` there is one attempt. */
  retry?: boolean;
  onStatus?: OnStatus;
}

export interface Answer<T> {
  status: number;
  /** Frozen; `undefined` after a 204. */
  body: T;
  etag: string | null;
  location: string | null;
}

/** Objects and arrays that cannot be changed, at any depth. */
export type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** A client without live queries, for bundles that leave these out. */
export class Client {
  constructor(options?: MartletOptions);
  get<T = any>(path: string, options?: RequestOptions): Promise<Frozen<T>>;
  post<T = any>(path: string, body?: unknown, options?: RequestOptions): Promise<Frozen<T>>;
  put<T = any>(path: string, body?: unknown, options?: RequestOptions): Promise<Frozen<T>>;
  patch<T = any>(path: string, body: unknown, options?: RequestOptions): Promise<Frozen<T>>;
  delete(path: string, options?: RequestOptions): Promise<undefined>;
  request<T = any>(
    method: string, path: string, options?: RequestOptions & { body?: unknown },
  ): Promise<Answer<Frozen<T>>>;
  /** Several writes as one transaction: all of them or none. */
  batch(build: (batch: BatchBuilder) => void, options?: RequestOptions): Promise<BatchAnswer>;
  /** The change feed, without end. Throws a problem with the status 410 if it must begin anew. */
  changes(options?: ChangesOptions): AsyncGenerator<Frozen<ChangesPage>, never, undefined>;
  queue(options: QueueOptions): Queue;
}

export class Martlet extends Client {
  /** The states of a query. */
  live<T = any>(path: string, options?: LiveOptions): Live<Frozen<T> | null>;
  /** The states of several queries, which move in one step. */
  live<T extends Record<string, any> = Record<string, any>>(
    paths: { [name in keyof T]: string }, options?: LiveOptions,
  ): Live<{ readonly [name in keyof T]: Frozen<T[name]> | null }>;
}

/** An error response, or a failure of the client, whose type begins with `martlet:`. */
export class MartletProblem extends Error {
  name: "MartletProblem";
  type: string;
  title: string;
  /** 0 if there was no answer. */
  status: number;
  detail?: string;
  instance?: string;
  errors?: FieldError[];
  operation?: number;
  cause?: string;
  /** In milliseconds. */
  retryAfter?: number;
}

export interface LiveOptions {
  /** Asks for the differences instead of whole results. The states are the same. */
  deltas?: boolean;
  signal?: AbortSignal;
  onStatus?: OnStatus;
}

/** It runs until `close`, the signal, or the end of its last iteration or subscription. */
export interface Live<T> extends AsyncIterable<T> {
  /** The newest state; `undefined` before the first one. */
  readonly state: T | undefined;
  /** The ETag of the newest state. */
  readonly etag: string | undefined;
  /**
   * Calls `next` with each state, with the newest one if it is slow. `failed` gets the error that
   * ends the query. Returns a function that ends the subscription.
   */
  subscribe(next: (state: T) => unknown, failed?: (error: unknown) => void): () => void;
  close(): void;
}

export interface ChangesOptions {
  /** The `next` of the last page. */
  since?: string;
  limit?: number;
  kind?: ChangedItem["kind"];
  listID?: number;
  open?: boolean;
  signal?: AbortSignal;
  onStatus?: OnStatus;
}

/** Stands for an item that does not exist yet, in paths (`/v1/lists/${it}`) and in bodies. */
export interface Reference {
  readonly name: string;
  toString(): string;
  toJSON(): { $id: string };
}

export interface BatchBuilder {
  post(path: string, body?: unknown, options?: { name?: string }): Reference;
  put(path: string, body?: unknown, options?: { ifMatch?: string }): Reference;
  patch(path: string, body: unknown, options?: { ifMatch?: string }): Reference;
  delete(path: string, options?: { ifMatch?: string }): Reference;
}

export type BatchResult = BatchResults["results"][number];
export interface BatchAnswer {
  results: readonly BatchResult[];
  named: { [name: string]: BatchResult };
}

export interface QueueOptions {
  storage: QueueStorage;
  /** How many entries it has at most, those that were refused included. By default 1000. */
  limit?: number;
  /**
   * Asks something of the server before a write, by `request`, and throws if nothing may be sent.
   * By default it asks `GET /v1/whoami`.
   */
  check?: (request: (method: "GET", path: string) => Promise<{ body: any }>) => Promise<void>;
  onStatus?: OnStatus;
  /** Called for each entry with an outcome, in every tab. */
  onSettled?: (event: { entry: QueueEntry; results?: BatchResult[]; problem?: Problem }) => void;
}

export interface Queue {
  post<T = any>(path: string, body?: unknown): Promise<QueuedWrite<Frozen<T>>>;
  put<T = any>(path: string, body?: unknown, options?: { ifMatch?: string }):
    Promise<QueuedWrite<Frozen<T>>>;
  patch<T = any>(path: string, body: unknown, options?: { ifMatch?: string }):
    Promise<QueuedWrite<Frozen<T>>>;
  delete(path: string, options?: { ifMatch?: string }): Promise<QueuedWrite<undefined>>;
  batch(build: (batch: BatchBuilder) => void): Promise<QueuedWrite<BatchAnswer>>;
  /** What waits, and what was refused (with its `problem`), in order. */
  entries(): Promise<QueueEntry[]>;
  /** Removes an entry. One that waits may have been sent; with `isUnsent` such a one stays. */
  forget(entry: QueueEntry, isUnsent?: boolean): Promise<any>;
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
  /** Stops sending. What waits stays in the storage. */
  close(): void;
}

/** `done` resolves with the answer, and rejects with the problem that ended the entry. */
export interface QueuedWrite<T> extends Reference {
  readonly operations: readonly QueueOperation[];
  readonly done: Promise<T>;
}

export interface QueueOperation {
  name: string;
  method: string;
  path: string;
  body?: any;
  ifMatch?: string;
}

export interface QueueEntry {
  key: number;
  name: string;
  operations: QueueOperation[];
  isBatch: boolean;
  /** When it was sent first; missing if it cannot have been done. */
  sent?: number;
  problem?: Problem;
}

/** Where a queue keeps its entries. Each function resolves when that is durable. */
export interface QueueStorage {
  /** Tabs whose queues have the same name share them. Without it, there is one queue. */
  name?: string;
  /** Stores a new entry, with a `key` greater than any before. */
  add(entry: object): Promise<unknown>;
  /** Replaces the entry with the same `key`. `null` says that it was deleted meanwhile. */
  set(entry: { key: number }): Promise<unknown>;
  /** With `isUnsent` only an entry that has no `sent`, in one step. Resolves with what it was. */
  delete(key: number, isUnsent?: boolean): Promise<unknown>;
  /** All entries, ordered by `key`. */
  all(): Promise<any[]>;
}

export function indexedDBStorage(name: string): QueueStorage;
/** For tests, and for programs that do not store anything. */
export function memoryStorage(): QueueStorage;

/** A parser of event streams (HTML standard, section 9.2.6). */
export function parseEvents(chunks: AsyncIterable<Uint8Array>):
  AsyncGenerator<{ type: string; data: string; id: string; retry?: number }, void, undefined>;
/** The result after a delta, frozen. It shares what has not changed. */
export function applyDelta<T extends object>(result: T, delta: Delta): Frozen<T>;

// The schemas of openapi.yaml (Checks/javascript/schemas.py writes them)

export interface Entrance { openapi: string; page: string; lists: string; reminders: string }
export type ID = number
export type Position = number
export type Instant = string
export type InstantInput = string
export type CalendarDate = string
export type DateOrInstantInput = CalendarDate | InstantInput
export type DueDate = CalendarDate | Instant | null
export type DueDateInput = CalendarDate | InstantInput | null
export type ParentID = number | null
export interface SubtaskCounts { open: number; all: number }
export type TimeZoneName = string | null
export type CompletedAt = Instant | null
export type Recurrence = null | { rule: RecurrenceRule; basis: RecurrenceBasis; start: CalendarDate
  | Instant; excluded: (CalendarDate | Instant)[] }
export type RecurrenceInput = null | { rule?: RecurrenceRule; basis?: RecurrenceBasis; start?:
  DueDateInput; excluded?: DateOrInstantInput[] }
export type RecurrenceRule = string
export type RecurrenceBasis = "due" | "each" | "completion"
export interface OccurrencePage { items: ({ dueDate: CalendarDate | Instant })[]; nextCursor:
  NextCursor }
export interface CompletionPage { items: Completion[]; nextCursor: NextCursor; total?: TotalCount }
export interface Completion { id: ID; reminderID: ID; listID: ID; title: Title; dueDate: DueDate;
  startDate: DueDate; completedAt: Instant; kind: "completed" | "skipped" | "elsewhere" }
export type AlarmState = "armed" | "ringing" | "snoozed" | "acknowledged" | "passed"
export type AlarmOffset = string
export type AlarmAnchor = "due" | "start"
export interface AlarmRepetition { every: AlarmInterval; times: AlarmTimes }
export interface AlarmRepetitionInput { every: AlarmInterval; times: AlarmTimes }
export type AlarmInterval = string
export type AlarmTimes = number
export interface AlarmPage { items: Alarm[]; nextCursor: NextCursor; total?: TotalCount }
export interface Alarm { id: ID; reminderID: ID; listID: ID; title: Title; dueDate: DueDate; at:
  Instant | null; offset: AlarmOffset | null; from: AlarmAnchor | null; repeat: AlarmRepetition |
  null; state: AlarmState; fireAt: Instant | null; firedAt: Instant | null; snoozedUntil: Instant |
  null; acknowledgedAt: Instant | null }
export interface NewAlarm { at?: InstantInput | null; offset?: AlarmOffset | null; from?:
  AlarmAnchor | null; repeat?: AlarmRepetitionInput | null }
export interface AlarmPatch { at?: InstantInput | null; offset?: AlarmOffset | null; from?:
  AlarmAnchor | null; repeat?: AlarmRepetitionInput | null; state?: AlarmState; snoozedUntil?:
  InstantInput | null; id?: ID; reminderID?: ID; listID?: ID; title?: Title; dueDate?: DueDateInput;
  fireAt?: InstantInput | null; firedAt?: InstantInput | null; acknowledgedAt?: InstantInput | null
  }
export interface QuickAdd { text: string; listID?: ID; timeZone?: string; language?: "en" | "de" |
  "fr"; now?: InstantInput }
export interface QuickAdded { reminder: Reminder; language: QuickAddLanguage; spans: QuickAddSpans }
export interface QuickAddPreview { reminder: Record<string, unknown>; language: QuickAddLanguage;
  spans: QuickAddSpans }
export type QuickAddLanguage = "en" | "de" | "fr"
export type QuickAddSpans = ({ start: number; end: number; kind: "due" | "recurrence" | "alarm" |
  "list" | "tag" | "priority" | "flag" | "notes"; text: string })[]
export type ReminderSort = "position" | "-position" | "dueDate" | "-dueDate" | "startDate" |
  "-startDate" | "title" | "-title" | "priority" | "-priority" | "createdAt" | "-createdAt" |
  "updatedAt" | "-updatedAt" | "completedAt" | "-completedAt"
export type Destination = { after: ID | null } | { before: ID | null }
export type Icon = string
export interface SmartFilter { listID?: FilterListID; parentID?: FilterParentID; status?:
  ReminderStatus; completed?: boolean; flagged?: boolean; priority?: FilterPriority; recurring?:
  boolean; available?: boolean; tag?: FilterTag; due?: FilterDue; dueWithin?: FilterDueWithin;
  dueBefore?: DateOrInstantInput; dueAfter?: DateOrInstantInput; q?: FilterText; timeZone?:
  FilterTimeZone }
export type FilterListID = ID | ID[]
export type FilterParentID = ID | "none"
export type FilterPriority = "low" | "medium" | "high" | ("low" | "medium" | "high")[]
export type FilterTag = TagTitle | TagTitle[]
export type FilterDue = "today" | "overdue" | "scheduled" | "none"
export type FilterDueWithin = string
export type FilterText = string
export type FilterTimeZone = string
export type StoredFilter = Record<string, unknown>
export interface SmartFilterPatch { listID?: FilterListID | null; parentID?: FilterParentID | null;
  status?: ReminderStatus | null; completed?: boolean | null; flagged?: boolean | null; priority?:
  FilterPriority | null; recurring?: boolean | null; available?: boolean | null; tag?: FilterTag |
  null; due?: FilterDue | null; dueWithin?: FilterDueWithin | null; dueBefore?: DateOrInstantInput |
  null; dueAfter?: DateOrInstantInput | null; q?: FilterText | null; timeZone?: FilterTimeZone |
  null }
export interface NewSmartList { title: Title; color?: ColorInput; icon?: Icon; filter: SmartFilter;
  sort?: ReminderSort | null; uid?: UIDInput }
export interface SmartListPatch { title?: Title; color?: ColorInput; icon?: Icon; filter?:
  SmartFilterPatch; sort?: ReminderSort | null; id?: ID; uid?: UID; position?: Position; count?:
  number; isMore?: boolean; createdAt?: InstantInput; updatedAt?: InstantInput }
export interface SmartListPage { items: SmartList[]; nextCursor: null }
export interface SmartList { id: ID; uid: UID; title: Title; color: Color; icon: Icon; filter:
  StoredFilter; sort: ReminderSort | null; position: Position; count: number; isMore: boolean;
  createdAt: Instant; updatedAt: Instant }
export type KeyName = string
export interface NewKey { name: KeyName; scope: KeyScope; lists?: ID[] | null; expiresAt?:
  InstantInput | null }
export interface KeyPage { items: Key[]; nextCursor: NextCursor }
export interface Key { id: ID; name: string; scope: KeyScope; lists: ID[] | null; pairedBy: ID |
  null; createdAt: Instant; expiresAt: Instant | null; revokedAt: Instant | null }
export interface KeyWithSecret { id: ID; name: string; scope: KeyScope; lists: ID[] | null;
  pairedBy: ID | null; createdAt: Instant; expiresAt: Instant | null; revokedAt: Instant | null;
  key?: string }
export interface NewPairingCode { scope?: KeyScope }
export interface PairingCode { code: string; expiresAt: Instant }
export interface NewPairing { code: string; name: KeyName }
export interface ChannelPage { items: Channel[]; nextCursor: NextCursor; total?: TotalCount }
export interface Channel { id: ID; kind: ChannelKind; name: ChannelName; url: ChannelURL; events:
  ChannelEvents; lists: ChannelLists; settings: ChannelSettings; isEnabled: ChannelIsEnabled;
  failingSince: FailingSince; lastError: LastError; brokenAt: BrokenAt; after: ChannelAfter; quiet:
  ChannelQuiet; createdAt: Instant }
export interface ChannelWithSecret { id: ID; kind: ChannelKind; name: ChannelName; url: ChannelURL;
  events: ChannelEvents; lists: ChannelLists; settings: ChannelSettings; isEnabled:
  ChannelIsEnabled; failingSince: FailingSince; lastError: LastError; brokenAt: BrokenAt; after:
  ChannelAfter; quiet: ChannelQuiet; createdAt: Instant; secret?: string }
export interface NewChannel { kind: ChannelKind; name: ChannelName; url: ChannelURL; events?:
  ChannelEvents; lists?: ChannelLists; settings?: ChannelSettingsInput; isEnabled?:
  ChannelIsEnabled; after?: ChannelAfter; quiet?: ChannelQuietInput }
export interface ChannelPatch { id?: ID; kind?: ChannelKind; name?: ChannelName; url?: ChannelURL;
  events?: ChannelEvents; lists?: ChannelLists; settings?: ChannelSettingsInput; isEnabled?:
  ChannelIsEnabled; after?: ChannelAfter; quiet?: ChannelQuietInput; failingSince?: InstantInput |
  null; lastError?: LastError; brokenAt?: InstantInput | null; createdAt?: InstantInput }
export type ChannelKind = "webhook" | "ntfy" | "template" | "mail"
export type ChannelName = string
export type ChannelURL = string
export type ChannelEvents = ("*" | "alarm.ringing" | "alarm.ended" | "reminder.created" |
  "reminder.changed" | "reminder.completed" | "reminder.deleted" | "list.created" | "list.changed" |
  "list.deleted" | "channel.broken")[]
export type ChannelLists = ID[] | null
export type ChannelIsEnabled = boolean
export type ChannelAfter = string | null
export type ChannelQuiet = { from: ClockTime; to: ClockTime; mode: QuietMode; timeZone?: QuietZone }
  | null
export type ChannelQuietInput = { from?: ClockTime; to?: ClockTime; mode?: QuietMode; timeZone?:
  QuietZone } | null
export type ClockTime = string
export type QuietMode = "silently" | "later"
export type QuietZone = string | null
export type FailingSince = Instant | null
export type BrokenAt = Instant | null
export type LastError = string | null
export interface ChannelSettings { topic?: string; token?: "***"; method?: "POST" | "PUT"; headers?:
  Record<string, "***">; body?: string; secret?: "***"; people?: boolean; from?: string; to?:
  string; user?: string; password?: "***"; security?: "tls" | "starttls" | "none"; answers?: boolean
  }
export type ChannelHeadersInput = Record<string, string | null>
export type ChannelSettingsInput = { topic?: string | null; token?: string | null; method?: "POST" |
  "PUT" | null; headers?: ChannelHeadersInput | null; body?: string | null; answers?: boolean |
  null; secret?: string | null; people?: boolean | null; from?: string | null; to?: string | null;
  user?: string | null; password?: string | null; security?: "tls" | "starttls" | "none" | null } |
  null
export interface PushKey { applicationServerKey: ApplicationServerKey }
export type ApplicationServerKey = string
export interface PushSubscriptionPage { items: PushSubscription[]; nextCursor: NextCursor; total?:
  TotalCount }
export interface PushSubscription { id: ID; name: ChannelName; host: string; lists: ChannelLists;
  keyID: ID | null; createdAt: Instant; sentAt: Instant | null; seenAt: Instant | null; lostAt:
  Instant | null; failingSince: FailingSince; lastError: LastError; brokenAt: BrokenAt; after:
  ChannelAfter; quiet: ChannelQuiet }
export interface NewPushSubscription { endpoint: string; expirationTime?: number | null; keys: {
  p256dh: string; auth: string }; name: ChannelName; lists?: ChannelLists; after?: ChannelAfter;
  quiet?: ChannelQuietInput }
export interface PushSubscriptionPatch { name?: ChannelName; lists?: ChannelLists; after?:
  ChannelAfter; quiet?: ChannelQuietInput; id?: ID; host?: string; keyID?: number | null;
  createdAt?: InstantInput; sentAt?: InstantInput | null; seenAt?: InstantInput | null; lostAt?:
  InstantInput | null; failingSince?: InstantInput | null; lastError?: LastError; brokenAt?:
  InstantInput | null }
export interface DeliveryPage { items: Delivery[]; nextCursor: NextCursor; total?: TotalCount }
export type DeliveryState = "waiting" | "delivered" | "dead" | "answered" | "merged"
export interface Delivery { id: ID; channelID: ID; eventID: string; type: DeliveryType; state:
  DeliveryState; createdAt: Instant; expiresAt: Instant; nextAt: Instant | null; attempts: number;
  endedAt: Instant | null; lastStatus: number | null; lastError: LastError }
export type DeliveryType = "alarm.ringing" | "alarm.ended" | "reminder.created" | "reminder.changed"
  | "reminder.completed" | "reminder.deleted" | "list.created" | "list.changed" | "list.deleted" |
  "alarm.summary" | "channel.broken" | "channel.test"
export interface AlarmMessage { type: "alarm.ringing"; timestamp: Instant; data: { alarm: Alarm;
  reminder: SentReminder; list: SentList } }
export interface EndedMessage { type: "alarm.ended"; timestamp: Instant; data: { rang: string;
  alarm: Alarm | { id: ID; reminderID: ID }; reminder?: SentReminder; list?: SentList } }
export interface ReminderMessage { type: "reminder.created" | "reminder.changed" |
  "reminder.completed"; timestamp: Instant; data: { reminder: SentReminder; list: SentList } }
export interface DeletedReminderMessage { type: "reminder.deleted"; timestamp: Instant; data: {
  reminder: { id: ID; listID: ID; title: string | null }; list: SentList | null } }
export interface ListMessage { type: "list.created" | "list.changed"; timestamp: Instant; data: {
  list: SentList } }
export interface DeletedListMessage { type: "list.deleted"; timestamp: Instant; data: { list: { id:
  ID; title: string | null } } }
export interface BrokenMessage { type: "channel.broken"; timestamp: Instant; data: { since: Instant;
  channel?: Channel; subscription?: PushSubscription } }
export interface TestMessage { type: "channel.test"; timestamp: Instant; data: { channel: Channel }
  }
export type SentReminder = Reminder
export interface SentList { id: ID; uid: UID; title: Title; color: Color; position: Position }
export type AlarmSummaries = AlarmSummary[]
export interface AlarmSummary { id: ID; at: Instant | null; offset: AlarmOffset | null; from:
  AlarmAnchor | null; repeat: AlarmRepetition | null; snoozedUntil: Instant | null; acknowledgedAt:
  Instant | null }
export type AlarmInputs = AlarmInput[]
export interface AlarmInput { at?: InstantInput | null; offset?: AlarmOffset | null; from?:
  AlarmAnchor | null; repeat?: AlarmRepetitionInput | null; id?: ID; snoozedUntil?: InstantInput |
  null; acknowledgedAt?: InstantInput | null }
export type Priority = "low" | "medium" | "high" | null
export type ReminderStatus = "incomplete" | "completing" | "completed"
export type Color = string
export type ColorInput = string
export type Title = string
export type UID = string
export type UIDInput = string
export interface TrashPage { items: TrashEntry[]; nextCursor: NextCursor; total?: TotalCount }
export interface TrashEntry { id: ID; kind: "list" | "reminder"; itemID: ID; listID: ID; title:
  Title; deletedAt: Instant; expiresAt: Instant; contains: number }
export interface ChangesPage { items: ChangedItem[]; next: FeedToken; more: boolean }
export type FeedToken = string
export interface ChangedItem { kind: "list" | "reminder" | "smart-list"; id: ID; version: number;
  deleted?: boolean; item?: Reminder | { id: ID; uid: UID; title: Title; color: Color; position:
  Position } | { id: ID; uid: UID; title: Title; color: Color; icon: Icon; filter: StoredFilter;
  sort: ReminderSort | null; position: Position } }
export type Notes = string
export type TagTitle = string
export type TagTitles = TagTitle[]
export interface Counts { open: number; all: number }
export interface RemindersList { id: ID; uid: UID; title: Title; color: Color; position: Position;
  reminders: Counts }
export interface NewList { title: Title; color?: ColorInput; uid?: UIDInput }
export interface ListPatch { title?: Title; color?: ColorInput; id?: ID; uid?: UIDInput; position?:
  Position; reminders?: Counts }
export interface Reminder { id: ID; uid: UID; listID: ID; parentID: ParentID; title: Title; notes:
  Notes; startDate: DueDate; dueDate: DueDate; timeZone: TimeZoneName; recurrence: Recurrence;
  priority: Priority; isFlagged: boolean; status: ReminderStatus; completedAt: CompletedAt;
  position: Position; tags: TagTitle[]; alarms: AlarmSummaries; subtasks: SubtaskCounts; createdAt:
  Instant; updatedAt: Instant }
export interface NewReminder { listID?: ID; parentID?: ParentID; title: Title; notes?: Notes;
  startDate?: DueDateInput; dueDate?: DueDateInput; timeZone?: TimeZoneName; recurrence?:
  RecurrenceInput; priority?: Priority; isFlagged?: boolean; status?: ReminderStatus; tags?:
  TagTitles; alarms?: AlarmInputs; uid?: UIDInput }
export interface NewReminderInList { listID?: ID; parentID?: ParentID; title: Title; notes?: Notes;
  startDate?: DueDateInput; dueDate?: DueDateInput; timeZone?: TimeZoneName; recurrence?:
  RecurrenceInput; priority?: Priority; isFlagged?: boolean; status?: ReminderStatus; tags?:
  TagTitles; alarms?: AlarmInputs; uid?: UIDInput }
export interface ReminderPatch { listID?: ID; parentID?: ParentID; title?: Title; notes?: Notes;
  startDate?: DueDateInput; dueDate?: DueDateInput; timeZone?: TimeZoneName; recurrence?:
  RecurrenceInput; priority?: Priority; isFlagged?: boolean; status?: ReminderStatus; tags?:
  TagTitles; alarms?: AlarmInputs; id?: ID; uid?: UIDInput; completedAt?: InstantInput | null;
  subtasks?: SubtaskCounts; position?: Position; createdAt?: InstantInput; updatedAt?: InstantInput
  }
export interface ReminderTag { title: TagTitle; reminders: number }
export interface NewTag { title: TagTitle }
export interface TagPatch { title?: TagTitle; reminders?: number }
export interface NewOrder { ids: ID[] }
export interface Highlights { title: string; notes: string; tags: string }
export interface SearchResult { id: ID; uid: UID; listID: ID; parentID: ParentID; title: Title;
  notes: Notes; startDate: DueDate; dueDate: DueDate; timeZone: TimeZoneName; recurrence:
  Recurrence; priority: Priority; isFlagged: boolean; status: ReminderStatus; completedAt:
  CompletedAt; position: Position; tags: TagTitle[]; alarms: AlarmSummaries; subtasks:
  SubtaskCounts; createdAt: Instant; updatedAt: Instant; highlights: Highlights }
export type NextCursor = string | null
export type TotalCount = number
export interface ListPage { items: RemindersList[]; nextCursor: NextCursor; total?: TotalCount }
export interface ReminderPage { items: Reminder[]; nextCursor: NextCursor; total?: TotalCount }
export interface TagPage { items: ReminderTag[]; nextCursor: NextCursor; total?: TotalCount }
export interface SearchPage { items: SearchResult[]; nextCursor: NextCursor; total?: TotalCount }
export interface Settings { defaultAlarm: DefaultAlarm; defaultDayAlarm: DefaultDayAlarm;
  defaultForCalendars: boolean; timeZone: string; applicationServerKey: ApplicationServerKey | null;
  sendsNothing: boolean; cannotSendSince: Instant | null; fixed: ("defaultAlarm" |
  "defaultDayAlarm")[] }
export interface SettingsPatch { defaultAlarm?: DefaultAlarm; defaultDayAlarm?: DefaultDayAlarm;
  defaultForCalendars?: boolean; timeZone?: string; applicationServerKey?: string | null;
  sendsNothing?: boolean; cannotSendSince?: string | null; fixed?: string[] }
export type DefaultAlarm = AlarmOffset | null
export type DefaultDayAlarm = AlarmOffset | null
export interface AlarmAnswerInput { token: string; do: "look" | "seen" | "done" | "stop" | "snooze";
  minutes?: number }
export interface AlarmAnswer { did: "done" | "stopped" | "snoozed" | "seen" | "nothing"; because:
  "answered" | "moved" | "completed" | "deleted" | null; until: Instant | null; reminder?:
  AnsweredReminder | null }
export interface AnsweredReminder { id: ID; title: Title; dueDate: DueDate; timeZone: TimeZoneName }
export interface Stats { all: number; open: number; today: number; overdue: number; scheduled:
  number; flagged: number; completed: number }
export interface HealthReport { status: "ok" }
export interface BatchRequest { operations: ({ name?: string; method: "POST" | "PUT" | "PATCH" |
  "DELETE"; path: string; ifMatch?: string; body?: unknown })[] }
export interface BatchResults { results: ({ name?: string; status: 200 | 201 | 204; location?:
  string; etag?: string; body?: Record<string, unknown> })[] }
export interface Delta { ops?: unknown[][]; set?: Record<string, unknown> }
export type NoData = Record<string, unknown>
export interface Goodbye { reason: string; retry: number }
export interface Problem { type: string; title: Title; status: number; detail?: string; instance?:
  string; operation?: number; cause?: string; causeStatus?: number; errors?: FieldError[] }
export interface FieldError { pointer?: string; parameter?: string; detail: string }
export type KeyScope = "read" | "write" | "admin"
export interface Caller { keyID: number | null; name: string | null; scope: KeyScope; lists: ID[] |
  null; expiresAt: Instant | null }
export interface Imported { lists: number; tags: number; reminders: number; completions: number;
  smartLists: number; notes: ({ uid: string | null; title: string; detail: string })[] }
export interface LiveSession { access: string; expiresAt: Instant }
