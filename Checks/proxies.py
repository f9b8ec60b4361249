"""nginx, Caddy and HAProxy with the recipes of docs/proxies.md, each in front of a server, with TLS.

Only ports, paths and the address of the server are replaced in a recipe, and each proxy compresses.
"""

import os
import pathlib
import re
import signal
import socket
import subprocess

from lib.server import Process, free_port
from lib.waiting import fail, wait

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "todo.example.org"
os.environ["PATH"] += ":/usr/sbin"


def answers(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


def recipe(title, page="docs/proxies.md", level="##"):
    """The indented code block of a section."""
    section = (ROOT / page).read_text().split(f"\n{level} {title}\n")[1].split(f"\n{level} ")[0]
    lines = re.findall(r"(?m)^(?:    (.*)|)$", section[section.index("\n    "):])
    return "\n".join(lines).strip() + "\n"


def replaced(text, *pairs):
    for old, new in pairs:
        if old not in text:
            fail(f"the recipe has no {old!r}")
        text = text.replace(old, new)
    return text


def certify(folder):
    """Writes a certificate for the public name, and for the address of this machine."""
    names = f"subjectAltName=DNS:{NAME},IP:127.0.0.1"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", f"/CN={NAME}", "-addext", names, "-keyout", folder / "key.pem",
         "-out", folder / "cert.pem"], check=True, stderr=subprocess.DEVNULL)


class Proxy(Process):
    stop = signal.SIGTERM

    def __init__(self, folder, server):
        self.folder, self.port = folder, free_port()
        self.logs = folder / "logs"
        self.logs.mkdir()
        files = [(f"/etc/ssl/certs/{NAME}.pem", f"{folder}/cert.pem"), (f"/etc/ssl/private/{NAME}.key", f"{folder}/key.pem")]
        command = self.prepare(("127.0.0.1:8080", f"127.0.0.1:{server}"), *files)
        environment = os.environ | {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        super().__init__(command, self.logs / "output", folder=folder, environment=environment)
        self.start()
        wait(f"{command[0]} listens", lambda: self.must_run() and answers(self.port))


class Nginx(Proxy):
    def prepare(self, *pairs):
        text = replaced(recipe("nginx"), ("listen 443", f"listen 127.0.0.1:{self.port}"), ("/var/log/nginx", str(self.logs)), *pairs)
        (self.folder / "martlet.conf").write_text(text)
        places = "".join(f"{name}_temp_path {self.folder}/{name};\n" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"])
        # Debian's nginx.conf includes such a file in the same way.
        (self.folder / "nginx.conf").write_text(
            f"daemon off;\npid {self.folder}/pid;\nerror_log {self.logs}/error.log;\nevents {{}}\n"
            f"http {{\ngzip on;\ngzip_proxied any;\ngzip_types application/json text/calendar text/csv;\n"
            f"access_log {self.logs}/access.log;\n{places}include {self.folder}/martlet.conf;\n}}\n")
        return ["nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf"), "-e", "stderr"]


class Caddy(Proxy):
    def prepare(self, *pairs):
        # Uses unprivileged ports, and the local certificate instead of one from Let's Encrypt.
        ports = f"{{\n    admin off\n    http_port {free_port()}\n    https_port {self.port}\n"
        text = replaced(recipe("Caddy"), ("# tls ", "tls "), ("    log\n    reverse", "    log\n    encode gzip\n    reverse"), *pairs)
        (self.folder / "Caddyfile").write_text(ports + text.removeprefix("{\n"))
        return ["caddy", "run", "--adapter", "caddyfile", "--config", str(self.folder / "Caddyfile")]


class HAProxy(Proxy):
    # SIGTERM would be its exit status.
    stop = signal.SIGUSR1

    def prepare(self, address, certificate, key):
        # The certificate and the key are in one file.
        pem = self.folder / "both.pem"
        pem.write_text((self.folder / "cert.pem").read_text() + (self.folder / "key.pem").read_text())
        text = replaced(
            recipe("HAProxy"), ("bind :443", f"bind 127.0.0.1:{self.port}"), (f"/etc/ssl/private/{NAME}.pem", str(pem)),
            ("log /dev/log local0", "log stdout format raw local0"),
            ("default_backend", "compression algo gzip\n    compression type application/json text/calendar\n    default_backend"),
            address)
        (self.folder / "haproxy.cfg").write_text(text)
        return ["haproxy", "-db", "-f", str(self.folder / "haproxy.cfg")]
