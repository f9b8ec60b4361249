// The minimal server that Martlet is compared with: the same responses by epoll, SQLite's C API and
// hand-written JSON. It serves a database created by martlet, so rows, indexes, search and triggers
// are the same, and a new reminder that is due at a time gets its default alarm. One thread handles
// requests and reads. The other commits writes in groups, each write in its own savepoint. A page
// requested as an event stream is read again after each commit and sent to all its subscribers.
//
//     limit PORT DATABASE
//
// Not for production: it assumes that clients do not pipeline and send each request in one piece.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "json.h"

static void check(int code, sqlite3 *db, const char *what) {
  if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
  fprintf(stderr, "limit: %s: %s\n", what, sqlite3_errmsg(db));
  exit(1);
}

static sqlite3 *open_database(const char *path) {
  sqlite3 *db;
  check(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL), NULL, path);
  check(sqlite3_exec(db, "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA secure_delete=OFF", 0, 0, 0), db, path);
  sqlite3_busy_timeout(db, 5000);
  return db;
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
  sqlite3_stmt *statement;
  check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL), db, sql);
  return statement;
}

// MARK: Connections

struct Client {
  int descriptor;
  size_t count;
  // For a stream: its query, its index there, the newest version sent, and the unsent rest of it.
  struct Query *query;
  size_t place;
  uint64_t version;
  struct Text rest;
  // The buffer for a request; NULL for a stream.
  char *request;
  struct Client *next;
};

enum { REQUEST_SIZE = 16384, UID_SIZE = 36, DAY_SIZE = 10 };

static void respond(int descriptor, const char *status, const struct Text *body) {
  static __thread struct Text answer;
  answer.count = 0;
  char *start = room(&answer, 256 + body->count);
  answer.count = sprintf(
    start, "HTTP/1.1 %s\r\nContent-Length: %zu\r\nContent-Type: application/json\r\n\r\n", status, body->count);
  append(&answer, body->bytes, body->count);
  if (send(descriptor, answer.bytes, answer.count, MSG_NOSIGNAL) < 0) return;
}

// MARK: Writes

