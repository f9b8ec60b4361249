// The workloads of query-bench written against SQLite's C API, as a careful C program would do
// them.
#pragma once
#include <sqlite3.h>
#include <stddef.h>

// Reads every row into a struct with copied strings. Returns a checksum.
long long baseline_structs(sqlite3_stmt *statement);
// Writes every row as an object of one JSON array. Returns the number of bytes.
size_t baseline_json(sqlite3_stmt *statement);
// Finds `count` rows by key, rebinding and resetting one statement. Returns a checksum.
long long baseline_by_id(sqlite3_stmt *statement, int count);
