// What the machine allows: the service's answers by epoll, the plain C API of SQLite and JSON made by hand. It reads a
// database that martlet has made, so rows, indexes, search and triggers are the same. One thread reads requests and
// answers reads, one writes: all writes that wait share a commit, each in a savepoint of its own.
//
//     limit PORT DATABASE
//
// No product: it trusts its clients, who pipeline nothing and send a request in one piece.
#define _GNU_SOURCE
#include <arpa/inet.h>
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

#define ITEM                                                                                                       \
  "reminders.id, remindersListID, reminders.title, reminders.notes, dueDate, priority, isFlagged, status, position, " \
  "(SELECT json_group_array(tagID) FROM remindersTags WHERE reminderID = reminders.id), createdAt, updatedAt"

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

// MARK: JSON

struct Text {
  char *bytes;
  size_t count, capacity;
};

static char *room(struct Text *text, size_t more) {
  if (text->count + more > text->capacity) {
    text->capacity = (text->count + more) * 2;
    text->bytes = realloc(text->bytes, text->capacity);
    if (!text->bytes) abort();
  }
  return text->bytes + text->count;
}

static void append(struct Text *text, const void *bytes, size_t count) {
  memcpy(room(text, count), bytes, count);
  text->count += count;
}

#define APPEND(text, literal) append(text, literal, sizeof literal - 1)

static void append_number(struct Text *text, int64_t number) {
  text->count += snprintf(room(text, 24), 24, "%lld", (long long)number);
}

static void append_string(struct Text *text, const unsigned char *bytes, size_t count) {
  char *start = room(text, count * 6 + 2), *to = start;
  *to++ = '"';
  for (size_t place = 0; place < count; place++) {
    unsigned char byte = bytes[place];
    if (byte == '"' || byte == '\\') {
      *to++ = '\\';
      *to++ = byte;
    } else if (byte >= 0x20) {
      *to++ = byte;
    } else {
      to += sprintf(to, "\\u%04x", byte);
    }
  }
  *to++ = '"';
  text->count += to - start;
}

static void append_column(struct Text *text, sqlite3_stmt *row, int column) {
  if (sqlite3_column_type(row, column) == SQLITE_NULL) return APPEND(text, "null");
  const unsigned char *bytes = sqlite3_column_text(row, column);
  append_string(text, bytes, sqlite3_column_bytes(row, column));
}

// `2026-11-20 15:36:00.000` → `"2026-11-20T15:36:00.000Z"`; a bare date stays one.
static void append_time(struct Text *text, sqlite3_stmt *row, int column) {
  if (sqlite3_column_type(row, column) == SQLITE_NULL) return APPEND(text, "null");
  const unsigned char *bytes = sqlite3_column_text(row, column);
  int count = sqlite3_column_bytes(row, column);
  APPEND(text, "\"");
  append(text, bytes, count);
  if (count > 10) {
    text->bytes[text->count - count + 10] = 'T';
    APPEND(text, "Z");
  }
  APPEND(text, "\"");
}

static void append_label(struct Text *text, sqlite3_stmt *row, int column, const char *const labels[]) {
  if (sqlite3_column_type(row, column) == SQLITE_NULL) return APPEND(text, "null");
  const char *label = labels[sqlite3_column_int(row, column)];
  APPEND(text, "\"");
  append(text, label, strlen(label));
  APPEND(text, "\"");
}

static const char *const priorities[] = {"none", "low", "medium", "high"};
static const char *const statuses[] = {"incomplete", "completed", "completing"};

// Without its last brace.
static void append_reminder(struct Text *text, sqlite3_stmt *row) {
  APPEND(text, "{\"id\":");
  append_number(text, sqlite3_column_int64(row, 0));
  APPEND(text, ",\"listID\":");
  append_number(text, sqlite3_column_int64(row, 1));
  APPEND(text, ",\"title\":");
  append_column(text, row, 2);
  APPEND(text, ",\"notes\":");
  append_column(text, row, 3);
  APPEND(text, ",\"dueDate\":");
  append_time(text, row, 4);
  APPEND(text, ",\"priority\":");
  append_label(text, row, 5, priorities);
  APPEND(text, ",\"isFlagged\":");
  if (sqlite3_column_int(row, 6)) APPEND(text, "true"); else APPEND(text, "false");
  APPEND(text, ",\"status\":");
  append_label(text, row, 7, statuses);
  APPEND(text, ",\"position\":");
  append_number(text, sqlite3_column_int64(row, 8));
  APPEND(text, ",\"tags\":");
  append(text, sqlite3_column_text(row, 9), sqlite3_column_bytes(row, 9));
  APPEND(text, ",\"createdAt\":");
  append_time(text, row, 10);
  APPEND(text, ",\"updatedAt\":");
  append_time(text, row, 11);
}

// MARK: Connections

struct Client {
  int descriptor;
  size_t count;
  char request[16384];
};

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
  int64_t list;
  char title[1024];
  bool is_done;
  struct Text answer;
  struct Write *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t comes = PTHREAD_COND_INITIALIZER;
static struct Write *waiting, **last = &waiting;