struct Write {
  int descriptor;
  // A write creates a reminder in `list`, or changes the title of `id`.
  int64_t list, id;
  char title[1024];
  // The due date as it is stored; empty without one.
  char due[32];
  struct Text answer;
  struct Write *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t comes = PTHREAD_COND_INITIALIZER;
static struct Write *waiting, **last = &waiting;
static int committed;

#define NOW "strftime('%Y-%m-%d %H:%M:%f', 'now')"

// A random UUID (RFC 9562, version 4).
static void make_uid(char *uid) {
  static const char digits[] = "0123456789abcdef";
  unsigned char bytes[16];
  sqlite3_randomness(sizeof bytes, bytes);
  bytes[6] = 0x40 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  for (int place = 0; place < 16; place++) {
    if (place == 4 || place == 6 || place == 8 || place == 10) *uid++ = '-';
    *uid++ = digits[bytes[place] >> 4];
    *uid++ = digits[bytes[place] & 0x0f];
  }
}

static void run(sqlite3 *db, sqlite3_stmt *statement) {
  sqlite3_step(statement);
  check(sqlite3_reset(statement), db, sqlite3_sql(statement));
}

static void *write_all(void *path) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *begin = prepare(db, "BEGIN IMMEDIATE"), *commit = prepare(db, "COMMIT"),
               *save = prepare(db, "SAVEPOINT w"), *release = prepare(db, "RELEASE w"),
               // With all that a trigger would set afterwards, so each index gets one entry.
               *insert = prepare(
                 db, "INSERT INTO reminders (remindersListID, title, dueDate, uid, position, createdAt, updatedAt, "
                     "calendarVersion) VALUES (?1, ?2, ?3, ?4, (SELECT coalesce(min(max(position) + 65536, "
                     "9007199254740992), 0) FROM reminders WHERE remindersListID = ?1), " NOW ", " NOW ", NULL)"),
               // The default alarm of a reminder that is due at a time. A past one does not ring.
               *arm = prepare(
                 db, "INSERT INTO alarms (reminderID, anchor, offset, state, fireAt, isStale, armedFor) SELECT "
                     "id, 0, 'PT0S', iif(isPast, 4, 0), iif(isPast, NULL, due), 0, due FROM (SELECT ?1 AS id, ?2 AS due, "
                     "?2 <= strftime('%Y-%m-%d %H:%M:%f', 'now', '-1 minute') AS isPast)"),
               *update = prepare(db, "UPDATE reminders SET title = ?2 WHERE id = ?1"),
               *find = prepare(db, "SELECT " ITEM " FROM reminders WHERE id = ?");
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!waiting) pthread_cond_wait(&comes, &lock);
    struct Write *group = waiting;
    waiting = NULL;
    last = &waiting;
    pthread_mutex_unlock(&lock);
    run(db, begin);
    for (struct Write *write = group; write; write = write->next) {
      run(db, save);
      int64_t id = write->id;
      if (id) {
        sqlite3_bind_int64(update, 1, id);
        sqlite3_bind_text(update, 2, write->title, -1, SQLITE_STATIC);
        run(db, update);
      } else {
        char uid[UID_SIZE];
        make_uid(uid);
        bool is_due = *write->due;
        sqlite3_bind_int64(insert, 1, write->list);
        sqlite3_bind_text(insert, 2, write->title, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 3, is_due ? write->due : NULL, -1, SQLITE_STATIC);
        sqlite3_bind_text(insert, 4, uid, UID_SIZE, SQLITE_STATIC);
        run(db, insert);
        id = sqlite3_last_insert_rowid(db);
        if (is_due && write->due[DAY_SIZE]) {
          sqlite3_bind_int64(arm, 1, id);
          sqlite3_bind_text(arm, 2, write->due, -1, SQLITE_STATIC);
          run(db, arm);
        }
      }
      sqlite3_bind_int64(find, 1, id);
      check(sqlite3_step(find), db, "find");
      append_reminder(&write->answer, find);
      APPEND(&write->answer, "}");
      sqlite3_reset(find);
      run(db, release);
    }
    run(db, commit);
    while (group) {
      struct Write *write = group;
      group = write->next;
      respond(write->descriptor, write->id ? "200 OK" : "201 Created", &write->answer);
      free(write->answer.bytes);
      free(write);
    }
    eventfd_write(committed, 1);
  }
  return NULL;
}

// `POST /v1/reminders`, `PATCH /v1/reminders/7`
static void change(int descriptor, const char *path, const char *body) {
  struct Write *write = calloc(1, sizeof *write);
  const char *list = strstr(body, "\"listID\":"), *title = strstr(body, "\"title\":\"");
  if (!write || !title) abort();
  write->descriptor = descriptor;
  if (list) write->list = atoll(list + 9); else write->id = atoll(path + 14);
  sscanf(title + 9, "%1023[^\"]", write->title);
  // A day, or an instant in UTC without a fraction.
  char day[DAY_SIZE + 1], time[9];
  const char *due = strstr(body, "\"dueDate\":\"");
  int parts = due ? sscanf(due + 11, "%10[0-9-]T%8[0-9:]", day, time) : 0;
  if (parts == 1) strcpy(write->due, day);
  if (parts == 2) sprintf(write->due, "%s %s.000", day, time);
  pthread_mutex_lock(&lock);
  *last = write;
  last = &write->next;
  pthread_cond_signal(&comes);
  pthread_mutex_unlock(&lock);
}

// MARK: Reads

static sqlite3_stmt *by_id, *page, *search;

// `2/reminders?limit=50`
static void append_page(struct Text *body, const char *path) {
  const char *limit = strstr(path, "limit=");
  sqlite3_bind_int64(page, 1, atoll(path));
  sqlite3_bind_int64(page, 2, limit ? atoll(limit + 6) : 50);
  append_rows(body, page, false);
}

