// Functions for child processes that Swift's Glibc module lacks. As in CMartletEpoll, _GNU_SOURCE
// is not defined, so the GNU extensions are declared by hand; prctl is variadic.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <unistd.h>

// Closes all descriptors from one number on (glibc 2.34).
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
extern int pipe2(int ends[2], int flags);

// Makes a pipe whose ends no other child process inherits.
static inline int cspawn_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

// Kills this process when the thread that created it ends.
static inline int cspawn_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL); }
