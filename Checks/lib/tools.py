"""Programs of PyPI that checks use, each in an environment of its own in .build."""

import os
import shutil
import subprocess
import sys

from lib.server import ROOT
from lib.waiting import fail


def installed(package, program=None, needed=True, also=()):
    """The path of a program, which is installed if it is missing; `None` if that is not possible.

    `also` are further packages in its environment.
    Then the check fails if the program is `needed`, unless MAY_SKIP is set, as it is in CI.
    """
    program = program or package
    folder = ROOT / ".build" / program
    file, known = folder / "bin" / program, folder / "packages"
    packages = " ".join([package, *also])
    has_all = not also or known.exists() and known.read_text() == packages
    if file.exists() and has_all:
        return file
    print(f"installing {package} into .build", file=sys.stderr)
    try:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin" / "pip", "install", "--quiet", package, *also], check=True)
        known.write_text(packages)
    except (OSError, subprocess.CalledProcessError):
        shutil.rmtree(folder, ignore_errors=True)
        why = f"cannot install {package}; it needs python3-venv and PyPI"
        if needed and not os.environ.get("MAY_SKIP"):
            fail(why)
        print(why, file=sys.stderr)
        return None
    return file
