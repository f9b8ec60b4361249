// The preupdate hook is compiled into Debian's library, its declarations only appear when asked for
// (https://sqlite.org/c3ref/preupdate_blobwrite.html).
#ifndef SQLITE_ENABLE_PREUPDATE_HOOK
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif
#include <sqlite3.h>

// `sqlite3_config` takes what it is given by its first argument; Swift calls no such functions
// (https://sqlite.org/c3ref/config.html).
static inline int sqlite3_config_number(int option, int value) { return sqlite3_config(option, value); }
