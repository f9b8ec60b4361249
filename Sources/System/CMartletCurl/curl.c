#include "CMartletCurl.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "loading.h"

#define SOCKET_BAD (-1)
#define GLOBAL_ALL 3
#define INFO_RESPONSE_CODE 0x200002

// struct curl_sockaddr (https://curl.se/libcurl/c/CURLOPT_OPENSOCKETFUNCTION.html). The address is
// as long as `length` says.
struct address {
  int family;
  int socktype;
  int protocol;
  unsigned int length;
  struct sockaddr address;
};

struct option {
  const char *name;
  int id;
  int type;
  unsigned int flags;
};

static struct {
  int (*global_init)(long);
  const char *(*version)(void);
  void *(*init)(void);
  void (*reset)(void *);
  void (*cleanup)(void *);
  int (*setopt)(void *, int, ...);
  int (*perform)(void *);
  int (*getinfo)(void *, int, ...);
  const char *(*strerror)(int);
  void *(*append)(void *, const char *);
  void (*free_all)(void *);
  const struct option *(*by_name)(const char *);
} curl;

const char *ccurl_load(const char *curl_name, const char *crypto_name) {
  if (curl.global_init != NULL) return NULL;
  struct library library, crypto;
  int (*global_init)(long) = NULL;
  if (!library_open(&library, curl_name, "libcurl4") ||
      !library_open(&crypto, crypto_name, "libssl3") ||
      !library_find(&library, "curl_global_init", &global_init) ||
      !library_find(&library, "curl_version", &curl.version) ||
      !library_find(&library, "curl_easy_init", &curl.init) ||
      !library_find(&library, "curl_easy_reset", &curl.reset) ||
      !library_find(&library, "curl_easy_cleanup", &curl.cleanup) ||
      !library_find(&library, "curl_easy_setopt", &curl.setopt) ||
      !library_find(&library, "curl_easy_perform", &curl.perform) ||
      !library_find(&library, "curl_easy_getinfo", &curl.getinfo) ||
      !library_find(&library, "curl_easy_strerror", &curl.strerror) ||
      !library_find(&library, "curl_slist_append", &curl.append) ||
      !library_find(&library, "curl_slist_free_all", &curl.free_all) ||
      !library_find(&library, "curl_easy_option_by_name", &curl.by_name) ||
      !crypto_find(&crypto)) {
    return library_failure();
  }
  if (global_init(GLOBAL_ALL) != CCURL_OK) return "libcurl cannot be initialized";
  curl.global_init = global_init;
  return NULL;
}

const char *ccurl_version(void) { return curl.version(); }

void *ccurl_new(void) { return curl.init(); }

void ccurl_reset(void *handle) { curl.reset(handle); }

void ccurl_free(void *handle) { curl.cleanup(handle); }

int ccurl_set_number(void *handle, int option, long value) {
  return curl.setopt(handle, option, value);
}

int ccurl_set_text(void *handle, int option, const char *value) {
  return curl.setopt(handle, option, value);
}

int ccurl_set_pointer(void *handle, int option, const void *value) {
  return curl.setopt(handle, option, value);
}

int ccurl_set_receiver(void *handle, int option, ccurl_receiver receiver) {
  return curl.setopt(handle, option, receiver);
}

// CURLOPT_OPENSOCKETFUNCTION: called with each address that libcurl is about to connect to.
static int open_socket(void *context, int purpose, struct address *address) {
  CCurlGate *gate = context;
  (void)purpose;
  bool is_allowed = false;
  if (address->family == AF_INET && address->length >= sizeof(struct sockaddr_in)) {
    struct sockaddr_in ip;
    memcpy(&ip, &address->address, sizeof ip);
    is_allowed = gate->decide(
        gate->context, (const uint8_t *)&ip.sin_addr, 4, ntohs(ip.sin_port));
  } else if (address->family == AF_INET6 && address->length >= sizeof(struct sockaddr_in6)) {
    struct sockaddr_in6 ip;
    memcpy(&ip, &address->address, sizeof ip);
    is_allowed = gate->decide(
        gate->context, (const uint8_t *)&ip.sin6_addr, 16, ntohs(ip.sin6_port));
  }
  if (!is_allowed) return SOCKET_BAD;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

int ccurl_set_gate(void *handle, CCurlGate *gate) {
  int code = curl.setopt(handle, CCURL_OPENSOCKETFUNCTION, open_socket);
  if (code != CCURL_OK) return code;
  return curl.setopt(handle, CCURL_OPENSOCKETDATA, gate);
}

int ccurl_perform(void *handle) { return curl.perform(handle); }

long ccurl_status(void *handle) {
  long status = 0;
  curl.getinfo(handle, INFO_RESPONSE_CODE, &status);
  return status;
}

const char *ccurl_error(int code) { return curl.strerror(code); }

void *ccurl_append(void *list, const char *field) { return curl.append(list, field); }

void ccurl_free_list(void *list) { curl.free_all(list); }

int ccurl_option(const char *name) {
  const struct option *option = curl.by_name(name);
  return option == NULL ? -1 : option->id;
}
