// libsqlite3.

// Debian compiles the preupdate hook into its library, but the header declares it only on request
// (https://sqlite.org/c3ref/preupdate_blobwrite.html).
#ifndef SQLITE_ENABLE_PREUPDATE_HOOK
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif
#include <sqlite3.h>

// `sqlite3_config` and `sqlite3_db_config` are variadic, and Swift cannot call variadic C functions
// (https://sqlite.org/c3ref/config.html, https://sqlite.org/c3ref/db_config.html).
static inline int sqlite3_config_number(int option, int value) { return sqlite3_config(option, value); }
static inline int sqlite3_db_config_flag(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}
