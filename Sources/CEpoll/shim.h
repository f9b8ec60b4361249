// What Swift's Glibc module leaves out: epoll, eventfd, timerfd, and accept4.
//
// _GNU_SOURCE is not defined: it would give fd_set other members than in the other modules' headers,
// and one program cannot import both. accept4, the only GNU extension here, is declared by hand.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

extern int accept4(
    int listener, struct sockaddr *restrict address, socklen_t *restrict length, int flags);

static inline int cepoll_accept(int listener, struct sockaddr *address, socklen_t *length) {
  return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
