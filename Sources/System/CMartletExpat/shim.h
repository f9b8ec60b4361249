// libexpat, to parse XML.
#include <expat.h>
