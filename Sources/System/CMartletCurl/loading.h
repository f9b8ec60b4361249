// Libraries that are loaded at run time; only for the files of this module.

#ifndef LOADING_H
#define LOADING_H

#include <stdbool.h>

// A library, the name with which it was loaded, and the Debian package that has it.
struct library {
  void *handle;
  const char *name;
  const char *package;
};

// Why the last call has failed.
const char *library_failure(void);

// Loads a library. Returns false if that is not possible.
bool library_open(struct library *library, const char *name, const char *package);

// Finds a function. The type of the place is that of the function in the library's documentation.
bool library_find(const struct library *library, const char *name, void *place);

// Finds the functions of libcrypto.
bool crypto_find(const struct library *library);

#endif
