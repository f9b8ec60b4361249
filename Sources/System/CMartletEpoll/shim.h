// Functions that Swift's Glibc module lacks: epoll, eventfd, timerfd, accept4, and CPU affinity.
//
// _GNU_SOURCE is not defined, because it would give fd_set other members than in the headers of
// other modules, and one program cannot import both. accept4, the only GNU extension used here, is
// declared by hand.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

extern int accept4(
    int listener, struct sockaddr *restrict address, socklen_t *restrict length, int flags);

// Accepts a connection, non-blocking and close-on-exec.
static inline int cepoll_accept(int listener, struct sockaddr *address, socklen_t *length) {
  return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// Returns the number of cores that this process may use, after taskset or a container's cpuset.
static inline int cepoll_usable_cores(void) {
  unsigned long mask[128] = {0};
  int cores = 0;
  if (syscall(SYS_sched_getaffinity, 0, sizeof mask, mask) < 0) return 1;
  for (unsigned place = 0; place < 128; place++) cores += __builtin_popcountl(mask[place]);
  return cores > 0 ? cores : 1;
}
