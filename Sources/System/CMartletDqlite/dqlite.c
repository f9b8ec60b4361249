#define _DEFAULT_SOURCE
#include "CMartletDqlite.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define CONNECT_MILLISECONDS 1000

static struct {
  int (*version)(void);
  unsigned long long (*generate_id)(const char *);
  int (*create)(unsigned long long, const char *, const char *, void **);
  void (*destroy)(void *);
  int (*start)(void *);
  const char *(*errmsg)(void *);
  int (*set_bind_address)(void *, const char *);
  int (*set_connect)(void *, int (*)(void *, const char *, int *), void *);
  int (*set_latency)(void *, unsigned);
  int (*set_snapshots)(void *, unsigned, unsigned);
  // Only newer versions have it.
  int (*set_auto_recovery)(void *, int);
} dqlite;

static char message[512];

static int find(void *library, const char *name, void *place) {
  void *symbol = dlsym(library, name);
  if (symbol == NULL) {
    snprintf(message, sizeof message, "%s is missing in libdqlite", name);
    return 0;
  }
  memcpy(place, &symbol, sizeof symbol);
  return 1;
}

const char *cdqlite_load(const char *name) {
  if (dqlite.start != NULL) return NULL;
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *reason = dlerror();
    if (reason != NULL && strstr(reason, "No such file") == NULL) {
      snprintf(message, sizeof message, "%s cannot be loaded: %s", name, reason);
    } else {
      snprintf(message, sizeof message, "%s is missing; install the Debian package libdqlite0", name);
    }
    return message;
  }
  int (*start)(void *) = NULL;
  if (!find(library, "dqlite_version_number", &dqlite.version) ||
      !find(library, "dqlite_generate_node_id", &dqlite.generate_id) ||
      !find(library, "dqlite_node_create", &dqlite.create) ||
      !find(library, "dqlite_node_destroy", &dqlite.destroy) ||
      !find(library, "dqlite_node_errmsg", &dqlite.errmsg) ||
      !find(library, "dqlite_node_set_bind_address", &dqlite.set_bind_address) ||
      !find(library, "dqlite_node_set_connect_func", &dqlite.set_connect) ||
      !find(library, "dqlite_node_set_network_latency_ms", &dqlite.set_latency) ||
      !find(library, "dqlite_node_set_snapshot_params", &dqlite.set_snapshots) ||
      !find(library, "dqlite_node_start", &start)) {
    return message;
  }
  void *optional = dlsym(library, "dqlite_node_set_auto_recovery");
  if (optional != NULL) memcpy(&dqlite.set_auto_recovery, &optional, sizeof optional);
  dqlite.start = start;
  return NULL;
}

int cdqlite_version(void) { return dqlite.version(); }

uint64_t cdqlite_generate_id(const char *address) { return dqlite.generate_id(address); }

// How long sent bytes may wait for their acknowledgment before a connection is given up.
static unsigned user_timeout = 1000;

// Connects to another node, on a thread of the library's pool. Small messages are sent at once:
// with Nagle's algorithm each one would wait for the acknowledgment of the one before.
static int connect_to(void *unused, const char *address, int *result) {
  (void)unused;
  char host[INET_ADDRSTRLEN];
  const char *colon = strrchr(address, ':');
  if (colon == NULL || (size_t)(colon - address) >= sizeof host) return 1;
  memcpy(host, address, (size_t)(colon - address));
  host[colon - address] = 0;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(colon + 1))};
  if (inet_pton(AF_INET, host, &to.sin_addr) != 1) return 1;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return 1;
  int one = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  // After a network has failed for a while, TCP tries again after seconds only. A new connection is
  // made sooner.
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &user_timeout, sizeof user_timeout);
  int error = connect(fd, (struct sockaddr *)&to, sizeof to) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    struct pollfd waiting = {.fd = fd, .events = POLLOUT};
    socklen_t size = sizeof error;
    if (poll(&waiting, 1, CONNECT_MILLISECONDS) != 1 ||
        getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0) {
      error = ETIMEDOUT;
    }
  }
  int flags = fcntl(fd, F_GETFL);
  if (error != 0 || flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) != 0) {
    close(fd);
    return 1;
  }
  *result = fd;
  return 0;
}

// libuv ends its threads in a destructor, and aborts if a node still uses them.
static void end_without_destructors(int status, void *unused) {
  (void)unused;
  fflush(stdout);
  fflush(stderr);
  _exit(status);
}

bool cdqlite_start(
    uint64_t id, const char *address, const char *folder, unsigned latency,
    unsigned snapshot_threshold, unsigned snapshot_trailing, const char **failure) {
  // The library writes to sockets that others close.
  signal(SIGPIPE, SIG_IGN);
  if (latency > 20) user_timeout = latency * 50;
  static bool is_registered = false;
  if (!is_registered) on_exit(end_without_destructors, NULL);
  is_registered = true;
  void *node = NULL;
  if (dqlite.create(id, address, folder, &node) != 0) {
    snprintf(
        message, sizeof message, "the node cannot be created: %s",
        node != NULL ? dqlite.errmsg(node) : "out of memory");
    if (node != NULL) dqlite.destroy(node);
    *failure = message;
    return false;
  }
  const char *step = "listen";
  int code = dqlite.set_bind_address(node, address);
  if (code == 0) {
    step = "be set up";
    code = dqlite.set_connect(node, connect_to, NULL);
  }
  if (code == 0) code = dqlite.set_latency(node, latency);
  if (code == 0) code = dqlite.set_snapshots(node, snapshot_threshold, snapshot_trailing);
  // It would delete damaged files of the log, and with them what was promised to the others.
  if (code == 0 && dqlite.set_auto_recovery != NULL) code = dqlite.set_auto_recovery(node, 0);
  if (code == 0) {
    step = "start";
    code = dqlite.start(node);
  }
  if (code != 0) {
    const char *reason = dqlite.errmsg(node);
    snprintf(
        message, sizeof message, "the node cannot %s at %s: %s", step, address,
        reason != NULL && *reason != 0 ? reason : "unknown error");
    dqlite.destroy(node);
    *failure = message;
    return false;
  }
  return true;
}
