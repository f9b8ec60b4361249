"""cadaver, keys, and a proxy with TLS."""


import shutil

from lib.waiting import check
from lib.web import basic
from place import Listener, hrefs
from programs import Cadaver, Vdirsyncer, run, written
from proxies import NAME, Nginx, certify

FIND = '<propfind xmlns="DAV:"><prop><displayname/><resourcetype/></prop></propfind>'


def cadaver(place, folder):
    """The WebDAV shell: ls, get, put, move, mkcol, properties, delete."""
    shell = Cadaver(folder / "cadaver", place.url, place.key)
    listener = Listener(place)
    there = folder / "cadaver"
    said = shell.run("lists/", "ls")
    check("Work" in said or str(place.lists["Work"]) in said, f"ls: {said}")
    (there / "shed.ics").write_text(written("shed", "Tidy the shed"))
    said = shell.run("lists/", "mkcol shell", "cd shell", f"put {there}/shed.ics", "ls",
                     f"get shed.ics {there}/again.ics", "move shed.ics tidy.ics", "ls",
                     f"move tidy.ics ../{place.lists['Books']}/tidy.ics")
    check("failed" not in said.lower() and "shed.ics" in said, f"cadaver: {said}")
    check((there / "again.ics").read_bytes() == (there / "shed.ics").read_bytes(),
          "get does not return what was put")
    listener.wait("Tidy the shed", "shell")
    caller = place.caller()
    books = caller.reminders(place.lists["Books"])
    check("shed" in books, "a moved to-do is not where it was moved to")
    said = shell.run(f"lists/{place.lists['Books']}/", "propset . color blue", "propget . color",
                     "propset . DAV:displayname Bücher", "rm tidy.ics")
    check("blue" in said, f"a property is not stored: {said}")
    listener.wait_removed(books["shed"]["id"])
    said = shell.run("lists/", "rmcol shell", "ls")
    check("Deleting collection `shell': succeeded" in said, f"rmcol: {said}")


def keys(place, folder):
    """What a key may see and do."""
    books = place.lists["Books"]
    path = f"/dav/lists/{books}/"
    reader = place.caller(place.make_key("--scope", "read"))
    limited = place.caller(place.make_key("--scope", "write", "--list", str(books)))

    found = reader.ask("PROPFIND", "/dav/lists/", FIND, Depth="1")
    check(found.status == 207 and len(hrefs(found.text)) > len(place.lists),
          "a key that reads does not see all lists")
    file = place.caller().ask("PROPFIND", path, FIND, Depth="1")
    file = [each for each in hrefs(file.text) if each != path][0]
    for method, target, body in [
        ("PUT", path + "x.ics", written("x", "X")), ("DELETE", file, None), ("DELETE", path, None),
        ("MKCALENDAR", "/dav/lists/x/", None), ("MKCOL", "/dav/lists/x/", None),
        ("MOVE", file, None),
        ("PROPPATCH", path, '<propertyupdate xmlns="DAV:"><set><prop><displayname>x</displayname>'
                            "</prop></set></propertyupdate>")]:
        answer = reader.ask(method, target, body, Destination=path + "y.ics")
        check(answer.status == 403 and "need-privileges" in answer.text,
              f"{method} with a key that reads: {answer.status} {answer.text}")
    check(reader.ask("GET", file).status == 200, "a key that reads cannot read")

    found = limited.ask("PROPFIND", "/dav/lists/", FIND, Depth="1")
    check(hrefs(found.text).count(path) and len(hrefs(found.text)) == 2,
          f"a limited key sees {hrefs(found.text)}")
    other = f"/dav/lists/{place.lists['Work']}/"
    for method, target in [("PROPFIND", other), ("GET", other), ("REPORT", other),
                           ("DELETE", other), ("GET", other + "m-1.ics")]:
        status = limited.ask(method, target, "" if method != "REPORT" else
                             '<sync-collection xmlns="DAV:"><sync-token/></sync-collection>').status
        check(status == 404, f"{method} of another list: {status}")
    status = limited.ask("PUT", other + "x.ics", written("x", "X"),
                         Content_Type="text/calendar").status
    check(status == 409, f"PUT into another list: {status}")
    check(limited.ask("MKCALENDAR", "/dav/lists/x/").status == 403, "a limited key makes lists")
    for answer in [limited.ask("MOVE", file, Destination=other + "y.ics")]:
        check(answer.status == 409, f"MOVE into another list: {answer.status}")
    computer = Vdirsyncer(folder / "limited", place.url, limited.key)
    computer.discover()
    computer.sync()
    seen = [each.name for each in computer.lists.iterdir()]
    check(seen == [str(books)], f"vdirsyncer with a limited key has {seen}")
    passwords(place)


def passwords(place):
    """Without a key, and with a wrong one."""
    nobody = place.caller("")
    for password in [None, "wrong", place.key + "x"]:
        fields = {} if password is None else {"Authorization": basic(password)}
        nobody.connection.request("PROPFIND", "/dav/", FIND, {"Depth": "0", **fields})
        response = nobody.connection.getresponse()
        response.read()
        schemes = [each.split()[0] for each in response.headers.get_all("WWW-Authenticate", [])]
        check(response.status == 401 and sorted(schemes) == ["Basic", "Bearer"],
              f"with the password {password!r}: {response.status} {schemes}")
    answer = place.caller("").ask("GET", "/v1/lists", Authorization=basic(place.key))
    check(answer.status == 401, "the JSON API takes passwords")
    answer = place.caller().ask("PROPFIND", "/dav/", FIND, Origin="https://elsewhere.example")
    check(answer.status == 403, "a page of another origin may ask")


def proxy(place, folder):
    """One sync through nginx with TLS, as docs/proxies.md shows it."""
    folder = folder / "proxy"
    folder.mkdir()
    certify(folder)
    nginx = Nginx(folder, place.server.port)
    try:
        address = f"https://127.0.0.1:{nginx.port}/dav/"
        name = str(place.lists["Home"])
        computer = Vdirsyncer(folder / "computer", address, place.key, [name],
                              more=f'verify = "{folder}/cert.pem"')
        computer.discover()
        computer.sync()
        one = computer.files(name)[0]
        one.write_text(one.read_text().replace("BEGIN:VTODO", "BEGIN:VTODO\nX-PROXY:yes", 1))
        computer.sync()
        text = place.caller().ask("GET", f"/dav/lists/{name}/").text
        check("X-PROXY:yes" in text, "a change through the proxy is not there")
        move(place, nginx, folder)
    finally:
        nginx.end()


def move(place, nginx, folder):
    """MOVE names a whole URL, with the name of the proxy."""
    work = f"https://{NAME}:{nginx.port}/dav/lists/{place.lists['Work']}/"
    curl = [shutil.which("curl"), "-s", "--cacert", folder / "cert.pem", "-u", f"me:{place.key}",
            "--resolve", f"{NAME}:{nginx.port}:127.0.0.1", "-w", "%{http_code}", "-o", "/dev/null"]
    (folder / "moved.ics").write_text(written("moved", "Moved"))
    _, put = run([*curl, "-T", folder / "moved.ics", "-H", "Content-Type: text/calendar",
                  work + "a.ics"])
    _, moved = run([*curl, "-X", "MOVE", "-H", f"Destination: {work}b.ics", work + "a.ics"])
    _, gone = run([*curl, work + "a.ics"])
    _, there = run([*curl, work + "b.ics"])
    check([put, moved, gone, there] == ["201", "201", "404", "200"],
          f"PUT, MOVE and two GET: {put} {moved} {gone} {there}")
