// Writes reminders as JSON.
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The columns that `append_reminder` reads.
#define ITEM                                                                                                       \
  "reminders.id, remindersListID, reminders.title, reminders.notes, dueDate, priority, isFlagged, status, position, " \
  "(SELECT json_group_array(tagID) FROM remindersTags WHERE reminderID = reminders.id), createdAt, updatedAt, " \
  "reminders.uid"

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

// `2026-11-20 15:36:00.000` → `"2026-11-20T15:36:00.000Z"`; a date without a time stays as it is.
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

// Appends a reminder without the closing brace.
static void append_reminder(struct Text *text, sqlite3_stmt *row) {
  APPEND(text, "{\"id\":");
  append_number(text, sqlite3_column_int64(row, 0));
  APPEND(text, ",\"uid\":");
  append_column(text, row, 12);
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

// Appends a page of reminders or of search results.
static void append_rows(struct Text *body, sqlite3_stmt *rows, bool is_search) {
  APPEND(body, "{\"items\":[");
  bool is_first = true;
  while (sqlite3_step(rows) == SQLITE_ROW) {
    if (!is_first) APPEND(body, ",");
    is_first = false;
    append_reminder(body, rows);
    if (is_search) {
      APPEND(body, ",\"highlights\":{\"title\":");
      append_column(body, rows, 13);
      APPEND(body, ",\"notes\":");
      append_column(body, rows, 14);
      APPEND(body, ",\"tags\":");
      append_column(body, rows, 15);
      APPEND(body, "}");
    }
    APPEND(body, "}");
  }
  sqlite3_reset(rows);
  APPEND(body, "],\"nextCursor\":null}");
}
