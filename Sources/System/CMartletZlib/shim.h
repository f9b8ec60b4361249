// zlib, to compress responses.
#include <zlib.h>
