-- followsID: a reminder that another program has completed or opened again. The server still has to complete what is
-- below it, or to open the reminder of this completion again, which it had completed.
ALTER TABLE completions ADD COLUMN followsID INTEGER;
CREATE INDEX completions_following ON completions (id) WHERE followsID IS NOT NULL;
