#!/usr/bin/env python3
"""Asks programs that share no code with this project for their verdict on documents.

Each line of input is a JSON object:

    id        anything; it is handed back
    kind      "app" (PKCS#7), "transaction" (an iOS 6-style property list) or "signed" (JWS)
    document  the document's bytes, in base 64
    roots     PEM of the certificates to believe
    issuers   PEM of certificates that may stand between; for iOS 6-style receipts alone
    at        the instant to judge at, in seconds since 1970; absent where the receipt states none
    expected  of signed data what it must be: kind, bundleId, environment, appAppleId

Each line of output has the id and, for every referee that reads this kind, its verdict:

    {"id": …, "verdicts": {"openssl": {"verified": true, "says": "…", "content": "hex of SHA-256"}}}

The referees are `openssl cms` and, where this Python has the package,
`apple-purchase-receipt-verifier`; for iOS 6-style receipts `openssl dgst` with `openssl verify`; for
signed data that package and Apple's own, `app-store-server-library`.
"""

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import apple_purchase_receipt_verifier as peer
except ImportError:
    peer = None

try:
    from appstoreserverlibrary import signed_data_verifier as apple
    from appstoreserverlibrary.models.Environment import Environment
except ImportError:
    apple = None

# What an operator's configuration says must not change a verdict.
ENVIRONMENT = dict(os.environ, OPENSSL_CONF="/dev/null", LC_ALL="C")


