-- When a channel sends alarms. channels.after: how long after an alarm began to ring, as an ISO 8601 duration, NULL: at
-- once. What was answered until then is not sent. quiet: the hours in which it is silent or waits, as a JSON object.
ALTER TABLE channels ADD COLUMN after TEXT;
ALTER TABLE channels ADD COLUMN quiet TEXT
  CONSTRAINT "martlet: the quiet hours of a channel are a JSON object" CHECK (json_type(quiet) IS 'object' OR quiet IS NULL);
