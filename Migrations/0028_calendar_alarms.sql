-- settings.defaultForCalendars: whether a to-do that a calendar program writes without an alarm gets the default one.
ALTER TABLE settings ADD COLUMN defaultForCalendars INTEGER NOT NULL DEFAULT 1
  CHECK (defaultForCalendars BETWEEN 0 AND 1);
