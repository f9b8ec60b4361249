// Makes ThreadSanitizer understand Swift's Mutex. An uncontended lock uses atomic operations in the
// caller's code, which the sanitizer sees. A contended lock is handled inside the Synchronization
// library, which is not instrumented, so everything that the lock guards would be reported as a
// race. This file is linked into the sanitized tests only, where its two functions override those
// of the library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Weak, because build tools are linked with this file as well but without ThreadSanitizer.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*Lock)(uint32_t thread, SELF void *handle);
typedef SWIFT void (*Unlock)(SELF void *handle);

SWIFT void lock(uint32_t thread, SELF void *handle) __asm__(LOCK);
SWIFT void unlock(SELF void *handle) __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF void *handle) {
  ((Lock)dlsym(RTLD_NEXT, LOCK))(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlock(SELF void *handle) {
  if (__tsan_release) __tsan_release(handle);
  ((Unlock)dlsym(RTLD_NEXT, UNLOCK))(handle);
}
