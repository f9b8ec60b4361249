#include "baseline.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
  long long id, list, priority, flagged, status;
  int has_priority;
  char *title, *notes, *due;
};

static char *copy(sqlite3_stmt *statement, int column) {
  const unsigned char *text = sqlite3_column_text(statement, column);
  if (!text) return NULL;
  int length = sqlite3_column_bytes(statement, column);
  char *result = malloc((size_t)length + 1);
  memcpy(result, text, (size_t)length + 1);
  return result;
}

long long baseline_structs(sqlite3_stmt *statement) {
  size_t count = 0, capacity = 0;
  struct row *rows = NULL;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    if (count == capacity) {
      capacity = capacity ? capacity * 2 : 16;
      rows = realloc(rows, capacity * sizeof *rows);
    }
    struct row *row = &rows[count++];
    row->id = sqlite3_column_int64(statement, 0);
    row->list = sqlite3_column_int64(statement, 1);
    row->title = copy(statement, 2);
    row->notes = copy(statement, 3);
    row->due = copy(statement, 4);
    row->has_priority = sqlite3_column_type(statement, 5) != SQLITE_NULL;
    row->priority = sqlite3_column_int64(statement, 5);
    row->flagged = sqlite3_column_int64(statement, 6);
    row->status = sqlite3_column_int64(statement, 7);
  }
  sqlite3_reset(statement);
  long long sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum += rows[i].id + rows[i].status;
    free(rows[i].title);
    free(rows[i].notes);
    free(rows[i].due);
  }
  free(rows);
  return sum;
}

struct buffer {
  char *bytes;
  size_t count, capacity;
};

static void reserve(struct buffer *b, size_t more) {
  if (b->count + more <= b->capacity) return;
  while (b->count + more > b->capacity) b->capacity = b->capacity ? b->capacity * 2 : 4096;
  b->bytes = realloc(b->bytes, b->capacity);
}

static void append(struct buffer *b, const char *text, size_t length) {
  reserve(b, length);
  memcpy(b->bytes + b->count, text, length);
  b->count += length;
}

static void append_int(struct buffer *b, long long value) {
  char digits[24];
  char *end = digits + sizeof digits, *p = end;
  unsigned long long rest = value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
  do *--p = (char)('0' + rest % 10); while (rest /= 10);
  if (value < 0) *--p = '-';
  append(b, p, (size_t)(end - p));
}

static void append_string(struct buffer *b, const unsigned char *text, size_t length) {
  reserve(b, length * 6 + 2);
  char *out = b->bytes + b->count;
  *out++ = '"';
  for (size_t i = 0; i < length; i++) {
    unsigned char c = text[i];
    if (c >= 0x20 && c != '"' && c != '\\') {
      *out++ = (char)c;
    } else if (c == '\n') {
      *out++ = '\\';
      *out++ = 'n';
    } else if (c == '"' || c == '\\') {
      *out++ = '\\';
      *out++ = (char)c;
    } else {
      out += sprintf(out, "\\u%04x", c);
    }
  }
  *out++ = '"';
  b->count = (size_t)(out - b->bytes);
}

#define KEY(text) append(&b, text, sizeof text - 1)

static void append_text(struct buffer *b, sqlite3_stmt *statement, int column) {
  const unsigned char *text = sqlite3_column_text(statement, column);
  if (!text) {
    append(b, "null", 4);
    return;
  }
  append_string(b, text, (size_t)sqlite3_column_bytes(statement, column));
}

size_t baseline_json(sqlite3_stmt *statement) {
  struct buffer b = {0};
  KEY("[");
  while (sqlite3_step(statement) == SQLITE_ROW) {
    if (b.count > 1) KEY(",");
    KEY("{\"id\":");
    append_int(&b, sqlite3_column_int64(statement, 0));
    KEY(",\"listID\":");
    append_int(&b, sqlite3_column_int64(statement, 1));
    KEY(",\"title\":");
    append_text(&b, statement, 2);
    KEY(",\"notes\":");
    append_text(&b, statement, 3);
    KEY(",\"due\":");
    append_text(&b, statement, 4);
    KEY(",\"priority\":");
    if (sqlite3_column_type(statement, 5) == SQLITE_NULL) {
      KEY("null");
    } else {
      append_int(&b, sqlite3_column_int64(statement, 5));
    }
    if (sqlite3_column_int64(statement, 6)) {
      KEY(",\"isFlagged\":true");
    } else {
      KEY(",\"isFlagged\":false");
    }
    KEY(",\"status\":");
    append_int(&b, sqlite3_column_int64(statement, 7));
    KEY("}");
  }
  KEY("]");
  sqlite3_reset(statement);
  size_t count = b.count;
  free(b.bytes);
  return count;
}

long long baseline_by_id(sqlite3_stmt *statement, int count) {
  long long sum = 0;
  for (int id = 1; id <= count; id++) {
    sqlite3_bind_int64(statement, 1, id);
    if (sqlite3_step(statement) == SQLITE_ROW) {
      char *title = copy(statement, 2), *notes = copy(statement, 3), *due = copy(statement, 4);
      sum += sqlite3_column_int64(statement, 0) + sqlite3_column_int64(statement, 7);
      free(title);
      free(notes);
      free(due);
    }
    sqlite3_reset(statement);
  }
  return sum;
}
