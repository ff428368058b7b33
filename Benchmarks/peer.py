#!/usr/bin/env python3
"""Verifies one receipt over and over with apple-purchase-receipt-verifier, in one warm process.

Reads the root in base 64, then the receipt in base 64, a line each. Every further line asks for a
measurement and is answered by the microseconds of processor time of one verification.
"""

import base64
import sys
import time

from apple_purchase_receipt_verifier import Config, Verifier

WARM_UP = 200
ROUND_SECONDS = 0.5


def measure(verifier, receipt):
    count = 0
    start = time.thread_time()
    while time.thread_time() - start < ROUND_SECONDS:
        for _ in range(10):
            verifier.verify_receipt(receipt)
        count += 10
    return (time.thread_time() - start) / count * 1e6


def main():
    root = base64.b64decode(sys.stdin.readline())
    receipt = sys.stdin.readline().strip()
    verifier = Verifier(Config(roots=[root]))
    for _ in range(WARM_UP):
        result = verifier.verify_receipt(receipt)
        if not result.verified:
            sys.exit(f"the receipt is refused: {result.failure.message}")
    for _ in sys.stdin:
        print(f"{measure(verifier, receipt):.3f}", flush=True)


main()
