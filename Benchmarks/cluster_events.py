"""The parts of `cluster` about event streams: on other nodes, and after the death of their node."""

import json
import random
import selectors
import signal
import socket
import threading
import time

from cluster_load import LISTS, fail, wait

EVENTS = (b"result", b"current")


class Stream:
    def __init__(self, target):
        self.target, self.last = target, None
        self.socket = None


class Streams:
    """Many event streams of any nodes. `told` gets each stream, the data of an event, and when it came."""

    def __init__(self, told):
        self.told, self.selector = told, selectors.DefaultSelector()
        # Streams whose connection has ended are opened again there, if set.
        self.elsewhere = None
        self.ends = 0

    def open(self, stream, node):
        stream.node, stream.buffer = node, b""
        stream.socket = socket.socket()
        stream.socket.setblocking(False)
        stream.socket.connect_ex((node.host, node.public))
        self.selector.register(stream.socket, selectors.EVENT_WRITE, stream)

    def poll(self, seconds):
        for key, events in self.selector.select(seconds):
            if events & selectors.EVENT_WRITE:
                self.ask(key.data)
            else:
                self.read(key.data)

    def ask(self, stream):
        """Sends the request when the connection is there."""
        if stream.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            return self.again(stream)
        resumed = f"Last-Event-ID: {stream.last}\r\n" if stream.last else ""
        stream.socket.send(f"GET {stream.target} HTTP/1.1\r\nHost: {stream.node.host}\r\n"
                           f"Accept: text/event-stream\r\n{resumed}\r\n".encode())
        self.selector.modify(stream.socket, selectors.EVENT_READ, stream)

    def read(self, stream):
        try:
            data = stream.socket.recv(1 << 16)
        except ConnectionError:
            data = b""
        now = time.monotonic()
        if not data:
            return self.again(stream)
        *events, stream.buffer = (stream.buffer + data).split(b"\n\n")
        for event in events:
            fields = dict(line.split(b": ", 1) for line in event.split(b"\n") if b": " in line and b"\r" not in line)
            if fields.get(b"event") == b"bye":
                return self.again(stream)
            if fields.get(b"event") in EVENTS:
                stream.last = fields[b"id"].decode()
                self.told(stream, fields.get(b"data", b""), now)

    def again(self, stream):
        self.selector.unregister(stream.socket)
        stream.socket.close()
        self.ends += 1
        if not self.elsewhere:
            fail(f"{stream.node.name} has ended a stream: {stream.buffer[:300]}")
        self.open(stream, random.choice(self.elsewhere))

    def close(self):
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()
        self.selector.close()


def latencies(nodes, writes, rate):
    """Seconds until a create is an event of another node's stream, from its request and from its
    answer, by the role of the node with the stream."""
    client = nodes.client
    followed = client.request("POST", "/v1/lists", {"title": "followed"})["id"]
    arrived = {node: {} for node in nodes.nodes}

    def told(stream, data, now):
        arrived[stream.node][json.loads(data)["reminders"]["all"]] = now

    def read():
        while not is_ending.is_set():
            streams.poll(0.1)

    streams, is_ending = Streams(told), threading.Event()
    for node in nodes.nodes:
        streams.open(Stream(f"/v1/lists/{followed}"), node)
    reader = threading.Thread(target=read)
    reader.start()
    leading, _ = nodes.primary()
    sent = []
    try:
        wait("the first event of each stream", lambda: all(0 in counts for counts in arrived.values()), 30)
        begin = time.monotonic()
        for number in range(1, writes + 1):
            node = nodes.nodes[number % 3]
            time.sleep(max(begin + number / rate - time.monotonic(), 0))
            asked = time.monotonic()
            client.request("POST", "/v1/reminders", {"listID": followed, "title": "Buy the long ladder"}, node)
            sent.append((node, number, asked, time.monotonic()))
        wait("the last event of each stream", lambda: all(writes in counts for counts in arrived.values()), 30)
    finally:
        is_ending.set()
        reader.join()
        streams.close()
    found = {}
    for writer, number, asked, answered in sent:
        for node, counts in arrived.items():
            if node is not writer:
                # A stream may leave out a state that was replaced at once.
                came = min(when for count, when in counts.items() if count >= number)
                role = "the primary" if node is leading else "a replica"
                found.setdefault(role, []).append((came - asked, max(came - answered, 0)))
    return found


def reconnects(nodes, count, dies):
    """Kills a node with streams. Seconds until each has its first event from another node."""
    back = {}
    streams = Streams(lambda stream, data, now: back.setdefault(stream, now))
    others = [node for node in nodes.nodes if node is not dies]
    try:
        for number in range(count):
            streams.open(Stream(f"/v1/lists/{number % LISTS + 2}/reminders?limit=10"), dies)
            if number % 50 == 49:
                until(streams, back, number + 1)
        until(streams, back, count)
        time.sleep(random.uniform(0, 0.3))
        back.clear()
        streams.elsewhere = others
        killed = time.monotonic()
        dies.process.send_signal(signal.SIGKILL)
        until(streams, back, count)
    finally:
        streams.close()
    dies.process.wait()
    nodes.start(dies)
    nodes.settle()
    return [when - killed for when in back.values()], streams.ends - count


def until(streams, back, count):
    end = time.monotonic() + 60
    while len(back) < count:
        streams.poll(0.1)
        if time.monotonic() > end:
            fail(f"timeout: {len(back)} of {count} streams have an event")
