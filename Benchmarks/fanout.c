// Opens many event streams on one query, writes repeatedly to a row of its result, and measures the
// time from each write until the last stream has its result or a newer one, since a server may
// coalesce.
//
//     fanout PORT STREAMS WRITES MILLISECONDS TARGET REMINDER
//
// Prints "ready" when each stream has had its first event. After reading a line it writes once
// every MILLISECONDS. Then it prints the number of events received and the longest time in
// milliseconds.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// The number of a write is in the title that it sets: `tick-00000042`.
#define MARK "tick-"
enum { MARK_SIZE = 5, TICK_SIZE = 13, PATIENCE = 60 };

struct Stream {
  int descriptor;
  bool has_begun;
  // The newest write seen, and the last bytes received, which may hold the beginning of a tick.
  int tick, rest;
  char end[TICK_SIZE];
};

static void fail(const char *what) {
  fprintf(stderr, "fanout: %s\n", what);
  exit(1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static int dial(int port) {
  int descriptor = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address)) fail(strerror(errno));
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return descriptor;
}

static void put(int descriptor, const char *text, int count) {
  if (write(descriptor, text, count) != count) fail("a request could not be sent");
}

// Reads from a stream. Returns whether it has seen a newer write.
static bool read_from(struct Stream *stream) {
  static char bytes[1 << 18];
  memcpy(bytes, stream->end, stream->rest);
  ssize_t count = read(stream->descriptor, bytes + stream->rest, sizeof bytes - TICK_SIZE);
  if (count == 0) fail("the server closed a stream");
  if (count < 0) return false;
  count += stream->rest;
  bytes[count] = 0;
  int before = stream->tick;
  char *place = bytes, *end = bytes + count;
  while ((place = memmem(place, end - place, MARK, MARK_SIZE)) && end - place >= TICK_SIZE) {
    stream->tick = atoi(place + MARK_SIZE);
    place += TICK_SIZE;
  }
  // The first event may arrive together with the response head or after it.
  if (!stream->has_begun) stream->has_begun = memmem(bytes, count, "data: ", 6) != NULL;
  stream->rest = count < TICK_SIZE - 1 ? count : TICK_SIZE - 1;
  memcpy(stream->end, end - stream->rest, stream->rest);
  return stream->tick > before;
}

int main(int count, char **arguments) {
  if (count != 7) fail("usage: fanout PORT STREAMS WRITES MILLISECONDS TARGET REMINDER");
  int port = atoi(arguments[1]), all = atoi(arguments[2]), writes = atoi(arguments[3]), pause = atoi(arguments[4]);
  struct Stream *streams = calloc(all, sizeof *streams);
  // For each write: when the last stream saw it, and how many streams have.
  double *had = calloc(writes + 1, sizeof *had);
  int *known = calloc(writes + 1, sizeof *known);
  struct epoll_event events[1024], event = {.events = EPOLLIN};
  int loop = epoll_create1(0), begun = 0, received = 0;
  if (!streams || !had || !known) abort();

  char request[512];
  int size = snprintf(
    request, sizeof request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n", arguments[5]);
  for (int place = 0; place < all; place++) {
    streams[place].descriptor = dial(port);
    put(streams[place].descriptor, request, size);
    fcntl(streams[place].descriptor, F_SETFL, O_NONBLOCK);
    event.data.u32 = place;
    epoll_ctl(loop, EPOLL_CTL_ADD, streams[place].descriptor, &event);
  }
  double patience = now() + PATIENCE * 1e3;
  while (begun < all) {
    if (now() > patience) fail("timeout: some streams did not start");
    int ready = epoll_wait(loop, events, 1024, 100);
    for (int place = 0; place < ready; place++) {
      struct Stream *stream = &streams[events[place].data.u32];
      bool had_begun = stream->has_begun;
      read_from(stream);
      begun += stream->has_begun && !had_begun;
    }
  }
  puts("ready");
  fflush(stdout);
  if (getchar() == EOF) return 1;

  int writer = dial(port), written = 0;
  bool is_answered = true;
  fcntl(writer, F_SETFL, O_NONBLOCK);
  event.data.u32 = all;
  epoll_ctl(loop, EPOLL_CTL_ADD, writer, &event);
  // Times count from when a write was due, so waiting for the previous response counts as latency.
  double start = now();
  patience = start + PATIENCE * 1e3 + (double)writes * pause;
  while (known[writes] < all) {
    double time = now(), due = start + (double)written * pause;
    if (time > patience) fail("timeout: some streams did not receive the last write");
    if (written < writes && is_answered && time >= due) {
      char body[64];
      int length = snprintf(body, sizeof body, "{\"title\":\"" MARK "%08d\"}", ++written);
      size = snprintf(
        request, sizeof request,
        "PATCH /v1/reminders/%s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
        arguments[6], length, body);
      put(writer, request, size);
      is_answered = false;
    }
    int ready = epoll_wait(loop, events, 1024, due > time && is_answered ? (int)(due - time) : 10);
    for (int place = 0; place < ready; place++) {
      if (events[place].data.u32 == (unsigned)all) {
        char answer[8192];
        ssize_t got = read(writer, answer, sizeof answer);
        // A long response may arrive in pieces.
        if (got > 12 && !memcmp(answer, "HTTP/1.1", 8) && memcmp(answer, "HTTP/1.1 200", 12)) fail("a write failed");
        if (got <= 0) fail("the server closed the writer's connection");
        is_answered = true;
        continue;
      }
      struct Stream *stream = &streams[events[place].data.u32];
      int before = stream->tick;
      if (!read_from(stream)) continue;
      received++;
      time = now();
      for (int tick = before + 1; tick <= stream->tick && tick <= writes; tick++) {
        known[tick]++;
        had[tick] = time;
      }
    }
  }
  double longest = 0;
  for (int tick = 1; tick <= writes; tick++) {
    double taken = had[tick] - start - (tick - 1.0) * pause;
    if (taken > longest) longest = taken;
  }
  printf("%d %.2f\n", received, longest);
}
