-- What a calendar file said of a reminder that the service has no place for, as content lines (RFC 5545): kept so
-- that it goes out again as it came in.

CREATE TABLE calendarLines (
  reminderID INTEGER PRIMARY KEY REFERENCES reminders (id) ON DELETE CASCADE,
  lines TEXT NOT NULL
) STRICT;
