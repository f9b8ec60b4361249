// The preupdate hook is compiled into Debian's library, its declarations only appear when asked for
// (https://sqlite.org/c3ref/preupdate_blobwrite.html).
#ifndef SQLITE_ENABLE_PREUPDATE_HOOK
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#endif
#include <sqlite3.h>
