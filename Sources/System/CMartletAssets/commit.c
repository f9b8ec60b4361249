// The commit that the program was built from. A build does not know it, so that a commit does not
// build everything anew: scripts/package and the Dockerfile fill in the section of the program.
#include "CMartletAssets.h"

__attribute__((section("martlet_commit"), used)) static const volatile char commit[41] = "";

const char *ccommit(void) { return (const char *)commit; }
