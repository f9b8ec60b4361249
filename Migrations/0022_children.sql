-- The texts of calendar programs whose to-dos name their subtasks (RELTYPE=CHILD): a subtask may come later.
CREATE INDEX calendarObjects_children ON calendarObjects (reminderID) WHERE instr(upper(lines), 'CHILD') > 0;
