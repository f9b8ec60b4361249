"""Mail servers for checks, with aiosmtpd."""

import asyncio
import email.policy
import logging
import ssl
import subprocess
import sys
import threading
import warnings

from lib.tools import installed
from lib.waiting import wait

USER, PASSWORD = "anna@example.com", "a pass-word with blanks"


def library():
    """Makes aiosmtpd importable; `False` if it cannot be installed."""
    program = installed("aiosmtpd==1.4.6", "aiosmtpd")
    if program is None:
        return False
    sys.path[:0] = map(str, program.parent.parent.glob("lib/python3*/site-packages"))
    # It warns of what a check does on purpose.
    warnings.simplefilter("ignore")
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
    return True


def certificate(folder):
    """A certificate for 127.0.0.1 and its key, in one file."""
    file = folder / "mail.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", file, "-out", file],
        check=True, capture_output=True)
    return file


class Message:
    """A mail that has arrived: the envelope, and the text as Python's `email` reads it."""

    def __init__(self, server, session, envelope):
        self.hello, self.sender, self.recipients = session.host_name, envelope.mail_from, envelope.rcpt_tos
        self.is_encrypted = server.transport.get_extra_info("ssl_object") is not None
        self.user = session.auth_data
        self.bytes = envelope.original_content
        self.read = email.message_from_bytes(self.bytes, policy=email.policy.default)

    def __getitem__(self, name):
        return self.read[name]

    @property
    def text(self):
        return self.read.get_content()


class MailServer:
    """A mail server at a port of 127.0.0.1, as `security` says: `tls`, `starttls` or `none`.

    `replies` are the next answers, by the command: `RCPT`, `DATA` for the end of a text, `EHLO`. A
    reply is a text such as `451 Later`, `cut` to close the connection, or `hang`. Without one the
    command succeeds. A client must sign in if `asks`.
    """

    def __init__(self, security="none", file=None, asks=False):
        from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
        self.seen, self.replies, self.commands = [], {}, []
        service = self

        async def reply(command, server, usual):
            service.commands.append(command)
            answers = service.replies.get(command)
            answer = answers.pop(0) if answers else usual
            if answer == "hang":
                await service.hang()
                answer = "cut"
            if answer == "cut":
                server.transport.close()
                raise ConnectionResetError
            return answer

        class Handler:
            async def handle_EHLO(self, server, session, envelope, hostname, responses):
                session.host_name = hostname
                responses[-1] = await reply("EHLO", server, responses[-1])
                return responses

            async def handle_RCPT(self, server, session, envelope, address, options):
                answer = await reply("RCPT", server, "250 OK")
                if answer.startswith("250"):
                    envelope.rcpt_tos.append(address)
                return answer

            async def handle_DATA(self, server, session, envelope):
                message = Message(server, session, envelope)
                answer = await reply("DATA", server, service.decide(message))
                if answer.startswith("250"):
                    service.seen.append(message)
                return answer

            async def handle_exception(self, problem):
                return "451 Internal error"

        def authenticate(server, session, envelope, mechanism, data):
            service.commands.append("AUTH")
            known = LoginPassword(USER.encode(), PASSWORD.encode())
            return AuthResult(success=data == known, handled=False, auth_data=USER if data == known else None)

        context = None
        if security != "none":
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(file)
        self.loop = asyncio.new_event_loop()
        self.listening = self.loop.run_until_complete(self.loop.create_server(
            lambda: SMTP(
                Handler(), hostname="127.0.0.1", authenticator=authenticate, auth_required=asks, loop=self.loop,
                auth_require_tls=security == "starttls", require_starttls=security == "starttls",
                tls_context=context if security == "starttls" else None),
            "127.0.0.1", 0, ssl=context if security == "tls" else None))
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.port = self.listening.sockets[0].getsockname()[1]
        self.url = f"smtp{'s' if security == 'tls' else ''}://127.0.0.1:{self.port}"

    def decide(self, message):
        """The reply to a mail, if `replies` has none."""
        return "250 OK"

    async def hang(self):
        """What `hang` waits for. Then the connection is closed."""
        await asyncio.sleep(3_600)

    def arrived(self, count=1):
        """The newest mail, when so many have arrived."""
        return wait(f"{count} mails have arrived", lambda: len(self.seen) >= count and self.seen[count - 1])

    def close(self):
        self.loop.call_soon_threadsafe(self.listening.close)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
