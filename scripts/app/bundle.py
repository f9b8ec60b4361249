#!/usr/bin/python3
"""Bundles the web app: App/ in, Pages/app/ out, which the program embeds.

    scripts/app/bundle.py            writes Pages/app (`make assets` calls this)
    scripts/app/bundle.py --check    exits 1 if Pages/app is not made of App as it is now
    scripts/app/bundle.py --sizes    prints what each part takes with gzip

The modules are bundled because 60 KiB are allowed for all of the app: the same files one by one
take half as much again. The check needs no esbuild: it compares hashes in version.json.
"""

import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
APP, PAGES = ROOT / "App", ROOT / "Pages" / "app"
# Embedded from App as they are: there is nothing to leave out.
AS_THEY_ARE = ["manifest.webmanifest", "icon.svg", "icon-maskable.svg", "icon.png"]
ENTRIES = ["main.js", "theme.js", "style.css", "sw.js"]
# What the first view loads; the rest comes when it is needed. Of the two languages it loads one.
FIRST = ["index.html", "theme.js", "style.css", "main.js", "en.js",
         "manifest.webmanifest", "icon.svg"]
TARGET = "chrome123,firefox128,safari17.4"


def sources():
    return sorted(path for path in APP.rglob("*") if path.is_file() and path.suffix != ".md"
                  and not path.name.startswith(".") and not path.name.endswith("~"))


def digest(files):
    """A hash of names and contents."""
    sum_ = hashlib.sha256()
    for path in files:
        body = path.read_bytes()
        sum_.update(f"{path.name} {len(body)}\n".encode() + body)
    return sum_.hexdigest()


def parts(folder):
    """What the program serves, but for version.json."""
    made = [path for path in folder.iterdir() if path.name != "version.json"]
    return sorted(made, key=lambda path: path.name) + [APP / name for name in AS_THEY_ARE]


def build(folder):
    """Makes all parts in an empty folder."""
    for tool in ("esbuild", "terser", "zopfli"):
        if not shutil.which(tool):
            sys.exit(f"scripts/app/bundle.py: {tool} is missing: apt-get install {tool}")
    done = subprocess.run(
        ["esbuild", *ENTRIES, "--bundle", "--splitting", "--format=esm", "--minify",
         f"--target={TARGET}", "--chunk-names=[name]-[hash]", f"--outdir={folder}",
         "--log-level=warning", "--log-override:require-resolve-not-external=error",
         "--charset=utf8"], cwd=APP)
    if done.returncode:
        sys.exit(1)
    rename(folder)
    for name in ("main.js", "later.js"):
        # Debian's modules, also for another node than Debian's.
        done = subprocess.run(
            ["terser", folder / name, "--module", "--mangle", "--compress",
             "passes=3,ecma=2020,unsafe_arrows=true,collapse_vars=false", "--output", folder / name],
            env=os.environ | {"NODE_PATH": "/usr/share/nodejs"})
        if done.returncode:
            sys.exit(1)
    (folder / "index.html").write_text(page())
    for path in [*folder.iterdir()]:
        # The smallest form of gzip, without a time.
        subprocess.run(["zopfli", "--i50", path], check=True)
        path.unlink()
    kept = [f"/app/{path.name.removesuffix('.gz')}" for path in parts(folder)
            if path.name not in ("index.html.gz", "sw.js.gz")]
    version = {"version": digest(parts(folder))[:16], "parts": ["/", *kept],
               "sources": digest(sources())[:16]}
    (folder / "version.json").write_text(json.dumps(version, indent=1) + "\n")


def rename(folder):
    """Names without hashes. All that later.js needs of main.js is in one chunk: that is main.js."""
    stub = re.fullmatch(r'import"./(chunk-\w+\.js)";\n', (folder / "main.js").read_text())
    if not stub:
        sys.exit("scripts/app/bundle.py: App/later.js must import all of main.js")
    (folder / stub.group(1)).replace(folder / "main.js")
    names = {stub.group(1): "main.js"}
    for path in folder.glob("*-????????.js"):
        names[path.name] = f"{path.stem[:-9]}.js"
        path.rename(folder / names[path.name])
    for path in folder.glob("*.js"):
        text = path.read_text()
        for old, new in names.items():
            text = text.replace(f'"./{old}"', f'"./{new}"')
        path.write_text(text)


def page():
    """The page without indentation."""
    lines = [line.strip() for line in (APP / "index.html").read_text().split("\n")]
    return "\n".join(line for line in lines if line) + "\n"


def is_current():
    try:
        version = json.loads((PAGES / "version.json").read_text())
        return version["sources"] == digest(sources())[:16] and \
            version["version"] == digest(parts(PAGES))[:16]
    except (OSError, KeyError, ValueError):
        return False


def write():
    """Keeps the times of files that did not change, which the build compares."""
    with tempfile.TemporaryDirectory() as made:
        build(Path(made))
        PAGES.mkdir(exist_ok=True)
        names = {path.name for path in Path(made).iterdir()}
        for old in PAGES.iterdir():
            if old.name not in names:
                old.unlink()
        for path in Path(made).iterdir():
            there = PAGES / path.name
            if not there.exists() or there.read_bytes() != path.read_bytes():
                shutil.copy(path, there)


def sizes():
    with tempfile.TemporaryDirectory() as made:
        build(Path(made))
        rows = []
        for path in [*parts(Path(made)), Path(made) / "version.json"]:
            body = path.read_bytes()
            is_small = path.suffix == ".gz"
            plain, small = (gzip.decompress(body), body) if is_small else \
                (body, min(body, gzip.compress(body, 9), key=len))
            rows.append((path.name.removesuffix(".gz"), len(plain), len(small)))
    for name, plain, small in rows:
        print(f"{name:24}{plain:8,}{small:8,}{'  first view' if name in FIRST else ''}")
    for what, chosen in ("first view", [r for r in rows if r[0] in FIRST]), ("all", rows):
        print(f"{what:24}{sum(r[1] for r in chosen):8,}{sum(r[2] for r in chosen):8,}")


if sys.argv[1:] == ["--check"]:
    if not is_current():
        sys.exit("Pages/app:1: is not made of App as it is now: run make assets")
elif sys.argv[1:] == ["--sizes"]:
    sizes()
elif sys.argv[1:]:
    sys.exit(__doc__.split("\n\n")[1])
elif not is_current():
    write()
