// Imports crypt(3) of libxcrypt, which hashes the secrets of API keys
// (https://manpages.debian.org/crypt.5).
#include <crypt.h>
