"""The last release of this repository, and a build of it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Builds of released commits, kept between runs.
WORK = ROOT / ".build/api"
SWIFT = os.environ.get("SWIFT", "swift")


def output(*command, folder=ROOT):
    done = subprocess.run(command, check=True, text=True, cwd=folder, stdout=subprocess.PIPE)
    return done.stdout.strip()


def last_release():
    """The commit of the last release: its tag, or the one that stored its database
    (docs/releasing.md)."""
    files = sorted((ROOT / "Tests/Released").glob("*.db"),
                   key=lambda file: [int(part) for part in file.stem.split(".")])
    version = files[-1].stem
    commit = output("git", "tag", "--list", f"v{version}") or output(
        "git", "log", "-1", "--format=%H", "--diff-filter=A", "--", f"Tests/Released/{version}.db")
    if not commit:
        sys.exit(f"this clone has no commit of version {version}; "
                 "run git fetch --unshallow --tags")
    print(f"  the last release is {version}", flush=True)
    return commit


def built(commit, product=None):
    """A folder with the sources of a commit, in which all of them are built, or only a product."""
    folder = WORK / output("git", "rev-parse", f"{commit}^{{commit}}")
    done = folder / "built"
    if product and not done.exists():
        done = folder / f"built-{product}"
    if not done.exists():
        if not any(folder.glob("built*")):
            shutil.rmtree(WORK, ignore_errors=True)
            output("git", "clone", "--quiet", str(ROOT), str(folder))
            output("git", "checkout", "--quiet", folder.name, folder=folder)
        print(f"  building {folder.name[:8]}", flush=True)
        output(SWIFT, "build", *(["--product", product] if product else []), folder=folder)
        done.touch()
    return folder
