"""What the program is made of, in SPDX 2.3 as JSON: https://spdx.github.io/spdx-spec/v2.3/."""

import hashlib
import json
import re
import subprocess
import time
import uuid

APACHE, SWIFT = "Apache-2.0", "Apache-2.0 WITH Swift-exception"
GCC = "GPL-3.0-or-later WITH GCC-exception-3.1"
# Linked into the program with the runtime of Swift.
RUNTIME = {
    "swift-stdlib": ("https://github.com/swiftlang/swift", SWIFT),
    "swift-corelibs-libdispatch":
        ("https://github.com/swiftlang/swift-corelibs-libdispatch", SWIFT),
    "swift-foundation": ("https://github.com/swiftlang/swift-foundation", SWIFT),
    "swift-collections": ("https://github.com/apple/swift-collections", SWIFT),
    "swift-experimental-string-processing":
        ("https://github.com/swiftlang/swift-experimental-string-processing", SWIFT),
}
# The part that has a module. Those of the standard library are `s` and `So` among symbols.
MODULES = {
    "Dispatch": "swift-corelibs-libdispatch", "FoundationEssentials": "swift-foundation",
    "Glibc": "swift-stdlib", "Observation": "swift-stdlib", "Synchronization": "swift-stdlib",
    "_Concurrency": "swift-stdlib", "_FoundationCollections": "swift-collections",
    "_RegexParser": "swift-experimental-string-processing",
    "_StringProcessing": "swift-experimental-string-processing",
}
# Found when the program runs. Each with its Debian package, its home and its license.
LIBRARIES = {
    "libsqlite3.so.0": ("libsqlite3-0", "https://www.sqlite.org", "blessing"),
    "libz.so.1": ("zlib1g", "https://zlib.net", "Zlib"),
    "libcrypt.so.1": ("libcrypt1", "https://github.com/besser82/libxcrypt", "LGPL-2.1-or-later"),
    "libexpat.so.1": ("libexpat1", "https://libexpat.github.io", "MIT"),
    "libstdc++.so.6": ("libstdc++6", "https://gcc.gnu.org", GCC),
    "libgcc_s.so.1": ("libgcc-s1", "https://gcc.gnu.org", GCC),
    "libc.so.6": ("libc6", "https://www.gnu.org/software/libc/", "LGPL-2.1-or-later"),
    "libm.so.6": ("libc6", "https://www.gnu.org/software/libc/", "LGPL-2.1-or-later"),
    "ld-linux-x86-64.so.2": ("libc6", "https://www.gnu.org/software/libc/", "LGPL-2.1-or-later"),
}
# Loaded by name, by the parts that use them.
OPTIONAL = {
    "libcurl.so.4": ("libcurl4", "https://curl.se", "curl"),
    "libdqlite.so.0":
        ("libdqlite0", "https://dqlite.io", "LGPL-3.0-only WITH LGPL-3.0-linking-exception"),
}


def needed(binary):
    """The shared libraries that the program names."""
    text = subprocess.run(["objdump", "--private-headers", str(binary)], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return re.findall(r"NEEDED +(\S+)", text)


def package_of(library):
    """The package of Debian that has a library."""
    return LIBRARIES[library][0]


def symbols(program):
    """The names of a program that was not stripped."""
    text = subprocess.run(["nm", str(program)], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return {line.split()[-1] for line in text.splitlines()}


def linked(names):
    """The parts that are linked into a program with these symbols. A module of Swift has a
    descriptor, `MXM`: https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst.
    """
    found = {"swift-stdlib"}
    for name in names:
        match = re.match(r"\$s(\d+)(\w+)MXM$", name)
        if match is None or match[2].startswith("Martlet"):
            continue
        if int(match[1]) != len(match[2]) or match[2] not in MODULES:
            raise SystemExit(f"sbom: no part has the module of {name}: add it to scripts/sbom.py")
        found.add(MODULES[match[2]])
    if len(found) == 1:
        raise SystemExit("sbom: the program has no symbols of modules")
    return [part for part in RUNTIME if part in found]


def swift_version():
    text = subprocess.run(["swift", "--version"], check=True, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout
    return re.search(r"Swift version ([\d.]+)", text)[1]


def package(name, version, home, license_, purpose="LIBRARY"):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name,
        "versionInfo": version, "downloadLocation": home, "filesAnalyzed": False,
        "licenseConcluded": "NOASSERTION", "licenseDeclared": license_,
        "copyrightText": "NOASSERTION", "primaryPackagePurpose": purpose}


def document(binary, program, release):
    """The text for a program; `release` has its version, its commit and its time. `program` is the
    same before it was stripped.
    """
    swift, sum_ = swift_version(), hashlib.sha256(binary.read_bytes()).hexdigest()
    main = package("martlet", release.version, "NOASSERTION", APACHE, "APPLICATION") | {
        "checksums": [{"algorithm": "SHA256", "checksumValue": sum_}],
        "sourceInfo": f"commit {release.commit}"}
    packages, links = [main], [("SPDXRef-DOCUMENT", "DESCRIBES", main)]
    static = [(part, swift, *RUNTIME[part]) for part in linked(symbols(program))]
    # Integer functions and the code that starts a program, from the compiler of the system.
    static.append(("libgcc", "NOASSERTION", "https://gcc.gnu.org", GCC))
    for part in static:
        packages.append(package(*part))
        links.append((main["SPDXID"], "STATIC_LINK", packages[-1]))
    for libraries, kind in [({each: LIBRARIES[each] for each in needed(binary)}, "DYNAMIC_LINK"),
                            (OPTIONAL, "OPTIONAL_DEPENDENCY_OF")]:
        for name, home, license_ in dict.fromkeys(libraries.values()):
            part = package(name, "NOASSERTION", home, license_)
            packages.append(part)
            # An optional dependency is named from its own side.
            links.append((main["SPDXID"], kind, part) if kind == "DYNAMIC_LINK" else
                         (part["SPDXID"], kind, main))
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"martlet-{release.version}",
        # A name that is the same for the same program.
        "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, sum_)}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(release.time)),
                         "creators": ["Tool: scripts/sbom.py"]},
        "packages": packages,
        "relationships": [{"spdxElementId": one, "relationshipType": kind,
                           "relatedSpdxElement": other["SPDXID"]} for one, kind, other in links],
    }, indent=1) + "\n"
