#ifndef CASSETS_H
#define CASSETS_H

#include <stddef.h>

/// A file that is part of the program.
typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} CAsset;

/// All of them; the last one's name is NULL.
extern const CAsset *const cassets;

#endif
