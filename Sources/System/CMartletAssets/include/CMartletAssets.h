// The files that the program embeds.

#ifndef CASSETS_H
#define CASSETS_H

#include <stddef.h>

/// A file embedded in the program.
typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} CAsset;

/// The embedded files, terminated by an entry whose name is NULL.
extern const CAsset *const cassets;

/// The commit that the program was built from; empty without a package or image.
const char *ccommit(void);

#endif