static void *write_all(void *path) {
  sqlite3 *db = open_database(path);
  sqlite3_stmt *begin = prepare(db, "BEGIN IMMEDIATE"), *commit = prepare(db, "COMMIT"),
               *save = prepare(db, "SAVEPOINT w"), *release = prepare(db, "RELEASE w"),
               *insert = prepare(db, "INSERT INTO reminders (remindersListID, title) VALUES (?, ?)"),
               *find = prepare(db, "SELECT " ITEM " FROM reminders WHERE id = ?");
  sqlite3_stmt *const plain[] = {begin, commit, save, release};
#define RUN(number) (sqlite3_step(plain[number]), check(sqlite3_reset(plain[number]), db, sqlite3_sql(plain[number])))
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!waiting) pthread_cond_wait(&comes, &lock);
    struct Write *group = waiting;
    waiting = NULL;
    last = &waiting;
    pthread_mutex_unlock(&lock);
    RUN(0);
    for (struct Write *write = group; write; write = write->next) {
      RUN(2);
      sqlite3_bind_int64(insert, 1, write->list);
      sqlite3_bind_text(insert, 2, write->title, -1, SQLITE_STATIC);
      sqlite3_step(insert);
      check(sqlite3_reset(insert), db, "insert");
      sqlite3_bind_int64(find, 1, sqlite3_last_insert_rowid(db));
      check(sqlite3_step(find), db, "find");
      append_reminder(&write->answer, find);
      APPEND(&write->answer, "}");
      sqlite3_reset(find);
      RUN(3);
    }
    RUN(1);
    while (group) {
      struct Write *write = group;
      group = write->next;
      respond(write->descriptor, "201 Created", &write->answer);
      free(write->answer.bytes);
      free(write);
    }
  }
  return NULL;
}

static void create(int descriptor, const char *body) {
  struct Write *write = calloc(1, sizeof *write);
  const char *list = strstr(body, "\"listID\":"), *title = strstr(body, "\"title\":\"");
  if (!write || !list || !title) abort();
  write->descriptor = descriptor;
  write->list = atoll(list + 9);
  sscanf(title + 9, "%1023[^\"]", write->title);
  pthread_mutex_lock(&lock);
  *last = write;
  last = &write->next;
  pthread_cond_signal(&comes);
  pthread_mutex_unlock(&lock);
}

// MARK: Reads

static sqlite3_stmt *by_id, *page, *search;

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
  bool is_search = !strncmp(path, "/v1/search?q=", 13);
  sqlite3_stmt *rows = is_search ? search : page;
  if (is_search) {
    char word[64] = "\"", *end = word + 1;
    for (const char *from = path + 13; *from > ' ' && *from != '&' && end < word + 60; from++) *end++ = *from;
    // The last word is the beginning of one: whoever types is not done.
    *end++ = '"';
    *end++ = '*';
    sqlite3_bind_text(rows, 1, word, end - word, SQLITE_TRANSIENT);
  } else {
    sqlite3_bind_int64(rows, 1, atoll(path + 10));
  }
  APPEND(&body, "{\"items\":[");
  bool is_first = true;
  while (sqlite3_step(rows) == SQLITE_ROW) {
    if (!is_first) APPEND(&body, ",");
    is_first = false;
    append_reminder(&body, rows);
    if (is_search) {
      APPEND(&body, ",\"highlights\":{\"title\":");
      append_column(&body, rows, 12);
      APPEND(&body, ",\"notes\":");
      append_column(&body, rows, 13);
      APPEND(&body, ",\"tags\":");
      append_column(&body, rows, 14);
      APPEND(&body, "}");
    }
    APPEND(&body, "}");
  }
  sqlite3_reset(rows);
  APPEND(&body, "],\"nextCursor\":null}");
  respond(descriptor, "200 OK", &body);
}

// A whole request, or more of one.
static void read_from(struct Client *client) {
  ssize_t count = recv(client->descriptor, client->request + client->count, sizeof client->request - 1 - client->count, 0);
  if (count <= 0) {
    close(client->descriptor);
    free(client);
    return;
  }
  client->count += count;
  client->request[client->count] = 0;
  char *end = memmem(client->request, client->count, "\r\n\r\n", 4);
  if (!end) return;
  if (client->request[0] == 'G') {
    answer_read(client->descriptor, client->request + 4);
  } else {
    char *length = strcasestr(client->request, "content-length:");
    if (!length || client->count < (size_t)(end + 4 - client->request) + strtoul(length + 15, NULL, 10)) return;
    create(client->descriptor, end + 4);
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
  page = prepare(db, "SELECT " ITEM " FROM reminders WHERE remindersListID = ? ORDER BY position, id LIMIT 50");
  search = prepare(
    db, "SELECT " ITEM ", highlight(reminderTexts, 0, '<mark>', '</mark>'), highlight(reminderTexts, 1, '<mark>', '</mark>'), "
        "highlight(reminderTexts, 2, '<mark>', '</mark>') FROM reminderTexts JOIN reminders ON reminderTexts.rowid = reminders.id "
        "WHERE reminderTexts MATCH ? AND rank MATCH 'bm25(4, 1, 2)' ORDER BY rank LIMIT 20");
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
  int poll = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  printf("listening on http://127.0.0.1:%s\n", arguments[1]);
  fflush(stdout);
  struct epoll_event events[256];
  for (;;) {
    int ready = epoll_wait(poll, events, 256, -1);
    for (int place = 0; place < ready; place++) {
      if (events[place].data.ptr) {
        read_from(events[place].data.ptr);
        continue;
      }
      int descriptor;
      while ((descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        struct Client *client = malloc(sizeof *client);
        if (!client) abort();
        client->descriptor = descriptor;
        client->count = 0;
        event.data.ptr = client;
        epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event);
      }
    }
  }
}
