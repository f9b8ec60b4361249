// The same work as the query builder's, on SQLite's API alone: what a careful C program would do.
#pragma once
#include <sqlite3.h>
#include <stddef.h>

// Reads all rows into structs of their own, texts copied; gives a checksum.
long long baseline_structs(sqlite3_stmt *statement);
// Writes all rows as a JSON array of objects; gives the number of bytes.
size_t baseline_json(sqlite3_stmt *statement);
// Finds `count` rows by their key, one statement bound and reset each time; gives a checksum.
long long baseline_by_id(sqlite3_stmt *statement, int count);
