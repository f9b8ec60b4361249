"""Runs commands of README.md as a reader would. The sections between `<!-- name -->` and
`<!-- /name -->` have blocks of `console`: lines that begin with `$ ` are commands, the ones after
them their output, in which `…` stands for any text.
"""

import re
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# For output that comes a moment later, such as an alarm that rings.
PATIENCE = 20


def commands(section):
    """The commands of a section, each with the pattern of its output, or None without one."""
    page = (ROOT / "README.md").read_text()
    text = page.split(f"<!-- {section} -->\n")[1].split(f"<!-- /{section} -->\n")[0]
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line.removeprefix("$ "), []))
            elif line != "# in another terminal":
                found[-1][1].append(line)
    if not found:
        raise SystemExit(f"README.md has no commands in the section {section}")
    return [(command, "\n".join(output) or None) for command, output in found]


def matches(text, pattern):
    expected = ".*".join(re.escape(part) for part in pattern.split("…"))
    return re.fullmatch(expected, text.strip()) is not None


def check(command, pattern, run):
    """Runs a command with `run`, which returns what it prints, and compares that."""
    text = run(command)
    if pattern:
        end = time.monotonic() + PATIENCE
        while not matches(text, pattern) and time.monotonic() < end:
            time.sleep(0.2)
            text = run(command)
        if not matches(text, pattern):
            raise SystemExit(f"README.md says that\n  {command}\nprints\n  {pattern}\n"
                             f"It printed\n  {text}")
    print(f"  $ {command}", flush=True)
