"""Serves files of the app and forwards the rest to a Martlet server: for development and tests."""

import hashlib
import http.client
import http.server
import json
import pathlib
import sys
import threading

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types marks worker"
)
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".json": "application/json",
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder: pathlib.Path | None
    backend: str
    instead: dict

    def log_message(self, *_):
        pass

    def served(self):
        """The media type and the bytes of what is not asked of the server."""
        path = self.path.split("?")[0]
        if path in self.instead:
            return TYPES[pathlib.Path(path).suffix], self.instead[path]
        if not self.folder:
            return None
        if path == "/app/version.json":
            return TYPES[".json"], self.version()
        if path == "/" and "text/html" in self.headers.get("Accept", ""):
            path = "/app/index.html"
        if path == "/sw.js":
            path = "/app/sw.js"
        file = self.folder / path[5:]
        if not path.startswith("/app/") or ".." in path or not file.is_file():
            return None
        return TYPES.get(file.suffix, "text/plain"), file.read_bytes()

    def version(self):
        """What version.json is for files that were not bundled."""
        files = sorted(path for path in self.folder.rglob("*") if path.suffix in TYPES
                       and path.name not in ("sw.js", "index.html", "version.json"))
        names = [f"/app/{path.relative_to(self.folder).as_posix()}" for path in files]
        sum_ = hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()
        return json.dumps({"version": sum_[:16], "parts": ["/", *names]}).encode()

    def handle_one(self):
        if self.command in ("GET", "HEAD") and (found := self.served()):
            type_, body = found
            self.send_response(200)
            self.send_header("Content-Type", type_)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-cache")
            self.send_header("Content-Security-Policy", CSP)
            self.send_header("Referrer-Policy", "no-referrer")
            self.send_header("Cross-Origin-Opener-Policy", "same-origin")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.end_headers()
            self.wfile.write(body)
            return
        self.forward()

    def forward(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else None
        connection = http.client.HTTPConnection("127.0.0.1", int(self.backend), timeout=90)
        headers = {k: v for k, v in self.headers.items() if k.lower() not in ("connection",)}
        try:
            connection.request(self.command, self.path, body, headers)
            answer = connection.getresponse()
        except OSError:
            self.close_connection = True
            self.connection.close()
            return
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection", "content-length"):
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            while chunk := answer.read1(65536):
                self.wfile.write(chunk)
                self.wfile.flush()
        except OSError:
            pass
        connection.close()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = handle_one


def serve(folder, backend, port=0, instead=None):
    """Starts in a thread. Returns the server, whose `server_port` is its port.

    `folder` has the app; without one the server's own app is served. `instead` are parts by path.
    """
    made = type("H", (Handler,), {"folder": folder and pathlib.Path(folder),
                                  "backend": str(backend), "instead": instead or {}})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), made)
    server.daemon_threads = True
    # A window that is closed cuts its streams.
    server.handle_error = lambda *_: None
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    server = serve(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 0)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    threading.Event().wait()
