"""A clean Debian, as debootstrap makes it, kept between runs, and copies of it to work in."""

import shlex
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


class Root:
    """A copy of a clean Debian, with the network and the processes of this machine."""

    def __init__(self, folder, name):
        self.path = Path(folder) / name
        subprocess.run(["cp", "-a", clean_root(), self.path], check=True)
        for name in ("etc/resolv.conf", "etc/apt/apt.conf.d", "etc/apt/sources.list.d",
                     "etc/apt/sources.list", "etc/apt/trusted.gpg.d"):
            there, here = self.path / name, Path("/", name)
            if here.is_dir():
                shutil.copytree(here, there, dirs_exist_ok=True)
            elif here.exists():
                there.unlink(missing_ok=True)
                shutil.copy(here, there)

    def words(self, *command):
        """The words that run a command in the root, with /proc and devices that end with it."""
        script = ('mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && '
                  'exec chroot ${USER_:+--userspec=$USER_:$USER_} "$0" "$@"')
        return ["unshare", "--mount", "sh", "-ec", script, str(self.path), *command]

    def environment(self, user=None):
        return {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive",
                "LC_ALL": "C.UTF-8", "HOME": "/", **({"USER_": user} if user else {})}

    def run(self, *command, user=None, **more):
        environment = self.environment(user) | more.pop("env", {})
        return subprocess.run(self.words(*command), env=environment, text=True, **more)

    def output(self, *command, **more):
        done = self.run(*command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
        if done.returncode:
            raise SystemExit(f"{shlex.join(command)} failed:\n{done.stdout}")
        return done.stdout

    def file(self, path):
        return self.path / path
