"""A clean Debian, as debootstrap makes it, kept between runs."""

import shutil
import subprocess
from pathlib import Path

RELEASE = "bookworm"
WORK = Path(__file__).resolve().parent.parent / ".build" / "image"


def clean_root(work=WORK):
    """The folder of the root. Nothing may be changed in it."""
    base = Path(work) / "base"
    if not (base / "etc/os-release").exists():
        shutil.rmtree(base, ignore_errors=True)
        base.parent.mkdir(parents=True, exist_ok=True)
        print(f"  running debootstrap for {RELEASE}", flush=True)
        subprocess.run(["debootstrap", "--variant=minbase", "--include=ca-certificates", RELEASE,
                        str(base)], check=True, stdout=subprocess.DEVNULL)
    return base
