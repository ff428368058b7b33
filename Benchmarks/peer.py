#!/usr/bin/env python3
"""Verifies one document over and over with another library, in one warm process.

The argument says what: `receipt` (apple-purchase-receipt-verifier) or `transaction` (Apple's
app-store-server-library). Reads the root in base 64, then the document, a line each. Every further
line asks for a measurement and is answered by the microseconds of processor time of one
verification.
"""

import base64
import sys
import time

WARM_UP = 200
ROUND_SECONDS = 0.5


def receipt_verification(root, document):
    from apple_purchase_receipt_verifier import Config, Verifier

    verifier = Verifier(Config(roots=[root]))

    def verify():
        result = verifier.verify_receipt(document)
        if not result.verified:
            sys.exit(f"the receipt is refused: {result.failure.message}")

    return verify


def transaction_verification(root, document):
    from appstoreserverlibrary.models.Environment import Environment
    from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier

    verifier = SignedDataVerifier([root], False, Environment.SANDBOX, "com.example.app")
    return lambda: verifier.verify_and_decode_signed_transaction(document)


def measure(verify):
    count = 0
    start = time.thread_time()
    while time.thread_time() - start < ROUND_SECONDS:
        for _ in range(10):
            verify()
        count += 10
    return (time.thread_time() - start) / count * 1e6


def main():
    kinds = {"receipt": receipt_verification, "transaction": transaction_verification}
    root = base64.b64decode(sys.stdin.readline())
    verify = kinds[sys.argv[1]](root, sys.stdin.readline().strip())
    for _ in range(WARM_UP):
        verify()
    for _ in sys.stdin:
        print(f"{measure(verify):.3f}", flush=True)


main()
