-- A database that ever had an API key stays closed when the rows of apiKeys are deleted, and the id of a key is
-- never given to another one. Triggers see to it.

CREATE TABLE apiKeyHistory (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  lastKeyID INTEGER NOT NULL
) STRICT;

INSERT INTO apiKeyHistory (id, lastKeyID) SELECT 1, max(id) FROM apiKeys HAVING count(*) > 0;
