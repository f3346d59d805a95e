"""The bill of materials of a release: CycloneDX 1.6 in JSON, beside the wheels.

Its components are the files in dist/ with their SHA-256, the libraries that auditwheel laid into the wheels (of the bill that
it leaves in each), and those that are linked into gridcell's own, by the Debian packages that they come of.
"""
import hashlib
import json
import re
import shutil
import subprocess
import uuid
import zipfile

# linked in: a package that has it (a binary's or a source's name), its license by SPDX
LINKED = {"llvm-19-dev": "Apache-2.0 WITH LLVM-exception", "libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
          "zlib1g-dev": "Zlib", "libsleef-dev": "BSL-1.0"}
ZEROMQ = "zeromq3", "MPL-2.0"


def _installed_version(package):
    if not shutil.which("dpkg-query"):
        return None
    found = subprocess.run(["dpkg-query", "--show", "--showformat", "${Version}", package], text=True, capture_output=True)
    return found.stdout if found.returncode == 0 else None


def _debian(package, version, license_text):
    component = {"type": "library", "name": package, "licenses": [{"expression": license_text}]}
    if version:
        component.update(version=version, purl=f"pkg:deb/debian/{package}@{version.replace('+', '%2B').replace(':', '%3A')}")
    return component


def _laid_in(wheel):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith("/sboms/auditwheel.cdx.json"):
                yield from json.loads(archive.read(name))["components"]


def bill(root, files, version):
    """`files`: wheels and the sdist of one version, as paths."""
    made = [{"type": "file", "name": file.name, "hashes": [
        {"alg": "SHA-256", "content": hashlib.sha256(file.read_bytes()).hexdigest()}]} for file in files]
    zeromq = re.search(r"^version=(\S+)$", (root / "scripts/libzmq").read_text(), re.M)[1]
    linked = [_debian(package, _installed_version(package), license_text) for package, license_text in LINKED.items()]
    linked.append(_debian(ZEROMQ[0], zeromq, ZEROMQ[1]))
    laid_in = {component["purl"]: component for file in files if file.suffix == ".whl" for component in _laid_in(file)
               if component["name"] != "gridcell"}
    product = {"type": "application", "bom-ref": "gridcell", "name": "gridcell", "version": version,
               "licenses": [{"expression": "MIT"}], "purl": f"pkg:pypi/gridcell@{version}"}
    serial = uuid.uuid5(uuid.NAMESPACE_URL, "".join(part["hashes"][0]["content"] for part in made))
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "serialNumber": f"urn:uuid:{serial}",
            "metadata": {"component": product}, "components": [*made, *linked, *laid_in.values()]}
