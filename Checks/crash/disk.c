// Interposes on the C library (LD_PRELOAD) to record changes to the files of one folder, or to kill
// the process at one of them.
//
//   DISK_FOLDER=/path   the folder; calls for other paths are passed on
//   DISK_TRACE=file     each change is appended to this file after it was made
//   DISK_KILL=n         the process is killed at its n-th change:
//   DISK_HOW=           "before" it, in the middle of it ("amid", writes only), or "after" it
//
// A trace is a sequence of records: struct Record, the path, a second path (rename), the bytes
// written.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum Kind { CREATE = 1, WRITE, TRUNCATE, SYNC, UNLINK, RENAME };

struct Record {
  uint32_t kind, path_length, other_length, data_length;
  uint64_t offset, nanoseconds;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static size_t folder_length;
static int trace = -1;
static long kill_at, changes;
static enum { BEFORE, AMID, AFTER } how;

__attribute__((constructor)) static void begin(void) {
  folder = getenv("DISK_FOLDER");
  if (!folder) abort();
  folder_length = strlen(folder);
  const char *file = getenv("DISK_TRACE"), *number = getenv("DISK_KILL"), *word = getenv("DISK_HOW");
  if (file) trace = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file && trace < 0) abort();
  if (number) kill_at = atol(number);
  how = !word || !strcmp(word, "before") ? BEFORE : !strcmp(word, "amid") ? AMID : AFTER;
}

static int is_inside(const char *path) {
  return strncmp(path, folder, folder_length) == 0 && (path[folder_length] == '/' || !path[folder_length]);
}

// Stores the path of a descriptor. Returns whether it is inside the folder.
static int path_of(int descriptor, char path[PATH_MAX]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_inside(path);
}

// Makes a path absolute.
static const char *absolute(const char *path, char room[PATH_MAX]) {
  if (path[0] == '/') return path;
  if (!getcwd(room, PATH_MAX)) abort();
  size_t length = strlen(room);
  snprintf(room + length, PATH_MAX - length, "/%s", path);
  return room;
}

static void append(const void *bytes, size_t count) {
  while (count > 0) {
    ssize_t done = syscall(SYS_write, trace, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) abort();
    bytes = (const char *)bytes + done;
    count -= done;
  }
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// Counts a change and dies if it is time to. The lock must be held.
static void before(int is_write) {
  if (++changes == kill_at && (how == BEFORE || (how == AMID && !is_write))) die();
}

// Dies if this was the change to die at. The lock must be held.
static void after(void) {
  if (changes == kill_at) die();
}

// Appends a change to the trace after it was made. The lock must be held.
static void tell(enum Kind kind, const char *path, const char *other, const void *data, size_t count, off_t offset) {
  if (trace < 0) return;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  struct Record record = {kind, strlen(path), other ? strlen(other) : 0, data ? count : 0, offset,
                          now.tv_sec * 1000000000ull + now.tv_nsec};
  append(&record, sizeof record);
  append(path, record.path_length);
  if (other) append(other, record.other_length);
  if (data) append(data, count);
}

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) abort();
  return function;
}

// Makes the change `call` and records it with `told` if it succeeds.
#define CHANGE(result_type, call, told)       \
  do {                                        \
    pthread_mutex_lock(&lock);                \
    before(0);                                \
    result_type result = (call);              \
    int error = errno;                        \
    if (result >= 0) told;                    \
    after();                                  \
    pthread_mutex_unlock(&lock);              \
    errno = error;                            \
    return result;                            \
  } while (0)

