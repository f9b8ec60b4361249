// Debian compiles the preupdate hook into its library, but the header declares it only on request
// (https://sqlite.org/c3ref/preupdate_blobwrite.html).
#ifndef SQLITE_ENABLE_PREUPDATE_HOOK
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif
#include <sqlite3.h>

// `sqlite3_config` is variadic, and Swift cannot call variadic C functions
// (https://sqlite.org/c3ref/config.html).
static inline int sqlite3_config_number(int option, int value) { return sqlite3_config(option, value); }
