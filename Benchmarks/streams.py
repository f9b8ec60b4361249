"""Many concurrent event streams whose events are counted."""

import selectors
import socket
import time

EVENT = b"\ndata:"


class Streams:
    def __init__(self, port, targets):
        self.selector = selectors.DefaultSelector()
        self.events = [0] * len(targets)
        self.ends = [b""] * len(targets)
        self.sockets = []
        for number, target in enumerate(targets):
            stream = socket.create_connection(("127.0.0.1", port), timeout=60)
            stream.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n".encode())
            stream.setblocking(False)
            self.selector.register(stream, selectors.EVENT_READ, number)
            self.sockets.append(stream)
            if number % 100 == 99:
                self.wait(range(number + 1), 1)
        self.wait(range(len(targets)), 1)

    def wait(self, numbers, count, seconds=60):
        """Reads until each of these streams has had `count` events."""
        end = time.monotonic() + seconds
        while any(self.events[number] < count for number in numbers):
            if time.monotonic() > end:
                raise SystemExit(f"streams: timeout after {min(self.events[number] for number in numbers)} events of {count}")
            for key, _ in self.selector.select(1):
                data = key.fileobj.recv(1 << 16)
                if not data:
                    raise SystemExit("streams: the server closed a stream")
                # `EVENT` may arrive in two pieces. The first bytes are the head of the response.
                if not self.ends[key.data] and not data.startswith(b"HTTP/1.1 200"):
                    raise SystemExit(f"streams: {data[:300]}")
                data = self.ends[key.data] + data
                self.events[key.data] += data.count(EVENT)
                self.ends[key.data] = data[1 - len(EVENT):]

    def close(self):
        for stream in self.sockets:
            stream.close()
        self.selector.close()