static ssize_t write_at(int descriptor, const void *bytes, size_t count, off_t offset, const char *path) {
  pthread_mutex_lock(&lock);
  before(1);
  if (changes == kill_at && how == AMID) count /= 2;
  ssize_t result = syscall(SYS_pwrite64, descriptor, bytes, count, offset);
  int error = errno;
  if (result > 0) tell(WRITE, path, NULL, bytes, result, offset);
  after();
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  char path[PATH_MAX];
  if (path_of(descriptor, path)) return write_at(descriptor, bytes, count, offset, path);
  return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  return pwrite(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  char path[PATH_MAX];
  if (!path_of(descriptor, path)) return syscall(SYS_write, descriptor, bytes, count);
  off_t offset = lseek(descriptor, 0, fcntl(descriptor, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
  ssize_t result = write_at(descriptor, bytes, count, offset, path);
  if (result > 0) lseek(descriptor, offset + result, SEEK_SET);
  return result;
}

int ftruncate(int descriptor, off_t length) {
  char path[PATH_MAX];
  if (!path_of(descriptor, path)) return syscall(SYS_ftruncate, descriptor, length);
  CHANGE(int, syscall(SYS_ftruncate, descriptor, length), tell(TRUNCATE, path, NULL, NULL, 0, length));
}

int ftruncate64(int descriptor, off64_t length) { return ftruncate(descriptor, length); }

static int synchronize(int descriptor, long call) {
  char path[PATH_MAX];
  if (!path_of(descriptor, path)) return syscall(call, descriptor);
  CHANGE(int, syscall(call, descriptor), tell(SYNC, path, NULL, NULL, 0, 0));
}

int fsync(int descriptor) { return synchronize(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return synchronize(descriptor, SYS_fdatasync); }

int unlink(const char *name) {
  char room[PATH_MAX];
  const char *path = absolute(name, room);
  if (!is_inside(path) || access(path, F_OK) != 0) return REAL(unlink)(name);
  CHANGE(int, REAL(unlink)(name), tell(UNLINK, path, NULL, NULL, 0, 0));
}

int rename(const char *name, const char *other_name) {
  char room[PATH_MAX], other_room[PATH_MAX];
  const char *path = absolute(name, room), *other = absolute(other_name, other_room);
  if (!is_inside(path)) return REAL(rename)(name, other_name);
  CHANGE(int, REAL(rename)(name, other_name), tell(RENAME, path, other, NULL, 0, 0));
}

// O_TRUNC is not recorded, so truncating a non-empty file aborts.
static int open_in(int at, const char *name, int flags, mode_t mode) {
  char room[PATH_MAX];
  const char *path = absolute(name, room);
  struct stat status;
  if (at != AT_FDCWD || !is_inside(path)) return syscall(SYS_openat, at, name, flags, mode);
  int is_there = stat(path, &status) == 0;
  if (is_there && flags & O_TRUNC && status.st_size > 0) abort();
  if (is_there || !(flags & O_CREAT)) return syscall(SYS_openat, at, name, flags, mode);
  CHANGE(int, syscall(SYS_openat, at, name, flags, mode), tell(CREATE, path, NULL, NULL, 0, 0));
}

#define MODE(flags)                             \
  mode_t mode = 0;                              \
  if (flags & (O_CREAT | O_TMPFILE)) {          \
    va_list rest;                               \
    va_start(rest, flags);                      \
    mode = va_arg(rest, mode_t);                \
    va_end(rest);                               \
  }

int open(const char *path, int flags, ...) {
  MODE(flags)
  return open_in(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags)
  return open_in(AT_FDCWD, path, flags, mode);
}

int openat(int at, const char *path, int flags, ...) {
  MODE(flags)
  return open_in(at, path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...) {
  MODE(flags)
  return open_in(at, path, flags, mode);
}

// The mkstemp of the C library opens the file without a call that could be intercepted.
int mkstemp(char *template) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  static _Atomic unsigned number;
  char *end = template + strlen(template) - 6;
  for (;;) {
    unsigned value = (unsigned)getpid() * 2654435761u + ++number * 40503u;
    for (int place = 0; place < 6; place++, value /= 5) end[place] = letters[value % 62];
    int file = open_in(AT_FDCWD, template, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file >= 0 || errno != EEXIST) return file;
  }
}

int mkstemp64(char *template) { return mkstemp(template); }

// Martlet and SQLite do not use these calls. A program that does is aborted, because the trace
// would be incomplete.
static void refuse(int is_change, const char *name) {
  if (!is_change) return;
  dprintf(STDERR_FILENO, "disk: %s is not supported: record it in disk.c\n", name);
  abort();
}

static int is_of_folder(int descriptor) {
  char path[PATH_MAX];
  return path_of(descriptor, path);
}

static int is_named(int at, const char *name) {
  char room[PATH_MAX];
  return at == AT_FDCWD || name[0] == '/' ? is_inside(absolute(name, room)) : is_of_folder(at);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  refuse(is_of_folder(descriptor), "writev");
  return syscall(SYS_writev, descriptor, parts, count);
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  refuse(is_of_folder(descriptor), "fallocate");
  return syscall(SYS_fallocate, descriptor, mode, offset, length);
}

int posix_fallocate(int descriptor, off_t offset, off_t length) {
  return fallocate(descriptor, 0, offset, length) ? errno : 0;
}

int renameat(int at, const char *name, int other_at, const char *other) {
  refuse(is_named(at, name) || is_named(other_at, other), "renameat");
  return REAL(renameat)(at, name, other_at, other);
}

int link(const char *name, const char *other) {
  refuse(is_named(AT_FDCWD, name) || is_named(AT_FDCWD, other), "link");
  return REAL(link)(name, other);
}

int unlinkat(int at, const char *name, int flags) {
  refuse(is_named(at, name), "unlinkat");
  return REAL(unlinkat)(at, name, flags);
}
