// libcurl and libcrypto, loaded at run time.

#ifndef CMARTLETCURL_H
#define CMARTLETCURL_H

// libcurl and libcrypto, loaded at run time. Nothing is linked, and no headers of theirs are needed
// for a build: the few types, numbers and prototypes below are part of libcurl's ABI, which has not
// changed since 2006 (https://curl.se/libcurl/abi.html), and of libcrypto 3's. Functions of libcurl
// are variadic, which Swift cannot call; these are typed.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Options of curl_easy_setopt (https://curl.se/libcurl/c/easy_setopt_options.html). The tests
// compare these numbers with the library's own table.
enum {
  CCURL_WRITEDATA = 10001,
  CCURL_URL = 10002,
  CCURL_PROXY = 10004,
  CCURL_READDATA = 10009,
  CCURL_ERRORBUFFER = 10010,
  CCURL_POSTFIELDS = 10015,
  CCURL_USERAGENT = 10018,
  CCURL_HTTPHEADER = 10023,
  CCURL_HEADERDATA = 10029,
  CCURL_CUSTOMREQUEST = 10036,
  CCURL_CAINFO = 10065,
  CCURL_OPENSOCKETDATA = 10164,
  CCURL_USERNAME = 10173,
  CCURL_PASSWORD = 10174,
  CCURL_NOPROXY = 10177,
  CCURL_MAIL_FROM = 10186,
  CCURL_MAIL_RCPT = 10187,
  CCURL_PROTOCOLS_STR = 10318,
  CCURL_WRITEFUNCTION = 20011,
  CCURL_READFUNCTION = 20012,
  CCURL_HEADERFUNCTION = 20079,
  CCURL_OPENSOCKETFUNCTION = 20163,
  CCURL_INFILESIZE = 14,
  CCURL_SSLVERSION = 32,
  CCURL_UPLOAD = 46,
  CCURL_POST = 47,
  CCURL_NETRC = 51,
  CCURL_FOLLOWLOCATION = 52,
  CCURL_POSTFIELDSIZE = 60,
  CCURL_SSL_VERIFYPEER = 64,
  CCURL_MAXCONNECTS = 71,
  CCURL_FRESH_CONNECT = 74,
  CCURL_FORBID_REUSE = 75,
  CCURL_HTTPGET = 80,
  CCURL_SSL_VERIFYHOST = 81,
  CCURL_HTTP_VERSION = 84,
  CCURL_NOSIGNAL = 99,
  CCURL_SERVER_RESPONSE_TIMEOUT = 112,
  CCURL_USE_SSL = 119,
  CCURL_TIMEOUT_MS = 155,
  CCURL_CONNECTTIMEOUT_MS = 156,
  CCURL_PROTOCOLS = 181,
  CCURL_DISALLOW_USERNAME_IN_URL = 278,
  CCURL_HTTP09_ALLOWED = 285,
  CCURL_MAXAGE_CONN = 288,
  CCURL_QUICK_EXIT = 322,
};

// Values of options.
enum {
  CCURL_PROTOCOLS_HTTP = 1 << 0,
  CCURL_PROTOCOLS_HTTPS = 1 << 1,
  CCURL_PROTOCOLS_SMTP = 1 << 16,
  CCURL_PROTOCOLS_SMTPS = 1 << 17,
  CCURL_USESSL_ALL = 3,
  CCURL_SSLVERSION_TLSV1_2 = 6,
  CCURL_HTTP_VERSION_1_1 = 2,
};

// Results (https://curl.se/libcurl/c/libcurl-errors.html).
enum {
  CCURL_OK = 0,
  CCURL_UNKNOWN_OPTION = 48,
  CCURL_USE_SSL_FAILED = 64,
  CCURL_LOGIN_DENIED = 67,
  CCURL_ERROR_SIZE = 256,
};

// Decides whether a connection to an address is allowed: 4 or 16 bytes in network order.
typedef bool (*ccurl_gate)(void *context, const uint8_t *address, int count, uint16_t port);
// Receives bytes of an answer, and returns how many it has taken; fewer end the transfer. Or writes
// bytes to send, and returns how many; 0 at the end.
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);

// Loads both libraries once, on the thread that calls it first. Returns NULL, or why it failed:
// text that lives as long as the process.
const char *ccurl_load(const char *curl, const char *crypto);
const char *ccurl_version(void);

void *ccurl_new(void);
void ccurl_reset(void *handle);
// Also closes the connections that the handle has kept.
void ccurl_free(void *handle);
int ccurl_set_number(void *handle, int option, long value);
int ccurl_set_text(void *handle, int option, const char *value);
int ccurl_set_pointer(void *handle, int option, const void *value);
int ccurl_set_receiver(void *handle, int option, ccurl_receiver receiver);
// The sockets are created here if the gate allows the address. Other address families are refused.
// The gate must live until the transfer ends.
typedef struct {
  ccurl_gate decide;
  void *context;
} CCurlGate;
int ccurl_set_gate(void *handle, CCurlGate *gate);
int ccurl_perform(void *handle);
// The status of the last answer; 0 if there was none.
long ccurl_status(void *handle);
const char *ccurl_error(int code);

// A list of header fields. Appending returns NULL if there is no memory.
void *ccurl_append(void *list, const char *field);
void ccurl_free_list(void *list);

// The number of an option by its name, from the library's table; -1 if it is unknown.
int ccurl_option(const char *name);

// HMAC-SHA256 (RFC 2104) with libcrypto. Returns whether `code`, 32 bytes, was written.
bool ccrypto_hmac_sha256(
    const uint8_t *key, size_t keyCount, const uint8_t *data, size_t count, uint8_t *code);

// Sizes in bytes, of P-256 (FIPS 186-5) and AES-128-GCM (NIST SP 800-38D).
enum {
  CCRYPTO_SECRET = 32,
  CCRYPTO_POINT = 65,
  CCRYPTO_SIGNATURE = 64,
  CCRYPTO_KEY = 16,
  CCRYPTO_NONCE = 12,
  CCRYPTO_TAG = 16,
};

// Keys of P-256. NULL if libcrypto fails, if 32 bytes are no private key, or if 65 bytes are not
// the uncompressed form of a point on the curve. Each key is to be freed.
void *ccrypto_new_key(void);
void *ccrypto_private_key(const uint8_t *secret);
void *ccrypto_public_key(const uint8_t *point);
void ccrypto_free_key(void *key);
// Return whether the 32 or 65 bytes were written; the secret is written only of a new key.
bool ccrypto_secret(void *key, uint8_t *secret);
bool ccrypto_point(void *key, uint8_t *point);

// ECDH (NIST SP 800-56A): writes 32 bytes.
bool ccrypto_agree(void *key, void *peer, uint8_t *shared);
// ECDSA with SHA-256: writes r and s, 32 bytes each (RFC 7518 section 3.4).
bool ccrypto_sign(void *key, const uint8_t *data, size_t count, uint8_t *signature);
// AES-128-GCM without additional data: writes the text and a tag of 16 bytes.
bool ccrypto_seal(
    const uint8_t *key, const uint8_t *nonce, const uint8_t *text, size_t count, uint8_t *sealed);

#endif
