"""A proxy between the tests and the servers that they start: it can slow, cut and stall bytes.

    /control/ACTION    starts, kills and stops servers (control.js)
    /s/NAME/…          the server NAME, through a network that the test can break
    /lies/KIND/…       servers that speak HTTP wrongly
    anything else      a file of this repository, so that a page and the API have one origin

Each connection has one request.
"""

import asyncio
import json
import pathlib
import random
import re
import signal
import tempfile

from lib.server import Server

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TYPES = {".js": "text/javascript", ".html": "text/html", ".ts": "text/plain", ".md": "text/plain"}


class Tested(Server):
    """A server whose network the tests can break."""

    def __init__(self, program, folder, flags):
        super().__init__(program, f"{folder}/client.db", *flags)
        self.fault, self.connections = {}, set()
        self.start()


class Control:
    def __init__(self, program):
        self.program = program
        self.servers = {}
        self.folders = []
        self.count = 0
        # What the browser's page prints, for check-javascript.
        self.output = asyncio.Queue()

    async def listen(self):
        self.listener = await asyncio.start_server(self.accept, "127.0.0.1", 0)
        port = self.listener.sockets[0].getsockname()[1]
        self.base = f"http://127.0.0.1:{port}"

    def close(self):
        self.listener.close()
        for server in self.servers.values():
            server.kill()
        for folder in self.folders:
            folder.cleanup()

    async def accept(self, reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            found = re.search(rb"(?i)^content-length: *(\d+)", head, re.M)
            body = await reader.readexactly(int(found.group(1)) if found else 0)
            target = head.split(b" ")[1].decode()
            _, kind, *rest = target.split("/", 3)
            if kind == "control":
                await self.answer(writer, *await self.act(rest[0], body))
            elif kind == "s":
                await self.forward(self.servers[rest[0]], head, body, reader, writer)
            elif kind == "lies":
                await lie(rest[0], writer)
            else:
                await self.answer(writer, *file(target))
        except (OSError, EOFError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    @staticmethod
    async def answer(writer, status, kind, body):
        head = f"HTTP/1.1 {status} OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}Connection: close\r\nCache-Control: no-store\r\n\r\n".encode() + body)
        await writer.drain()

    async def act(self, action, body):
        members = json.loads(body or b"{}")
        if action == "print":
            self.output.put_nowait(members)
            return 200, "application/json", b"{}"
        try:
            result = await asyncio.to_thread(self.perform, action, members)
            if action in ("cut", "stop"):
                self.cut(members["name"])
        except Exception as error:  # The test fails with it.
            result = {"error": f"{type(error).__name__}: {error}"}
        return 200, "application/json", json.dumps(result or {}).encode()

    def perform(self, action, members):
        if action == "start":
            return self.start(members["flags"])
        server = self.servers[members["name"]]
        if action == "kill":
            server.end(signal.SIGKILL)
        elif action == "stop":
            server.end()
        elif action == "restart":
            server.end()
            server.start()
        elif action == "network":
            server.fault = members["fault"]
        elif action == "sql":
            return {"rows": server.sql(members["text"])}
        elif action == "key":
            return {"key": server.make_key(*members["flags"])}
        return None

    def start(self, flags):
        folder = tempfile.TemporaryDirectory()
        self.folders.append(folder)
        self.count += 1
        name = f"server{self.count}"
        server = self.servers[name] = Tested(self.program, folder.name, flags)
        return {"name": name, "direct": f"http://127.0.0.1:{server.port}"}

    def cut(self, name):
        for writer in list(self.servers[name].connections):
            writer.transport.abort()

    async def forward(self, server, head, body, reader, writer):
        """Sends a request to the server, and its response back, as the network's fault allows."""
        fault = server.fault
        if fault.get("down"):
            writer.transport.abort()
            return
        head = re.sub(rb" /s/[^/ ]+", b" ", head, count=1)
        head = re.sub(rb"(?i)\r\nconnection: [^\r]*", b"", head)
        up_reader, up_writer = await asyncio.open_connection("127.0.0.1", server.port)
        server.connections.add(writer)
        left = asyncio.ensure_future(reader.read())
        relay = asyncio.ensure_future(self.relay(fault, up_reader, writer))
        try:
            up_writer.write(head[:-2] + b"Connection: close\r\n\r\n" + body)
            await asyncio.wait({left, relay}, return_when=asyncio.FIRST_COMPLETED)
            if relay.done():
                relay.result()
        finally:
            server.connections.discard(writer)
            left.cancel()
            relay.cancel()
            up_writer.transport.abort()

    @staticmethod
    async def relay(fault, reader, writer):
        """`cut` and `stall`: after about so many bytes; `slow`: seconds for each 16 bytes."""
        fate = fault.get("cut") or fault.get("stall")
        left = random.randint(0, 2 * fate) if fate else None
        while data := await reader.read(16 if fault.get("slow") else 65536):
            if fault.get("slow"):
                await asyncio.sleep(fault["slow"])
            if left is not None and len(data) > left:
                writer.write(data[:left])
                await writer.drain()
                if fault.get("stall"):
                    await asyncio.sleep(3600)
                writer.transport.abort()
                return
            if left is not None:
                left -= len(data)
            writer.write(data)
            await writer.drain()


def file(target):
    path = (ROOT / target.split("?")[0].lstrip("/")).resolve()
    if target.startswith("/app/"):
        path = ROOT / "Pages" / target.split("?")[0].lstrip("/")
    if not path.is_relative_to(ROOT) or not path.is_file() or path.suffix not in TYPES:
        return 404, "text/plain", b"no such file"
    return 200, TYPES[path.suffix], path.read_bytes()


async def lie(kind, writer):
    """`silent` does not answer, `headers` and `half` do not come to an end."""
    if kind == "headers":
        writer.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            writer.write(b"X-More: " + b"a" * 1000 + b"\r\n")
            await writer.drain()
            await asyncio.sleep(0)
    if kind == "half":
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
        writer.write(b"Content-Length: 99\r\n\r\n{")
        await writer.drain()
        return
    await asyncio.sleep(3600)