static void answer_read(int descriptor, const char *path) {
  static struct Text body;
  body.count = 0;
  if (!strncmp(path, "/livez ", 7)) {
    APPEND(&body, "{\"status\":\"ok\"}");
    return respond(descriptor, "200 OK", &body);
  }
  if (!strncmp(path, "/v1/reminders/", 14)) {
    sqlite3_bind_int64(by_id, 1, atoll(path + 14));
    bool is_there = sqlite3_step(by_id) == SQLITE_ROW;
    if (is_there) append_reminder(&body, by_id);
    APPEND(&body, "}");
    sqlite3_reset(by_id);
    return respond(descriptor, is_there ? "200 OK" : "404 Not Found", &body);
  }
  if (!strncmp(path, "/v1/search?q=", 13)) {
    char word[64] = "\"", *end = word + 1;
    for (const char *from = path + 13; *from > ' ' && *from != '&' && end < word + 60; from++) *end++ = *from;
    // The last word matches as a prefix, as in a search while typing.
    *end++ = '"';
    *end++ = '*';
    sqlite3_bind_text(search, 1, word, end - word, SQLITE_TRANSIENT);
    append_rows(&body, search, true);
  } else {
    append_page(&body, path + 10);
  }
  respond(descriptor, "200 OK", &body);
}

// MARK: Streams

// A query with subscribers.
struct Query {
  char path[128];
  struct Text event;
  uint64_t version;
  struct Client **clients;
  size_t count, capacity;
  struct Query *next;
};

static struct Query *queries;
static int loop;

// Runs the query and builds its event. The version changes only if the event does.
static void refresh(struct Query *query) {
  static struct Text made;
  made.count = 0;
  APPEND(&made, "event: result\ndata: ");
  append_page(&made, query->path);
  APPEND(&made, "\n\n");
  if (made.count == query->event.count && !memcmp(made.bytes, query->event.bytes, made.count)) return;
  struct Text before = query->event;
  query->event = made;
  query->version++;
  made = before;
}

static void leave(struct Client *client) {
  struct Query *query = client->query;
  if (!query) return;
  struct Client *moved = query->clients[--query->count];
  query->clients[client->place] = moved;
  moved->place = client->place;
}

// Clients to free after the current batch of epoll events, which may still refer to them.
static struct Client *dropped;

static void drop(struct Client *client) {
  leave(client);
  close(client->descriptor);
  client->descriptor = -1;
  client->next = dropped;
  dropped = client;
}

static void free_dropped(void) {
  while (dropped) {
    struct Client *client = dropped;
    dropped = client->next;
    free(client->rest.bytes);
    free(client->request);
    free(client);
  }
}

static void watch(struct Client *client, bool wants_room) {
  struct epoll_event event = {.events = EPOLLIN | (wants_room ? EPOLLOUT : 0), .data.ptr = client};
  epoll_ctl(loop, EPOLL_CTL_MOD, client->descriptor, &event);
}

// Sends an event. What the socket does not accept is queued in `rest`.
static bool push(struct Client *client, const struct Text *event) {
  ssize_t count = send(client->descriptor, event->bytes, event->count, MSG_NOSIGNAL);
  if (count < 0 && errno != EAGAIN) return drop(client), false;
  if (count < 0) count = 0;
  if ((size_t)count == event->count) return true;
  append(&client->rest, event->bytes + count, event->count - count);
  watch(client, true);
  return true;
}

static void push_newest(struct Client *client) {
  client->version = client->query->version;
  push(client, &client->query->event);
}

static void push_rest(struct Client *client) {
  struct Text rest = client->rest;
  client->rest = (struct Text){0};
  bool is_there = push(client, &rest);
  free(rest.bytes);
  if (!is_there || client->rest.count) return;
  watch(client, false);
  if (client->version != client->query->version) push_newest(client);
}

