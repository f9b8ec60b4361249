"""The browser as a device that rings while no page is open.

A browser without the internet has no push service, so that subscribe() waits without end. Here the
page subscribes at a service of this process (`SUBSCRIBE`). What the server sends there is
decrypted and given to the worker by the protocol of the developer tools.
"""

import contextlib
import functools
import json
import urllib.request

import proxy
from alarms import instant, press
from lib.push import Device, PushService, library
from page import test
from webdriver import call, wait

# The endpoint is another one after each end, as a browser's is. It outlives a reload.
SUBSCRIBE = """{
  const kept = () => JSON.parse(localStorage.getItem("test.subscription") ?? "null");
  const made = (all) => all && { endpoint: `${all.origin}/${all.number}`,
    options: { applicationServerKey: new Uint8Array(all.key).buffer },
    toJSON() { return { endpoint: this.endpoint, keys: all.keys }; },
    async unsubscribe() { localStorage.removeItem("test.subscription"); return true; } };
  PushManager.prototype.getSubscription = async () => made(kept());
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly) throw new DOMException("Silent messages.", "NotAllowedError");
    const number = Number(localStorage.getItem("test.number") ?? 0) + 1;
    localStorage.setItem("test.number", number);
    localStorage.setItem("test.subscription", JSON.stringify({ ...%s, number,
      key: [...applicationServerKey] }));
    return made(kept());
  };
}"""
# What a test sees and does in the worker. A script may not focus a window.
HOOK = """
{
  const shown = [], opened = [], { prototype } = ServiceWorkerRegistration;
  const { showNotification } = prototype;
  let visibilityState = "visible";
  // Only then getNotifications() has it.
  prototype.showNotification = async function (title, options) {
    await showNotification.call(this, title, options);
    shown.push({ title, ...options });
  };
  Object.defineProperty(WindowClient.prototype, "visibilityState", { get: () => visibilityState });
  WindowClient.prototype.focus = async function () { return this; };
  Clients.prototype.openWindow = async (address) => { opened.push(address); };
  addEventListener("message", async ({ data: { tag, action, look, event }, ports: [port] }) => {
    if (!port) return;
    visibilityState = look ?? visibilityState;
    if (event) dispatchEvent(new ExtendableEvent(event));
    if (action !== undefined) {
      const [notification] = await registration.getNotifications({ tag });
      dispatchEvent(new NotificationEvent("notificationclick", { notification, action }));
    }
    port.postMessage({ shown, opened });
  });
}"""
# Chromium numbers the registrations of workers; others than the one of the app do not exist.
NUMBERS = range(40)
READY = "const done = arguments[0]; navigator.serviceWorker.ready.then("
NOTIFICATIONS = READY + """(worker) => worker.getNotifications()).then((all) => done(all.map(
  ({ title, body, tag, actions, silent, requireInteraction, data }) =>
    ({ title, body, tag, silent, requireInteraction, data,
      actions: actions.map(({ action, title }) => [action, title]) }))));"""


