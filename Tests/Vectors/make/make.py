#!/usr/bin/env python3
"""Makes the vectors that need a signature: receipts, their transport forms, signed data, certificates.

    Tests/Vectors/make/make.py COUNTERFOIL [AUTHORITY]

COUNTERFOIL is the built tool. AUTHORITY is the folder of the authority that signs; without it a new
one is made, and its private keys are gone when this ends. Only certificates are written beside the
vectors. With the same folder, everything but the flaws that need a stranger's key comes out the
same. Vectors written by hand are left alone: those of property-lists, ber and der, and every file
whose origin begins with "by hand".
"""

import base64
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
VECTORS = HERE.parent
PRESENT = "2026-06-01T12:00:00Z"
JUDGED_AT = "2026-06-01T12:01:00Z"
# Everything that some flaw needs and an ordinary receipt has not.
SPECIFICATIONS = ["{}", '{"signedAttributes": true}', '{"encoding": "BER"}', '{"environment": "Xcode"}']

VALID_RECEIPTS = {
    "valid": {},
    "valid-production": {"environment": "Production"},
    "valid-sha-1": {"digest": "SHA-1"},
    "valid-signed-attributes": {"signedAttributes": True},
    "valid-signed-attributes-sha-1": {"signedAttributes": True, "digest": "SHA-1"},
    "valid-ber": {"encoding": "BER"},
    "valid-ber-in-chunks": {"encoding": "BER", "chunkSize": 100},
    "valid-double-wrapped": {"doubleWrapped": True},
    "valid-double-wrapped-ber": {"doubleWrapped": True, "encoding": "BER", "chunkSize": 7},
    "valid-certificates-reversed": {"certificates": "reversed"},
    "valid-without-root": {"certificates": "withoutRoot"},
    "valid-algorithm-with-digest": {"algorithm": "digestWithRSAEncryption"},
    "valid-shuffled": {"order": "shuffled", "purchases": 3},
    "valid-xcode": {"environment": "Xcode", "purchases": 2},
    "valid-xcode-der": {"environment": "Xcode", "encoding": "DER", "digest": "SHA-1"},
    "valid-xcode-offsets": {"environment": "Xcode", "zoneMinutes": 480},
    "valid-volume-purchase": {
        "receiptType": "ProductionVPP", "organizationName": "A School", "expirationDate": "+52w",
        "purchases": 0,
    },
    "valid-volume-purchase-sandbox": {"receiptType": "ProductionVPPSandbox"},
    "valid-mac": {"platform": "macOS", "device": "01:23:45:67:89:ab"},
    "valid-no-purchases": {"purchases": 0},
    "valid-100-purchases": {"purchases": 100},
    "valid-mixed-purchases": {
        "purchases": [{"type": "nonConsumable", "productId": "com.example.map"}]
        + [{"type": "consumable", "productId": "com.example.coins", "purchaseDate": f"-{d}d"}
           for d in range(1, 5)],
    },
    "valid-refunded": {
        "purchases": [{"cancellationDate": "-1d", "cancellationReason": 1},
                      {"type": "nonConsumable", "cancellationDate": "-2h"}],
    },
    "valid-promotional-offer": {"purchases": [{"promotionalOfferId": "spring"}]},
    "valid-trial": {"purchases": [{"trial": True}, {"introOffer": True, "purchaseDate": "-1d"}]},
    "valid-dates-with-fractions": {
        "attributes": [{"type": 12, "asciiText": "2026-06-01T12:00:00.686Z"}],
        "purchases": [{"attributes": [
            {"type": 1704, "asciiText": "2026-05-31T12:00:00.123Z"},
            {"type": 1706, "asciiText": "2026-05-31T20:00:00+0800"},
            {"type": 1708, "asciiText": ""}]}],
    },
    "valid-empty-version": {"originalApplicationVersion": ""},
    "valid-unknown-attributes": {
        "order": "shuffled",
        "attributes": [{"type": 9999, "octets": "010203"}, {"type": 4711, "text": "new"}],
        "purchases": [{"attributes": [{"type": t, "integer": t} for t in range(1722, 1733)]}],
    },
    "valid-attributes-twice": {
        "purchases": [{"attributes": [{"type": 1713, "integer": 0}, {"type": 1713, "integer": 0},
                                      {"type": 1732, "text": "a"}, {"type": 1732, "text": "a"}]}],
    },
    "valid-unknown-type": {"receiptType": "ProductionMoon"},
    "valid-minimal": {
        "omit": [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 18, 19, 20, 25],
        "purchases": [{"omit": [1705, 1706, 1707, 1708, 1709, 1710, 1711, 1712, 1713, 1714, 1715,
                                1716, 1717, 1718, 1719, 1722]}],
    },
    "valid-extremes": {
        "attributes": [{"type": 1, "integer": 2**63 - 1}, {"type": 15, "integer": -(2**63)},
                       {"type": 16, "integer": 0}, {"type": 3, "text": "9" * 200},
                       {"type": 2**62, "version": 2**62, "octets": ""}],
        "purchases": [{"quantity": 2**63 - 1, "productId": "é€😀" * 30, "transactionId": "0" * 40,
                       "purchaseDate": "0000-01-01T00:00:00Z",
                       "expiresDate": "9999-12-31T23:59:59Z",
                       "webOrderLineItemId": 2**63 - 1}],
    },
}

