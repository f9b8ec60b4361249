// What Swift's Glibc module leaves out: how malloc gets its memory, and gives it back.
#include <malloc.h>
