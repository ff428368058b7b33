#!/usr/bin/env python3
"""Peak memory of `counterfoil serve` under parallel bodies of the largest size.

    Benchmarks/memory.py BINARY [CLIENTS] [BYTES of each body] [ROUNDS]

Each kind of body is sent by all clients at once, to a server of its own: junk in base 64, a forged
PKCS#7 container, a genuine receipt with as many purchases as fit, and the same while no client
reads its answer for two seconds. Prints the peak of resident memory and the HTTP statuses.
"""
import base64
import collections
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time


def der(tag, content):
    length = len(content)
    if length < 128:
        return bytes([tag, length]) + content
    digits = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(digits)]) + digits + content


def forged(size):
    """A container in which nothing is true, all in one octet string."""
    data = der(0x06, bytes.fromhex("2a864886f70d010701"))
    signed = der(0x06, bytes.fromhex("2a864886f70d010702"))
    content = der(0x30, data + der(0xA0, der(0x04, os.urandom(size))))
    body = der(0x30, der(0x02, b"\x01") + der(0x31, b"") + content + der(0x31, b""))
    return der(0x30, signed + der(0xA0, body))


def issued(binary, folder, size):
    """A genuine receipt of about so many bytes."""
    purchase = {"productId": "com.example." + "p" * 2000}
    count = size // 2460
    specification = json.dumps({"purchases": [purchase] * count})
    with open(f"{folder}/specification.json", "w") as file:
        file.write(specification)
    command = [binary, "issue", "receipt", "--authority", f"{folder}/ca",
               f"{folder}/specification.json"]
    return base64.b64decode(subprocess.run(command, check=True, capture_output=True).stdout)


def request(receipt, size):
    text = base64.b64encode(receipt)[: size - 20]
    body = b'{"receipt-data":"' + text + b'"}'
    body += b" " * (size - len(body))
    head = ("POST /sandbox/verifyReceipt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
            f"Content-Length: {len(body)}\r\n\r\n")
    return head.encode() + body


def post(address, text, pause, answers):
    try:
        with socket.create_connection(address, timeout=120) as connection:
            try:
                connection.sendall(text)
            except OSError:
                pass
            time.sleep(pause)
            answer = b""
            while part := connection.recv(1 << 16):
                answer = (answer + part)[:4096]
            status = answer[9:12].decode() or "none"
            retry = "+Retry-After" if b"\r\nRetry-After:" in answer else ""
            answers.append(status + retry)
    except OSError as error:
        answers.append(type(error).__name__)


def measure(binary, configuration, name, text, clients, rounds, pause=0):
    server = subprocess.Popen(
        [binary, "serve", "--config", configuration, "--listen", "127.0.0.1:0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        port = int(re.search(rb":(\d+)\.", server.stdout.readline()).group(1))
        answers = []
        for _ in range(rounds):
            threads = [threading.Thread(target=post, args=(("127.0.0.1", port), text, pause, answers))
                       for _ in range(clients)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        status = open(f"/proc/{server.pid}/status").read()
        peak, now = (int(re.search(rf"{key}:\s+(\d+)", status).group(1)) >> 10
                     for key in ("VmHWM", "VmRSS"))
        counts = ", ".join(f"{value} x {key}" for key, value in
                           sorted(collections.Counter(answers).items()))
        print(f"{name}: peak {peak} MiB, then {now} MiB; {counts}", flush=True)
    finally:
        server.kill()
        server.wait()


def main():
    binary = os.path.abspath(sys.argv[1])
    clients = int(sys.argv[2]) if len(sys.argv) > 2 else 32
    size = int(sys.argv[3]) if len(sys.argv) > 3 else 8 << 20
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 3
    document = (size - 20) // 4 * 3
    with tempfile.TemporaryDirectory() as folder:
        genuine = issued(binary, folder, document)
        configuration = f"{folder}/counterfoil.json"
        with open(configuration, "w") as file:
            json.dump({"apps": [{"bundleId": "com.example.app", "realm": "rehearsal",
                                 "anchors": ["ca/root.pem"]}]}, file)
        kinds = [("junk", os.urandom(document), 0), ("forged", forged(document - 200), 0),
                 ("genuine", genuine, 0), ("genuine, slow readers", genuine, 2)]
        for name, receipt, pause in kinds:
            text = request(receipt, size)
            measure(binary, configuration, name, text, clients, rounds, pause)


if __name__ == "__main__":
    main()