static void follow(struct Client *client, const char *path) {
  size_t count = strcspn(path, " ");
  struct Query *query = queries;
  while (query && (strlen(query->path) != count || memcmp(query->path, path, count))) query = query->next;
  if (!query) {
    query = calloc(1, sizeof *query);
    if (!query || count >= sizeof query->path) abort();
    memcpy(query->path, path, count);
    query->next = queries;
    queries = query;
  }
  // Without subscribers the query was not kept up to date.
  if (!query->count) refresh(query);
  if (query->count == query->capacity) {
    query->capacity = query->capacity * 2 + 64;
    query->clients = realloc(query->clients, query->capacity * sizeof *query->clients);
    if (!query->clients) abort();
  }
  client->query = query;
  client->place = query->count;
  query->clients[query->count++] = client;
  struct Text head = {0};
  APPEND(&head, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n");
  client->version = query->version;
  append(&head, query->event.bytes, query->event.count);
  free(client->request);
  client->request = NULL;
  push(client, &head);
  free(head.bytes);
}

static void publish(void) {
  for (struct Query *query = queries; query; query = query->next) {
    if (!query->count) continue;
    uint64_t before = query->version;
    refresh(query);
    if (query->version == before) continue;
    // Iterates backwards: a dropped client is replaced by the last one, which has already been
    // served.
    for (size_t place = query->count; place-- > 0;)
      if (!query->clients[place]->rest.count) push_newest(query->clients[place]);
  }
}

// Reads from a client and handles the request once it is complete.
static void read_from(struct Client *client) {
  static char unread[REQUEST_SIZE];
  char *place = client->query ? unread : client->request + client->count;
  ssize_t count = recv(client->descriptor, place, REQUEST_SIZE - 1 - client->count, 0);
  if (count <= 0) return drop(client);
  if (client->query) return;
  client->count += count;
  client->request[client->count] = 0;
  char *end = memmem(client->request, client->count, "\r\n\r\n", 4);
  if (!end) return;
  if (client->request[0] == 'G' && memmem(client->request, client->count, "text/event-stream", 17))
    return follow(client, client->request + 4 + 10);
  if (client->request[0] == 'G') {
    answer_read(client->descriptor, client->request + 4);
  } else {
    char *length = strcasestr(client->request, "content-length:");
    if (!length || client->count < (size_t)(end + 4 - client->request) + strtoul(length + 15, NULL, 10)) return;
    change(client->descriptor, strchr(client->request, '/'), end + 4);
  }
  client->count = 0;
}

int main(int count, char **arguments) {
  if (count != 3) return fprintf(stderr, "usage: limit PORT DATABASE\n"), 2;
  sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  sqlite3_config(SQLITE_CONFIG_STMTJRNL_SPILL, 4 << 20);
  sqlite3 *db = open_database(arguments[2]);
  by_id = prepare(db, "SELECT " ITEM " FROM reminders WHERE id = ?");
  page = prepare(db, "SELECT " ITEM " FROM reminders WHERE remindersListID = ? ORDER BY position, id LIMIT ?");
#define MARKED(column) "highlight(reminderTexts, " column ", CAST(x'f8' AS TEXT), CAST(x'f9' AS TEXT))"
  search = prepare(
    db, "SELECT " ITEM ", " MARKED("0") ", " MARKED("1") ", " MARKED("2") " FROM reminderTexts JOIN reminders ON reminderTexts.rowid = reminders.id "
        "WHERE reminderTexts MATCH ? AND rank MATCH 'bm25(4, 1, 2)' ORDER BY rank LIMIT 20");
  committed = eventfd(0, EFD_NONBLOCK);
  pthread_t writer;
  pthread_create(&writer, NULL, write_all, arguments[2]);

  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), one = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(arguments[1])),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 1024)) {
    perror("limit");
    return 1;
  }
  loop = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(loop, EPOLL_CTL_ADD, listener, &event);
  event.data.ptr = &committed;
  epoll_ctl(loop, EPOLL_CTL_ADD, committed, &event);
  printf("listening on http://127.0.0.1:%s\n", arguments[1]);
  fflush(stdout);
  struct epoll_event events[256];
  for (;;) {
    free_dropped();
    int happened = epoll_wait(loop, events, 256, -1);
    for (int place = 0; place < happened; place++) {
      if (events[place].data.ptr == &committed) {
        eventfd_t commits;
        if (!eventfd_read(committed, &commits)) publish();
        continue;
      }
      struct Client *ready = events[place].data.ptr;
      if (ready) {
        if (ready->descriptor < 0) continue;
        if (events[place].events & EPOLLOUT) push_rest(ready); else read_from(ready);
        continue;
      }
      int descriptor;
      while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct Client *client = malloc(sizeof *client);
        if (!client) abort();
        *client = (struct Client){.descriptor = descriptor, .request = malloc(REQUEST_SIZE)};
        if (!client->request) abort();
        event.data.ptr = client;
        epoll_ctl(loop, EPOLL_CTL_ADD, descriptor, &event);
      }
    }
  }
}
