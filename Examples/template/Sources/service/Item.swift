import Martlet

/// A row of the table `items`.
@Table struct Item {
  let id: Int
  var name: String
}

enum Schema {
  /// Migrations run once and in order. Append one for each change; never edit one that has run.
  static var migrator: Migrator {
    var migrator = Migrator()
    migrator.registerMigration("items") { db in
      try db.execute(
        """
        CREATE TABLE items (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          name TEXT NOT NULL UNIQUE
        ) STRICT;
        """)
    }
    return migrator
  }
}