VALID_TRANSACTIONS = {
    "valid": {},
    "valid-version-2": {"version": 2},
    "valid-production": {"environment": "Production"},
    "valid-production-version-2": {"environment": "Production", "version": 2},
    "valid-one-off": {"type": "consumable", "quantity": 5},
    "valid-of-2014": {"purchaseDate": "2014-05-01T12:00:00.123Z", "version": 2},
    "valid-of-2011": {
        "environment": "Production", "type": "nonConsumable", "allDateForms": False,
        "purchaseDate": "2011-05-01T12:00:00Z",
    },
    "valid-refunded": {"cancellationDate": "-1d"},
    "valid-trial": {"trial": True, "introOffer": False},
    "valid-escapes": {"purchaseInfo": {"extra": 'é "quoted" \\ 😀', "bvrs": ""}},
}

# Kind, specification, and what a verifier finds: its kind, its environment.
VALID_SIGNED_DATA = {
    "valid-transaction": ("transaction", {}, "transaction", "Sandbox"),
    "valid-transaction-production": (
        "transaction", {"environment": "Production"}, "transaction", "Production"),
    "valid-transaction-xcode": ("transaction", {"environment": "Xcode"}, "transaction", "Xcode"),
    "valid-transaction-consumable": (
        "transaction", {"type": "consumable", "quantity": 5}, "transaction", "Sandbox"),
    "valid-transaction-refunded": (
        "transaction", {"revocationDate": "-1h", "revocationReason": 1}, "transaction", "Sandbox"),
    "valid-transaction-offer": (
        "transaction",
        {"offerType": 4, "offerIdentifier": "back", "offerDiscountType": "FREE_TRIAL",
         "offerPeriod": "P1M", "price": 0},
        "transaction", "Sandbox"),
    "valid-transaction-unknown-members": (
        "transaction",
        {"galaxy": {"sector": [1, 2.50, 1e2]}, "type": "Rental", "inAppOwnershipType": "LENT",
         "payload": {"é€😀": None, "big": 12345678901234567890}},
        "transaction", "Sandbox"),
    "valid-renewal-info": ("renewal-info", {}, "renewalInfo", "Sandbox"),
    "valid-renewal-info-xcode": ("renewal-info", {"environment": "Xcode"}, "renewalInfo", "Xcode"),
    "valid-renewal-info-ended": (
        "renewal-info", {"autoRenewStatus": 0, "expirationIntent": 1}, "renewalInfo", "Sandbox"),
    "valid-app-transaction": ("app-transaction", {}, "appTransaction", "Sandbox"),
    "valid-app-transaction-production": (
        "app-transaction", {"environment": "Production"}, "appTransaction", "Production"),
    "valid-app-transaction-xcode": (
        "app-transaction", {"environment": "Xcode"}, "appTransaction", "Xcode"),
    "valid-notification": ("notification", {}, "notification", "Sandbox"),
    "valid-notification-production": (
        "notification", {"environment": "Production", "notificationType": "DID_RENEW"},
        "notification", "Production"),
    "valid-notification-test": (
        "notification", {"notificationType": "TEST"}, "notification", "Sandbox"),
    "valid-notification-summary": (
        "notification", {"notificationType": "RENEWAL_EXTENSION", "subtype": "SUMMARY"},
        "notification", "Sandbox"),
    "valid-notification-token": (
        "notification", {"notificationType": "EXTERNAL_PURCHASE_TOKEN", "subtype": "CREATED"},
        "notification", "Sandbox"),
    "valid-notification-consent": (
        "notification", {"notificationType": "RESCIND_CONSENT"}, "notification", "Sandbox"),
    "valid-notification-unknown": (
        "notification", {"notificationType": "MOON_PHASE", "subtype": "FULL"},
        "notification", "Sandbox"),
    "valid-realtime-request": ("realtime-request", {}, "realtimeRequest", "Sandbox"),
}