class Phone:
    """The browser as a device that rings: its push service, its worker and its notifications."""

    def __init__(self, page, key=None):
        self.page, self.b, self.house, self.key = page, page.browser, page.house, key
        self.service, self.device = PushService(), Device()
        self.host = self.service.origin.removeprefix("http://")

    @contextlib.contextmanager
    def lent(self):
        """At an address of its own, where the browser has stored nothing yet."""
        b, house = self.b, self.house
        worker = urllib.request.urlopen(f"{house.url}/sw.js").read()
        self.other = proxy.serve(house.app, house.port, instead={"/sw.js": worker + HOOK.encode()})
        self.url = f"http://127.0.0.1:{self.other.server_port}"
        subscription = json.dumps({"origin": self.service.origin, "keys": self.device.keys})
        script = self.before(SUBSCRIBE.replace("%s", subscription))
        try:
            self.allow("granted")
            b.cdp("ServiceWorker.enable")
            b.open(f"{self.url}/#{f'key={self.key}' if self.key else '/today'}")
            wait("the page is live", self.page.sign("Live"), quiet=True)
            wait("the worker is there", lambda: b.run(
                "return !!navigator.serviceWorker.controller"))
            yield
        finally:
            self.after(script)
            b.open("about:blank")
            self.other.shutdown()
            self.other.server_close()
            self.service.close()
            for each in self.rows():
                call("DELETE", f"{house.api}/v1/push/subscriptions/{each['id']}", key=self.key)

    def find_server(self):
        self.house.start()
        self.other.RequestHandlerClass.backend = str(self.house.port)
        self.b.run("dispatchEvent(new Event('online'))")
        wait("the page is live", self.page.sign("Live"), 30)

    def before(self, script):
        """What runs before the page from the next load on."""
        return self.b.cdp("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]

    def after(self, script):
        self.b.cdp("Page.removeScriptToEvaluateOnNewDocument", identifier=script)

    def allow(self, setting):
        self.b.cdp("Browser.setPermission", origin=self.url, setting=setting,
                   permission={"name": "notifications"})

    def asked(self, **data):
        """What the worker has shown and opened; before, it is told what to do."""
        return self.b.run_async("""
          const [data, done] = arguments, { port1, port2 } = new MessageChannel();
          port1.onmessage = ({ data }) => done(data);
          setTimeout(done, 10_000);
          navigator.serviceWorker.ready.then(({ active }) => active.postMessage(data, [port2]));""",
          data)

    def press(self, message, action=""):
        """Presses a button of a notification, or all of it."""
        self.asked(tag=f"alarm {message['alarm']}", action=action)

    def shown(self):
        """All that the worker has ever shown."""
        return self.asked()["shown"]

    def seen(self):
        """The notifications that are to be seen."""
        return self.b.run_async(NOTIFICATIONS)

    def rows(self):
        """What the server knows of devices."""
        return self.house.get("/v1/push/subscriptions", self.key)["items"]

    def turn_on(self):
        self.page.go("settings")
        press(self.page, "#main .set .btn:not([disabled])", "Ring on this device")
        wait("it is on", lambda: "It rings here" in self.b.text("#main"))

    def message(self, kind):
        """The message of a kind which the service has got, decrypted."""
        def found():
            for at, (_, _, body) in enumerate(self.service.seen):
                read = json.loads(self.device.read(body))
                if read["kind"] == kind:
                    del self.service.seen[at]
                    return read
        return wait(f"a message: {kind}", found, quiet=True)

    def deliver(self, data):
        """Gives a message to the worker, and returns what it has shown for that: exactly one."""
        before, text = len(self.shown()), data if isinstance(data, str) else json.dumps(data)
        for number in NUMBERS:
            self.b.cdp("ServiceWorker.deliverPushMessage", origin=self.url, data=text,
                       registrationId=str(number))
        wait("something is shown", lambda: len(self.shown()) > before, quiet=True)
        shown = self.shown()[before:]
        assert len(shown) == 1, shown
        return shown[0]

    def due(self, title, place="Home", **members):
        """A reminder that rings now."""
        now = {"dueDate": instant(1), "alarms": [{"offset": "PT0S"}]}
        return self.house.post("/v1/reminders", listID=self.house.list_id(place), title=title,
                               **{**now, **members})["id"]

    def ring(self, title, **members):
        """The same, and the message of it."""
        return self.due(title, **members), self.message("ring")


def with_phone(function):
    """A test with a device; it is left out where its libraries cannot be installed."""
    @functools.wraps(function)
    def run(page):
        if library():
            phone = Phone(page)
            try:
                with phone.lent():
                    function(page, phone)
            finally:
                page.browser.open(f"{page.house.url}/#/today")
                wait("the page is live", page.sign("Live"), 30, quiet=True)
        else:
            print("  left out: http_ece is not here, without PyPI")
    return test(run)
