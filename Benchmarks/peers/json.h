// Writes reminders as JSON.
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSTANT(column) "replace(" column ", ' ', 'T') || 'Z'"

// The columns that `append_reminder` reads, in the order of `enum Column`.
#define ITEM                                                                                                     \
  "reminders.id, reminders.uid, remindersListID, parentID, reminders.title, reminders.notes, startDate, dueDate, " \
  "timeZone, recurrenceRule, recurrenceBasis, recurrenceStart, recurrenceExcluded, priority, isFlagged, status, "  \
  "completedAt, position, (SELECT json_group_array(tagID) FROM remindersTags WHERE reminderID = reminders.id), "   \
  "CASE WHEN alarmCount > 0 THEN (SELECT json_group_array(json_object('id', alarms.id, 'at', " INSTANT("at") ", "  \
  "'offset', offset, 'from', CASE anchor WHEN 0 THEN 'due' WHEN 1 THEN 'start' END, "                              \
  "'repeat', json(CASE WHEN repeatEvery IS NOT NULL "                                                              \
  "THEN json_object('every', repeatEvery, 'times', repeatTimes) END), "                                            \
  "'snoozedUntil', " INSTANT("snoozedUntil") ", 'acknowledgedAt', " INSTANT("acknowledgedAt") ")) "                \
  "FROM alarms WHERE reminderID = reminders.id) ELSE '[]' END, "                                                   \
  "openSubtasks, allSubtasks, createdAt, updatedAt"

enum Column {
  ID, UID, LIST, PARENT, TITLE, NOTES, START_DATE, DUE_DATE,
  TIME_ZONE, RULE, BASIS, SERIES_START, EXCLUDED, PRIORITY, IS_FLAGGED, STATUS,
  COMPLETED_AT, POSITION, TAGS, ALARMS,
  OPEN_SUBTASKS, ALL_SUBTASKS, CREATED_AT, UPDATED_AT,
  // The columns that a search adds.
  MARKED_TITLE, MARKED_NOTES, MARKED_TAGS
};

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

static void append_integer(struct Text *text, sqlite3_stmt *row, int column) {
  if (sqlite3_column_type(row, column) == SQLITE_NULL) return APPEND(text, "null");
  append_number(text, sqlite3_column_int64(row, column));
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
      static const char letters[0x20] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
      to += letters[byte] ? sprintf(to, "\\%c", letters[byte]) : sprintf(to, "\\u%04x", byte);
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

// A text with matches between the bytes F8 and F9, which UTF-8 does not contain, as safe HTML.
static void append_marked(struct Text *text, sqlite3_stmt *row, int column) {
  static struct Text html;
  const unsigned char *bytes = sqlite3_column_text(row, column);
  int count = sqlite3_column_bytes(row, column);
  html.count = 0;
  for (int place = 0; place < count; place++) {
    switch (bytes[place]) {
    case 0xf8: APPEND(&html, "<mark>"); break;
    case 0xf9: APPEND(&html, "</mark>"); break;
    case '&': APPEND(&html, "&amp;"); break;
    case '<': APPEND(&html, "&lt;"); break;
    case '>': APPEND(&html, "&gt;"); break;
    case '"': APPEND(&html, "&quot;"); break;
    case '\'': APPEND(&html, "&#39;"); break;
    default: append(&html, bytes + place, 1);
    }
  }
  append_string(text, (unsigned char *)html.bytes, html.count);
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

// A JSON array that the database stores as text.
static void append_array(struct Text *text, sqlite3_stmt *row, int column) {
  if (sqlite3_column_type(row, column) == SQLITE_NULL) return APPEND(text, "[]");
  const unsigned char *bytes = sqlite3_column_text(row, column);
  append(text, bytes, sqlite3_column_bytes(row, column));
}

static const char *const priorities[] = {"none", "low", "medium", "high"};
static const char *const statuses[] = {"incomplete", "completed", "completing"};
static const char *const bases[] = {"due", "each", "completion"};

// A series without a start begins on the due date.
static void append_recurrence(struct Text *text, sqlite3_stmt *row) {
  if (sqlite3_column_type(row, RULE) == SQLITE_NULL) return APPEND(text, "null");
  APPEND(text, "{\"rule\":");
  append_column(text, row, RULE);
  APPEND(text, ",\"basis\":");
  append_label(text, row, BASIS, bases);
  APPEND(text, ",\"start\":");
  append_time(text, row, sqlite3_column_type(row, SERIES_START) == SQLITE_NULL ? DUE_DATE : SERIES_START);
  APPEND(text, ",\"excluded\":");
  append_array(text, row, EXCLUDED);
  APPEND(text, "}");
}

// Appends a reminder without the closing brace.
static void append_reminder(struct Text *text, sqlite3_stmt *row) {
  APPEND(text, "{\"id\":");
  append_number(text, sqlite3_column_int64(row, ID));
  APPEND(text, ",\"uid\":");
  append_column(text, row, UID);
  APPEND(text, ",\"listID\":");
  append_number(text, sqlite3_column_int64(row, LIST));
  APPEND(text, ",\"parentID\":");
  append_integer(text, row, PARENT);
  APPEND(text, ",\"title\":");
  append_column(text, row, TITLE);
  APPEND(text, ",\"notes\":");
  append_column(text, row, NOTES);
  APPEND(text, ",\"startDate\":");
  append_time(text, row, START_DATE);
  APPEND(text, ",\"dueDate\":");
  append_time(text, row, DUE_DATE);
  APPEND(text, ",\"timeZone\":");
  append_column(text, row, TIME_ZONE);
  APPEND(text, ",\"recurrence\":");
  append_recurrence(text, row);
  APPEND(text, ",\"priority\":");
  append_label(text, row, PRIORITY, priorities);
  APPEND(text, ",\"isFlagged\":");
  if (sqlite3_column_int(row, IS_FLAGGED)) APPEND(text, "true"); else APPEND(text, "false");
  APPEND(text, ",\"status\":");
  append_label(text, row, STATUS, statuses);
  APPEND(text, ",\"completedAt\":");
  append_time(text, row, COMPLETED_AT);
  APPEND(text, ",\"position\":");
  append_number(text, sqlite3_column_int64(row, POSITION));
  APPEND(text, ",\"tags\":");
  append_array(text, row, TAGS);
  APPEND(text, ",\"alarms\":");
  append_array(text, row, ALARMS);
  APPEND(text, ",\"subtasks\":{\"open\":");
  append_number(text, sqlite3_column_int64(row, OPEN_SUBTASKS));
  APPEND(text, ",\"all\":");
  append_number(text, sqlite3_column_int64(row, ALL_SUBTASKS));
  APPEND(text, "},\"createdAt\":");
  append_time(text, row, CREATED_AT);
  APPEND(text, ",\"updatedAt\":");
  append_time(text, row, UPDATED_AT);
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
      append_marked(body, rows, MARKED_TITLE);
      APPEND(body, ",\"notes\":");
      append_marked(body, rows, MARKED_NOTES);
      APPEND(body, ",\"tags\":");
      append_marked(body, rows, MARKED_TAGS);
      APPEND(body, "}");
    }
    APPEND(body, "}");
  }
  sqlite3_reset(rows);
  APPEND(body, "],\"nextCursor\":null}");
}
