"""Fits pages of the repository into a package, which has other paths and fewer files."""

import os
import re
from pathlib import Path, PurePosixPath

LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"(^```.*?^```$)", re.M | re.S)


def place(name, installed):
    """Where a package has a file of the repository, or None."""
    for parent in (PurePosixPath(name), *PurePosixPath(name).parents):
        if str(parent) in installed:
            return installed[str(parent)] / PurePosixPath(name).relative_to(parent)
    return None


def rewrite(folder, installed, base):
    """Changes the links and paths of all pages in `folder`, which the package has in `base`.
    `installed` has the places of files and folders of the repository.
    """
    sources = {there: Path(name) for name, there in installed.items()}
    for page in folder.rglob("*.md"):
        there = base / page.relative_to(folder)
        source = next(sources[parent] / there.relative_to(parent)
                      for parent in (there, *there.parents) if parent in sources)

        def link(found, source=source, there=there):
            text, target = found[1], found[2]
            path, hash_, part = target.partition("#")
            if ":" in target or not path:
                return found[0]
            name = os.path.normpath(source.parent / path)
            new = place(name, installed)
            if new is None:
                return f"`{name}` of the source" if text == name else \
                    f"{text} (`{name}` of the source)"
            inside = new.is_relative_to(base)
            new = os.path.relpath(new, there.parent) if inside else new
            return f"[{text}]({new}{hash_}{part})"

        pieces = FENCE.split(page.read_text())
        text = "".join(piece if piece.startswith("```") else LINK.sub(link, piece)
                       for piece in pieces)
        # The changelog says what was where.
        page.write_text(text if source.name == "CHANGELOG.md" else paths(text, installed, base))


def paths(text, installed, base):
    """The text with the paths of a package in commands and between quotes."""
    for name in ("packaging/monitoring", "packaging/stunnel.conf", "packaging/martlet.service"):
        new = str(installed[name]).removeprefix("/" if base == Path("/") else "")
        # The commands that install the unit are for a clone.
        quoted = name == "packaging/martlet.service"
        text = text.replace(f"`{name}`", f"`{new}`") if quoted else \
            re.sub(rf"(?<![\w/.]){re.escape(name)}(?![\w-])", new, text)
    return text
