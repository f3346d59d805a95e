"""The bill of materials that scripts/release writes."""
import hashlib
import json
import pathlib
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import sbom  # noqa: E402


def test_a_wheels_bill(tmp_path):
    wheel, sdist = tmp_path / "gridcell-0.1.0-cp311-cp311-manylinux.whl", tmp_path / "gridcell-0.1.0.tar.gz"
    laid_in = [{"type": "library", "name": "libssl3", "version": "3", "purl": "pkg:deb/debian/libssl3@3"},
               {"type": "library", "name": "gridcell", "purl": "pkg:pypi/gridcell"}]
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("gridcell-0.1.0.dist-info/sboms/auditwheel.cdx.json", json.dumps({"components": laid_in}))
    sdist.write_bytes(b"source")
    bill = sbom.bill(ROOT, [wheel, sdist], "0.1.0")
    parts = {part["name"]: part for part in bill["components"]}
    assert parts[sdist.name]["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256(b"source").hexdigest()}]
    assert parts["libssl3"] == laid_in[0] and "gridcell" not in parts
    assert parts["zeromq3"]["version"] in (ROOT / "scripts/libzmq").read_text()
    assert set(sbom.LINKED) < set(parts) and all("licenses" in parts[name] for name in sbom.LINKED)
    assert bill == sbom.bill(ROOT, [wheel, sdist], "0.1.0")  # the same of the same files
