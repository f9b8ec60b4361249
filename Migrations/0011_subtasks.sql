-- Subtasks: reminders with a parent.
--
-- parentID: the reminder that this one is a part of. It is not a foreign key: triggers delete a subtree with its parent,
-- in one statement, also where foreign keys are off. allSubtasks and openSubtasks: how many reminders have this one as
-- their parent, and how many of them are not completed. Triggers keep them.

ALTER TABLE reminders ADD COLUMN parentID INTEGER;
ALTER TABLE reminders ADD COLUMN allSubtasks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE reminders ADD COLUMN openSubtasks INTEGER NOT NULL DEFAULT 0;

CREATE INDEX reminders_parent ON reminders (parentID, status) WHERE parentID IS NOT NULL;

-- causeID: the completion of the parent that completed this one as well. subtasks: a JSON array of the subtasks that
-- were completed when a reminder moved on to its next occurrence, and are open since.
ALTER TABLE completions ADD COLUMN causeID INTEGER;
ALTER TABLE completions ADD COLUMN subtasks TEXT;

CREATE INDEX completions_cause ON completions (causeID) WHERE causeID IS NOT NULL;

-- parentID: the parent that a deleted reminder had.
ALTER TABLE trash ADD COLUMN parentID INTEGER;

-- The reminder that a statement is about to replace, which runs no delete trigger, and its parent. The trigger after
-- the statement counts the parent's subtasks again, and makes the reminder's own subtasks reminders without a parent.
CREATE TABLE replacedReminders (reminderID INTEGER PRIMARY KEY, parentID INTEGER) STRICT;
