-- armedFor: the first moment that an alarm was armed for. While it stays the same, a change of the reminder does not arm
-- the alarm again: one that rings, is snoozed or was acknowledged stays so.
ALTER TABLE alarms ADD COLUMN armedFor TEXT;
