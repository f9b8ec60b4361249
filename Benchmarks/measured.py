"""The comment above a table of measured figures: the command, the commit and what it measures.

    <!-- measured: make bench, 0123abcd, Sources Benchmarks/peers Benchmarks/bench -->

`tables` checks these comments.
"""

import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The web app is in the program too, but only `bench-app` measures it.
SERVER = "Sources :!Sources/System/CMartletAssets"
# What each command measures, as pathspecs of git.
MEASURED = {
    "make bench": f"{SERVER} Benchmarks/bench Benchmarks/peers Benchmarks/fanout.c",
    "make bench-quick": f"{SERVER} Benchmarks/bench Benchmarks/peers Benchmarks/fanout.c",
    "make bench-scale": f"{SERVER} Benchmarks/scale",
    "make bench-live": f"{SERVER} Benchmarks/live-bench",
    "make bench-queries": "Sources/Libraries/MartletQueryBuilder Sources/Libraries/MartletSQLite Sources/Libraries/MartletStore Sources/Libraries/MartletJSON "
                          "Benchmarks/query-bench Benchmarks/CBaseline",
    "make bench-attacks": f"{SERVER} Benchmarks/attacks",
    "make bench-alarms": f"{SERVER} Benchmarks/alarms",
    "make bench-caldav": f"{SERVER} Benchmarks/caldav",
    "make bench-app": "Sources App Benchmarks/app",
    "make bench-cluster": f"{SERVER} Benchmarks/cluster Benchmarks/cluster_load.py Benchmarks/cluster_events.py "
                          "Benchmarks/cluster_pauses.py",
    "make test-cost": f"{SERVER} Benchmarks/cost",
}
UNCOMMITTED = "uncommitted"


def git(*arguments, root=ROOT):
    """The output of git; `None` if it fails."""
    done = subprocess.run(["git", "--no-optional-locks", "-C", root, *arguments], capture_output=True, text=True, errors="replace")
    return done.stdout if done.returncode == 0 else None


def command(target, arguments):
    """The command for a target of the Makefile; the first of the arguments is the program."""
    more = " ".join(arguments[1:])
    return f'make {target} ARGS="{more}"' if more else f"make {target}"


def comment(command, root=ROOT):
    """The comment for figures that this command measures now, with the newest commit."""
    paths = MEASURED[" ".join(command.split()[:2])]
    commit = (git("rev-parse", "--short=8", "HEAD", root=root) or UNCOMMITTED).strip()
    if git("status", "--porcelain", "--", *paths.split(), root=root) != "":
        commit = UNCOMMITTED
    return f"<!-- measured: {command}, {commit}, {paths} -->"