# Everything that some flaw needs and a transaction has not.
SIGNED_DATA = [("transaction", "{}"), ("notification", "{}"),
               ("transaction", '{"environment": "Xcode"}')]


class Maker:
    def __init__(self, tool, authority):
        self.tool, self.authority = tool, authority
        self.written = set()

    def run(self, *words):
        done = subprocess.run([self.tool, *words], capture_output=True, text=True)
        return done.stdout if done.returncode == 0 else None

    def issue(self, kind, specification, flaw=None):
        """The document and the command that made it; None where the flaw does not fit."""
        words = ["issue", kind, specification, "--at", PRESENT]
        words += ["--flaw", flaw] if flaw else []
        text = self.run(*words, "--authority", self.authority)
        if text is None:
            return None, None
        return base64.b64decode(text), self.command(words)

    def sign(self, kind, specification, flaw=None):
        """The same for signed data, whose text is the document."""
        words = ["issue", kind, specification, "--at", PRESENT]
        words += ["--jws"] if kind in ("notification", "realtime-request") else []
        words += ["--flaw", flaw] if flaw else []
        text = self.run(*words, "--authority", self.authority)
        if text is None:
            return None, None
        return text[:-1], self.command(words)

    @staticmethod
    def command(words):
        return "counterfoil " + " ".join(f"'{w}'" if w[0] == "{" else w for w in words)

    def write(self, group, name, expect, origin, payload, form="base64", **header):
        if form == "base64":
            text = "\n".join(textwrap.wrap(base64.b64encode(payload).decode(), 100))
        else:
            text = payload
        lines = [f"expect: {expect}", f"judged-at: {JUDGED_AT}", f"origin: {origin}"]
        lines += [f"{key}: {value}" for key, value in header.items()]
        lines += [f"payload: {form}"] if form != "text" else []
        path = VECTORS / group / f"{name}.vector"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(lines) + "\n\n" + text + "\n")
        self.written.add(path)

    def flaws(self, kind):
        """Name and reason of every flaw."""
        rows = re.findall(r"^  (\w+) +[a-z]+ +(.*)$", self.run("issue", "flaws", kind), re.M)
        codes = dict(line.split()[1:] for line in (HERE / "refusals.txt").read_text().splitlines()
                     if line.split()[0] == kind)
        return [(name, reason, codes.get(name)) for name, reason in rows]

    def receipts(self):
        group, app = "app-receipts", "com.example.app"
        for name, specification in VALID_RECEIPTS.items():
            document, origin = self.issue("receipt", json.dumps(specification, ensure_ascii=False))
            header = {"app": app}
            kind = specification.get("environment", specification.get("receiptType", "Sandbox"))
            header["environment"] = {"ProductionVPP": "Production",
                                     "ProductionVPPSandbox": "Sandbox",
                                     "ProductionMoon": "Sandbox"}.get(kind, kind)
            purchases = specification.get("purchases", 1)
            header["purchases"] = purchases if isinstance(purchases, int) else len(purchases)
            self.write(group, name, "verified", origin, document, **header)
        for flaw, reason, code in self.flaws("receipt"):
            document = None
            for specification in SPECIFICATIONS:
                document, origin = self.issue("receipt", specification, flaw)
                if document is not None:
                    break
            if code is None:
                self.write(group, dashed(flaw), "verified", f"{origin}: {reason}", document,
                           app=app, environment="Production")
            else:
                self.write(group, dashed(flaw), code, f"{origin}: {reason}", document, app=app)
        self.trusts(group)

    def trusts(self, group):
        """Genuine receipts that are put to somebody who does not know the signer."""
        plain, origin = self.issue("receipt", "{}")
        self.write(group, "of-rehearsal-put-to-apple", "chain.untrusted_root", origin, plain, trust="apple")
        xcode, origin = self.issue("receipt", '{"environment": "Xcode"}')
        for name, trust in (("apple", "apple"), ("rehearsal", "root")):
            self.write(group, f"of-xcode-put-to-{name}", "chain.untrusted_root", origin, xcode,
                       trust=trust)

    def transactions(self):
        group, app = "transaction-receipts", "com.example.app"
        for name, specification in VALID_TRANSACTIONS.items():
            text = json.dumps(specification, ensure_ascii=False)
            document, origin = self.issue("transaction-receipt", text)
            self.write(group, name, "verified", origin, document, app=app,
                       environment=specification.get("environment", "Sandbox"))
        for flaw, reason, code in self.flaws("transaction-receipt"):
            document, origin = self.issue("transaction-receipt", "{}", flaw)
            header = {"app": app} if code else {"app": app, "environment": "Sandbox"}
            self.write(group, dashed(flaw), code or "verified", f"{origin}: {reason}", document,
                       **header)
        document, origin = self.issue("transaction-receipt", "{}")
        self.write(group, "of-rehearsal-put-to-apple", "chain.unknown_issuer", origin, document,
                   trust="apple")

    def signed_data(self):
        group, app = "signed-data", "com.example.app"

        def write(name, expect, origin, text, **header):
            plain = text and "\n" not in text
            self.write(group, name, expect, origin, text if plain else text.encode(),
                       "text" if plain else "base64", **header)

        for name, (kind, specification, found, environment) in VALID_SIGNED_DATA.items():
            text, origin = self.sign(kind, json.dumps(specification, ensure_ascii=False))
            write(name, "verified", origin, text, app=app, environment=environment, kind=found)
        for flaw, reason, code in self.flaws("signed-data"):
            text = None
            for kind, specification in SIGNED_DATA:
                text, origin = self.sign(kind, specification, flaw)
                if text is not None:
                    break
            header = {"app": app}
            if code == "environment.mismatch":
                header["environment"] = "Sandbox"
            write(dashed(flaw), code, f"{origin}: {reason}", text, **header)
        text, origin = self.sign("transaction", "{}")
        write("of-rehearsal-put-to-apple", "chain.untrusted_root", origin, text, trust="apple")
        text, origin = self.sign("transaction", '{"environment": "Xcode"}')
        for name, trust in (("apple", "apple"), ("rehearsal", "root")):
            write(f"of-xcode-put-to-{name}", "chain.untrusted_root", origin, text, trust=trust)

    def transport(self):
        # One whose text has every letter that transports spoil.
        for version in range(1, 100):
            document, origin = self.issue("receipt", json.dumps({"applicationVersion": "1" * version}))
            text = base64.b64encode(document).decode()
            if text.endswith("=") and "+" in text and "/" in text:
                break
        old, old_origin = self.issue("transaction-receipt", "{}")
        lines = textwrap.wrap(text, 64)

        def good(name, how, payload, repairs=None, source=origin):
            raw = payload.encode() if isinstance(payload, str) else payload
            plain = isinstance(payload, str) and "\r" not in payload and "\n" not in payload
            header = {"repairs": repairs} if repairs else {}
            self.write("transport", name, "verified", f"{source}, {how}",
                       payload if plain else raw, "text" if plain else "base64", **header)

        def bad(name, code, how, payload):
            raw = payload.encode() if isinstance(payload, str) else payload
            self.write("transport", name, code, f"{origin}, {how}", raw)

        good("base64", "in base 64", text)
        good("raw", "as it is", document)
        good("raw-and-zeros", "followed by zeros and a line end", document + b"\0\0\n")
        good("lines", "in lines of 64 that end in CR LF", "\r\n".join(lines),
             "encoding.white_space_removed")
        good("spaces", "in base 64 with spaces", " ".join(textwrap.wrap(text, 76)),
             "encoding.white_space_removed")
        good("url-safe", "in the URL-safe alphabet", text.replace("+", "-").replace("/", "_"),
             "encoding.url_safe_letters")
        good("no-padding", "without padding", text.rstrip("="), "encoding.padding_mended")
        good("plus-as-space", "with spaces for plus signs", text.replace("+", " "),
             "encoding.spaces_for_plus")
        good("percent", "with percent signs", urllib.parse.quote(text, safe=""),
             "encoding.percent_decoded")
        good("twice", "in base 64 twice", base64.b64encode(text.encode()).decode(),
             "encoding.base64_twice")
        good("json-string", "as a JSON string", json.dumps(text).replace("/", "\\/"),
             "encoding.json_string")
        good("json-object", "in a request's body", json.dumps({"receipt-data": text}),
             "encoding.json_object")
        good("pem", "in PEM armour",
             "-----BEGIN PKCS7-----\n" + "\n".join(lines) + "\n-----END PKCS7-----\n",
             "encoding.pem_armour encoding.white_space_removed")
        good("transaction-receipt", "in base 64", base64.b64encode(old).decode(), None, old_origin)
        good("transaction-receipt-raw", "as it is", old, None, old_origin)
        bad("cut-in-a-byte", "encoding.not_base64", "the last letter cut off",
            text[: len(text) // 4 * 4 - 7])
        bad("cut-in-the-middle", "asn1.truncated", "the second half cut off", text[: len(text) // 8 * 4])
        bad("star", "encoding.not_base64", "a star in its middle", text[:100] + "*" + text[101:])
        bad("padding-inside", "encoding.not_base64", "a sign of padding in its middle",
            text[:100] + "=" + text[101:])
        bad("percent-cut", "encoding.not_base64", "a percent sign at its end", text[:400] + "%2")
        bad("reversed", "encoding.not_base64", "back to front", text[::-1])
        bad("followed-by-text", "asn1.trailing_bytes", "a word behind the document",
            document + b"word")
        bad("html", "encoding.not_base64", "replaced by a page of a proxy",
            "<html><body>502 Bad Gateway</body></html>")

    def certificates(self):
        root = (pathlib.Path(self.authority) / "root.pem").read_text()
        found = re.findall(r"-----BEGIN.*?-----END CERTIFICATE-----\n", root, re.S)
        store_kit = (pathlib.Path(self.authority) / "storekit.pem").read_text()
        leaf = self.leaf(*self.issue("receipt", "{}")[:1])
        pem = lambda text: base64.b64decode("".join(text.splitlines()[1:-1]))
        made = "counterfoil issue authority"

        def write(name, expect, origin, payload):
            raw = payload.encode() if isinstance(payload, str) else payload
            self.write("certificates", name, expect, origin, raw)

        write("several-in-pem", "readable", f"{made}, its root.pem", root)
        write("root", "readable", f"{made}, its root", pem(found[0]))
        write("issuer", "readable", f"{made}, its issuer", pem(found[1]))
        write("leaf", "readable", f"{made}, its signer of receipts", leaf)
        write("storekit", "readable", f"{made}, its storekit.pem", store_kit)
        write("text-around-pem", "readable", f"{made}, words around the root",
              "subject=a root\n" + found[0] + "\nissuer=itself\n")
        write("nothing", "chain.certificate_missing", "nothing", b"")
        write("truncated", "chain.certificate_malformed", f"{made}, the last byte of the leaf cut off",
              leaf[:-1])
        write("cut-to-a-head", "chain.certificate_malformed", f"{made}, 4 bytes of the leaf", leaf[:4])
        write("trailing-byte", "chain.certificate_trailing_bytes", f"{made}, the leaf and a zero",
              leaf + b"\0")
        write("no-sequence", "chain.certificate_missing", f"{made}, the leaf as a SET",
              b"\x31" + leaf[1:])
        write("pem-not-closed", "chain.certificate_bad_pem", f"{made}, the root without its last line",
              found[0].rsplit("-----END", 1)[0])
        write("pem-not-base64", "chain.certificate_bad_pem", f"{made}, a star in the root",
              found[0].replace("MII", "M*I", 1))
        write("public-key", "chain.certificate_missing", "a public key in PEM and nothing else",
              "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n")
        for flaw, code in (("leafTooLarge", "chain.certificate_too_large"),
                           ("leafExtensionTwice", "chain.certificate_duplicate_extension"),
                           ("leafAlgorithmsDiffer", "chain.certificate_algorithm_mismatch"),
                           ("leafOnP521", "chain.key_unsupported"),
                           ("leafOnSecp256k1", "chain.key_unsupported"),
                           ("leafExponentTooLarge", "chain.key_out_of_bounds")):
            document, origin = self.issue("receipt", "{}", flaw)
            write(dashed(flaw), code, f"{origin}, its signer's certificate", self.leaf(document))

    @staticmethod
    def leaf(document):
        """The first certificate of a document, found by its [0] behind the content."""
        at = 0

        def head(at):
            length, start = document[at + 1], at + 2
            if length >= 0x80:
                start += length & 0x7F
                length = int.from_bytes(document[at + 2:start], "big")
            return document[at], start, start + length

        _, at, _ = head(at)            # ContentInfo
        at = head(at)[2]               # its type
        _, at, _ = head(at)            # [0]
        _, at, _ = head(at)            # SignedData
        for _ in range(3):             # version, digest algorithms, content
            at = head(at)[2]
        tag, at, _ = head(at)
        assert tag == 0xA0
        return document[at:head(at)[2]]


def dashed(name):
    """leafOnP521 as leaf-on-p521."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    temporary = tempfile.mkdtemp()
    try:
        authority = sys.argv[2] if len(sys.argv) == 3 else temporary + "/ca"
        maker = Maker(sys.argv[1], authority)
        if maker.run("issue", "authority", authority, "--at", PRESENT) is None:
            sys.exit(f"no authority in {authority}")
        maker.receipts()
        maker.transactions()
        maker.transport()
        maker.signed_data()
        maker.certificates()
        for name in ("root.pem", "storekit.pem", "storekit-signed-data.pem"):
            shutil.copyfile(f"{authority}/{name}", VECTORS / name)
        for path in VECTORS.glob("*/*.vector"):
            # What another version of this made.
            by_hand = "\norigin: by hand" in path.read_text()
            if path not in maker.written and not by_hand:
                path.unlink()
        print(f"{len(maker.written)} vectors written")
    finally:
        shutil.rmtree(temporary)


main()
