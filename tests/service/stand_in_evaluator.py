"""Stands in for the process that answers live questions: it starts at once, and does what it is asked to do wrong."""

import json
import os
import sys
import time


def say(document):
    sys.stdout.write(json.dumps(document) + "\n")
    sys.stdout.flush()


def main():
    say({"shape": {"columns": [], "requirements": [], "levels": None, "suppress": 0}})
    held = []
    for line in sys.stdin:
        for question in json.loads(line)["questions"]:
            if question["what"] == "crash":
                os._exit(1)
            if question["what"] == "memory":
                held.append(bytearray(400_000_000))
                time.sleep(60)
        say({"answers": [{"process": os.getpid()} for _ in json.loads(line)["questions"]]})


if __name__ == "__main__":
    main()
