// Functions of glibc that Swift's Glibc module lacks: epoll, timerfd, child processes, malloc's
// settings, and crypt(3) of libxcrypt, which hashes the secrets of API keys
// (https://manpages.debian.org/crypt.5).
//
// _GNU_SOURCE is not defined, because it would give fd_set other members than in the headers of
// other modules, and one program cannot import both. The GNU extensions used here are declared by
// hand.
#include <crypt.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

extern int accept4(
    int listener, struct sockaddr *restrict address, socklen_t *restrict length, int flags);
// Closes all descriptors from one number on (glibc 2.34).
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
extern int pipe2(int ends[2], int flags);

// Accepts a connection, non-blocking and close-on-exec.
static inline int csystem_accept(int listener, struct sockaddr *address, socklen_t *length) {
  return accept4(listener, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

// Returns the number of cores that this process may use, after taskset or a container's cpuset.
static inline int csystem_usable_cores(void) {
  unsigned long mask[128] = {0};
  int cores = 0;
  if (syscall(SYS_sched_getaffinity, 0, sizeof mask, mask) < 0) return 1;
  for (unsigned place = 0; place < 128; place++) cores += __builtin_popcountl(mask[place]);
  return cores > 0 ? cores : 1;
}

// Makes a pipe whose ends no other child process inherits.
static inline int csystem_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

// Kills this process when the thread that created it ends.
static inline int csystem_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }
