"""Replays a trace recorded by `disk.c` and computes the files left after a power failure."""

import os
import pathlib
import struct
from dataclasses import dataclass

SECTOR = 512
HEAD = struct.Struct("=IIIIQQ")
CREATE, WRITE, TRUNCATE, SYNC, UNLINK, RENAME = range(1, 7)


@dataclass
class Change:
    kind: int
    path: str
    other: str
    data: bytes
    offset: int
    nanoseconds: int


def read_trace(file):
    """The changes in order."""
    data = pathlib.Path(file).read_bytes()
    place = 0

    def take(count):
        nonlocal place
        place += count
        return data[place - count : place]

    changes = []
    while place < len(data):
        kind, path, other, count, offset, nanoseconds = HEAD.unpack(take(HEAD.size))
        changes.append(
            Change(kind, take(path).decode(), take(other).decode(), take(count), offset, nanoseconds)
        )
    return changes


class File:
    def __init__(self, content=b""):
        self.content = bytearray(content)
        self.durable = bytes(content)
        # Changes since the last sync, which may be lost: (offset, bytes), or (size, None).
        self.pending = []

    def apply(self, offset, data):
        change(self.content, offset, data)
        self.pending.append((offset, data))

    def sync(self):
        self.durable = bytes(self.content)
        self.pending = []

    def after_power_loss(self, keeps):
        content = bytearray(self.durable)
        for offset, data in self.pending:
            if data is None:
                if keeps():
                    change(content, offset, data)
                continue
            # A disk writes sectors, so a write may survive in part.
            place = 0
            while place < len(data):
                end = min(len(data), place + SECTOR - (offset + place) % SECTOR)
                if keeps():
                    change(content, offset + place, data[place:end])
                place = end
        return bytes(content)


def change(content, offset, data):
    if data is None:
        content[offset:] = bytes(max(offset - len(content), 0))
        return
    if offset > len(content):
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data


class Disk:
    """The files of one folder.

    Names are durable once the folder was synced, contents once the file was synced.
    """

    def __init__(self, folder):
        self.folder = str(folder)
        self.names = {
            str(path): File(path.read_bytes()) for path in sorted(pathlib.Path(folder).iterdir())
        }
        self.durable_names = dict(self.names)
        # Names created or removed since the last sync: (path, file or None).
        self.pending = []

    def apply(self, it):
        if it.kind == CREATE:
            self.name(it.path, File())
        elif it.kind == UNLINK:
            self.name(it.path, None)
        elif it.kind == RENAME:
            file = self.names[it.path]
            self.names.pop(it.path)
            self.names[it.other] = file
            # A rename survives completely or not at all.
            self.pending.append(((it.other, file), (it.path, None)))
        elif it.kind == WRITE:
            self.names[it.path].apply(it.offset, it.data)
        elif it.kind == TRUNCATE:
            self.names[it.path].apply(it.offset, None)
        elif it.path == self.folder:
            self.durable_names, self.pending = dict(self.names), []
        elif it.path in self.names:
            self.names[it.path].sync()

    def name(self, path, file):
        if file:
            self.names[path] = file
        else:
            self.names.pop(path)
        self.pending.append(((path, file),))

    def after_power_loss(self, random=None, share=0.5):
        """The names and contents of the files left. Without `random`, every unsynced change is lost."""
        names = dict(self.durable_names)
        # Changes of names reach the disk in order.
        count = random.randint(0, len(self.pending)) if random else 0
        for step in self.pending[:count]:
            for path, file in step:
                if file:
                    names[path] = file
                else:
                    names.pop(path, None)

        def keeps():
            return bool(random) and random.random() < share

        return {
            os.path.basename(path): file.after_power_loss(keeps)
            for path, file in names.items()
            # The index of the WAL is in shared memory and is rebuilt from the WAL.
            if not path.endswith("-shm")
        }
