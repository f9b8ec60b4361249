// Imports malloc's tuning and trimming functions, which Swift's Glibc module lacks.
#include <malloc.h>
