"""The other side of Web Push: a push service, and browsers that read what it passes on."""

import base64
import http.server
import random
import sys
import threading

from lib.tools import installed


def library():
    """Makes http_ece, py_vapid and cryptography importable; `False` if they cannot be installed."""
    program = installed("py-vapid==1.9.6", "vapid", also=["http_ece==1.2.1"])
    if program is None:
        return False
    sys.path[:0] = map(str, program.parent.parent.glob("lib/python3*/site-packages"))
    return True


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class PushService:
    """Takes messages at a port of 127.0.0.1, and answers with `status`."""

    def __init__(self):
        # The path, the header fields and the body of each message.
        self.seen, self.status = [], 201
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                service.seen.append((self.path, self.headers, body))
                self.send_response(service.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.origin = f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Device:
    """A browser with a subscription, of random keys."""

    def __init__(self, make=random):
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec
        self.key = ec.derive_private_key(make.randrange(1, 1 << 255), ec.SECP256R1())
        self.auth = make.randbytes(16)
        self.point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)

    @property
    def keys(self):
        """The member `keys` of its subscription."""
        return {"p256dh": encoded(self.point), "auth": encoded(self.auth)}

    def read(self, body):
        """The payload of a message."""
        import http_ece
        return http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth,
                                version="aes128gcm")
