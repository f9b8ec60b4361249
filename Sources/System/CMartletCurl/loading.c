#include "loading.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char failure[256];

const char *library_failure(void) { return failure; }

bool library_open(struct library *library, const char *name, const char *package) {
  library->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  library->name = name;
  library->package = package;
  if (library->handle != NULL) return true;
  const char *reason = dlerror();
  // The reason names the library; a missing one is the usual case.
  if (reason != NULL && strstr(reason, "No such file") == NULL) {
    snprintf(failure, sizeof failure, "%s cannot be loaded: %s", name, reason);
  } else {
    snprintf(
        failure, sizeof failure, "%s is missing; install the Debian package %s", name, package);
  }
  return false;
}

bool library_find(const struct library *library, const char *name, void *place) {
  void *symbol = dlsym(library->handle, name);
  if (symbol == NULL) {
    snprintf(
        failure, sizeof failure, "%s is missing in %s; the Debian package %s has it", name,
        library->name, library->package);
    return false;
  }
  memcpy(place, &symbol, sizeof symbol);
  return true;
}
