"""Stands in for the command line in tests of runs: it says and does what the name of a column tells it."""

import json
import os
import signal
import socket
import sys
import time
from pathlib import Path


def say(words: str, level: str = "info", **more: int) -> None:
    sys.stderr.write(json.dumps({"level": level, "message": words, **more}) + "\n")
    sys.stderr.flush()


def main() -> int:  # noqa: C901
    mode = next((word.partition("=")[2] for word in sys.argv if word.startswith("--quasi=")), "quick")
    say("it begins")
    if mode == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.fork() == 0:
            time.sleep(600)
        say("stubborn", done=3, total=10)
        time.sleep(600)
    if mode == "bomb":
        held = []
        while True:
            held.append(b"x" * 20_000_000)
            time.sleep(0.01)
    if mode == "disk":
        with open("flagged.bin", "wb") as file:
            while True:
                file.write(b"x" * 5_000_000)
                file.flush()
                time.sleep(0.02)
    if mode == "slow":
        time.sleep(600)
    if mode == "short":
        time.sleep(0.4)
    if mode == "crash":
        raise RuntimeError("cell value 4711")
    if mode == "wrong":
        say("the column is not there.", "error")
        say("ended", exit=2)
        return 2
    if mode == "environment":
        interfaces = [name for _, name in socket.if_nameindex() if name != "lo"]
        Path("result.json").write_text(json.dumps({"environment": dict(os.environ), "network": interfaces}))
    elif mode == "link":
        Path("result.json").symlink_to("/etc/hostname")
    else:
        Path("result.json").write_text(json.dumps({"words": "done"}))
        Path("flagged").mkdir()
        Path("flagged/flagged.csv").write_text("a\n1\n")
    if mode == "choose":
        with Path("sfumato.yaml").open("a") as file:
            file.write("# chosen\n")
    code = 1 if mode == "unmet" else 0
    say("ended", exit=code)
    return code


if __name__ == "__main__":
    sys.exit(main())
