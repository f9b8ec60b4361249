// What Swift's Glibc module leaves out: epoll, eventfd, timerfd, accept4, and the CPU affinity.
//
// _GNU_SOURCE is not defined: it would give fd_set other members than in the other modules' headers,
// and one program cannot import both. accept4, the only GNU extension here, is declared by hand.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

extern int accept4(
    int listener, struct sockaddr *restrict address, socklen_t *restrict length, int flags);

static inline int cepoll_accept(int listener, struct sockaddr *address, socklen_t *length) {
  return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// How many cores this process may use: what taskset or a container's cpuset leaves of the machine.
static inline int cepoll_usable_cores(void) {
  unsigned long mask[128] = {0};
  int cores = 0;
  if (syscall(SYS_sched_getaffinity, 0, sizeof mask, mask) < 0) return 1;
  for (unsigned place = 0; place < 128; place++) cores += __builtin_popcountl(mask[place]);
  return cores > 0 ? cores : 1;
}