class Folder:
    """A folder for the files that openssl reads; it is emptied by being written over."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()

    def file(self, name, content):
        path = os.path.join(self.folder.name, name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path


FOLDER = Folder()


def openssl(*arguments):
    return subprocess.run(
        ["openssl", *arguments], stdin=subprocess.DEVNULL, capture_output=True, env=ENVIRONMENT
    )


def last_words(outcome):
    """The reason in the last line that openssl wrote to its standard error."""
    lines = outcome.stderr.decode(errors="replace").strip().splitlines()
    return re.sub(r"^[0-9A-F]+:error:[0-9A-F]*:", "", lines[-1]) if lines else ""


def when(at):
    return ["-no_check_time"] if at is None else ["-attime", str(at)]


def cms_of_openssl(document, request):
    content = os.path.join(FOLDER.folder.name, "content")
    outcome = openssl(
        "cms", "-verify", "-binary", "-inform", "DER", "-purpose", "any", "-auth_level", "0",
        *when(request.get("at")), "-CAfile", FOLDER.file("roots", "".join(request["roots"])),
        "-in", FOLDER.file("document", document), "-out", content,
    )
    if outcome.returncode != 0:
        return {"verified": False, "says": last_words(outcome)}
    with open(content, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    return {"verified": True, "says": "", "content": digest}


VERIFIERS = {}


def peer_verifier(roots, at):
    """A verifier for each set of roots; its clock is read where a receipt states no date."""
    key = (tuple(roots), at)
    if key not in VERIFIERS:
        if len(VERIFIERS) > 16:
            VERIFIERS.clear()
        VERIFIERS[key] = peer.Verifier(
            peer.Config(
                roots=[root.encode() for root in roots], clock=lambda: (at or 0) * 1000
            )
        )
    return VERIFIERS[key]


def verdict_of_peer(document, request):
    result = peer_verifier(request["roots"], request.get("at")).verify_receipt(
        base64.b64encode(document).decode()
    )
    if result.verified:
        return {"verified": True, "says": "", "bundleId": result.payload.bundle_id}
    return {"verified": False, "says": f"{result.failure.reason.name}: {result.failure.message}"}


def signed_data_of_peer(document, request):
    result = peer_verifier(request["roots"], request.get("at")).verify_signed_data(
        document.decode(errors="replace")
    )
    if result.verified:
        return {"verified": True, "says": "", "content": digest_of_json(result.payload.json)}
    return {"verified": False, "says": f"{result.failure.reason.name}: {result.failure.message}"}


def digest_of_json(text):
    """Of the members in one order and form, so that the same content has the same digest."""
    members = json.loads(text)
    plain = json.dumps(members, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(plain.encode(errors="replace")).hexdigest()


def signed_data_of_apple(document, request):
    expected = request["expected"]
    roots = [
        base64.b64decode("".join(pem.strip().splitlines()[1:-1])) for pem in request["roots"]
    ]
    verifier = apple.SignedDataVerifier(
        roots, False, Environment(expected["environment"]), expected["bundleId"],
        expected["appAppleId"],
    )
    try:
        content = verify_with_apple(verifier, expected["kind"], document.decode(errors="replace"))
        return {"verified": True, "says": "", "bundleId": getattr(content, "bundleId", None)}
    # Whatever it raises, a caller gets no content.
    except Exception as error:
        cause = error.__cause__
        return {"verified": False, "says": f"{error} {cause if cause else ''}".strip()}


def verify_with_apple(verifier, kind, text):
    """The content; of a notification also what is signed in it, as its callers must do."""
    if kind == "notification":
        content = verifier.verify_and_decode_notification(text)
        data, app_data = content.data, content.appData
        if data and data.signedTransactionInfo:
            verifier.verify_and_decode_signed_transaction(data.signedTransactionInfo)
        if data and data.signedRenewalInfo:
            verifier.verify_and_decode_renewal_info(data.signedRenewalInfo)
        if app_data and app_data.signedAppTransactionInfo:
            verifier.verify_and_decode_app_transaction(app_data.signedAppTransactionInfo)
        return content
    return {
        "transaction": verifier.verify_and_decode_signed_transaction,
        "renewalInfo": verifier.verify_and_decode_renewal_info,
        "appTransaction": verifier.verify_and_decode_app_transaction,
        "realtimeRequest": verifier.verify_and_decode_realtime_request,
    }[kind](text)


class Unreadable(Exception):
    """An iOS 6-style receipt that cannot be taken apart."""


def value(key, text):
    found = re.search(rb'"%s"\s*=\s*"([^"]*)"' % key, text)
    if not found:
        raise Unreadable(f"no {key.decode()}")
    try:
        return base64.b64decode(re.sub(rb"\s", b"", found.group(1)), validate=True)
    except ValueError as error:
        raise Unreadable(f"{key.decode()} is not base 64") from error


def transaction_of_openssl(document, request):
    try:
        blob, signed = value(b"signature", document), value(b"purchase-info", document)
        length = {2: 128, 3: 256}.get(blob[0]) if blob else None
        if length is None:
            raise Unreadable("the blob is of no known version")
        if int.from_bytes(blob[1 + length:5 + length], "big") != len(blob) - 5 - length:
            raise Unreadable("the blob's length is wrong")
    except Unreadable as error:
        return {"verified": False, "says": str(error)}
    signature, certificate = blob[1:1 + length], blob[5 + length:]
    pem = openssl(
        "x509", "-inform", "DER", "-in", FOLDER.file("leaf.der", certificate), "-outform", "PEM"
    )
    if pem.returncode != 0:
        return {"verified": False, "says": last_words(pem)}
    leaf = FOLDER.file("leaf.pem", pem.stdout)
    key = openssl("x509", "-in", leaf, "-noout", "-pubkey")
    if key.returncode != 0:
        return {"verified": False, "says": last_words(key)}
    outcome = openssl(
        "dgst", "-sha1", "-verify", FOLDER.file("key.pem", key.stdout),
        "-signature", FOLDER.file("signature", signature),
        FOLDER.file("signed", blob[:1] + signed),
    )
    if outcome.returncode != 0:
        said = outcome.stdout.decode(errors="replace").strip()
        return {"verified": False, "says": said or last_words(outcome)}
    outcome = openssl(
        "verify", "-purpose", "any", "-auth_level", "0", *when(request.get("at")),
        "-CAfile", FOLDER.file("roots", "".join(request["roots"])),
        "-untrusted", FOLDER.file("issuers", "".join(request["issuers"])), leaf,
    )
    if outcome.returncode != 0:
        lines = outcome.stderr.decode(errors="replace").splitlines()
        said = [line for line in lines if line.startswith("error ")]
        return {"verified": False, "says": said[0] if said else last_words(outcome)}
    return {"verified": True, "says": "", "content": hashlib.sha256(signed).hexdigest()}


def verdicts(request):
    document = base64.b64decode(request["document"])
    if request["kind"] == "transaction":
        return {"openssl": transaction_of_openssl(document, request)}
    if request["kind"] == "signed":
        found = {}
        if apple is not None:
            found["apple"] = signed_data_of_apple(document, request)
        if peer is not None:
            found["peer"] = signed_data_of_peer(document, request)
        return found
    found = {"openssl": cms_of_openssl(document, request)}
    if peer is not None:
        found["peer"] = verdict_of_peer(document, request)
    return found


def main():
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"id": request["id"], "verdicts": verdicts(request)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
