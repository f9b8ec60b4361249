// libdqlite, loaded at run time. The functions are the same from version 1.11.1 on
// (https://dqlite.io/docs). A build needs neither the library nor its headers.
#ifndef CMARTLET_DQLITE_H
#define CMARTLET_DQLITE_H

#include <stdbool.h>
#include <stdint.h>

// Loads the library. Returns NULL, or why that is not possible. Not thread safe.
const char *cdqlite_load(const char *name);

// The version, as in 11101 for 1.11.1; 11000 for 1.11.1 itself.
int cdqlite_version(void);

// An ID for a node, which contains its address and the time.
uint64_t cdqlite_generate_id(const char *address);

// Starts a node with its files in a folder, on threads of its own, until the process ends. The
// address is numeric IPv4 and port. From then on `exit` ends the process without the destructors of
// libraries, and without the handlers that were registered before.  `latency` is in milliseconds.
// Returns false and sets `failure`, which is valid until the next call.
bool cdqlite_start(
    uint64_t id, const char *address, const char *folder, unsigned latency,
    unsigned snapshot_threshold, unsigned snapshot_trailing, const char **failure);

#endif
