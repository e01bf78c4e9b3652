"""Lets the tests use the Python client. Reads one command per line, its arguments separated by tabs, from standard input.
Prints one line per answer (status, code and the data as JSON, separated by tabs), and "." after the answers to a command."""

import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import ppai  # noqa: E402


def print_answer(answer):
    print(answer.status, answer.code or "-", json.dumps(answer.data), sep="\t")


def read_bytes(file):
    with open(file, "rb") as source:
        return source.read()


def print_signatures(file):
    for case in json.loads(read_bytes(file))["cases"]:
        body = bytes.fromhex(case["bodyHex"]) * case.get("bodyRepeats", 1)
        parts = (case[name] for name in ("signingSecret", "method", "target", "timestamp", "nonce"))
        print(ppai.sign(*parts, body))


def execute(registry, command, *arguments):
    if command == "sign":
        print_signatures(*arguments)
    elif command == "transmit":
        for file in arguments:
            first = registry.transmit(read_bytes(file), wait=0)
            print_answer(first)
            print_answer(registry.follow(first, deadline=60))
    elif command == "send":
        method, target, *file = arguments
        print_answer(registry.send(method, target, read_bytes(file[0]) if file else None))
    elif command == "changes":
        (after,) = arguments
        print_answer(registry.changes(after=after or None, limit=2, wait=1))


names = ("REGISTRY_URL", "REGISTRY_CLIENT_ID", "REGISTRY_CLIENT_SECRET", "REGISTRY_SIGNING_SECRET")
client = ppai.Registry(*(os.environ.get(name, "") for name in names))
for line in sys.stdin:
    try:
        execute(client, *line.rstrip("\n").split("\t"))
    except ppai.NoAnswer as error:
        print(0, "NO_ANSWER", json.dumps({"message": str(error)}), sep="\t")
    print(".", flush=True)
