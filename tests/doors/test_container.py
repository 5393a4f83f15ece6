"""The image of a node: built of a Debian that is made here, of wheels and without a network, and run without one.

It takes root, buildah and mmdebstrap, packages of Debian and wheels, and some minutes; where one of them is not there,
the test says which. Isolation by chroot needs no rights over namespaces, and gives a container the network of the
machine: so the network is taken away from the builder itself.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("buildah", "mmdebstrap", "unshare")
NODE_USER = 10001  # of the image
PROJECT = """\
data: {source: extract.csv}
columns:
  age: {role: quasi}
  sex: {role: quasi}
measures:
  - {measure: k_anonymity, at_least: 3}
anonymise: {method: optimal}
"""


def run(*command: object, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, capture_output=True, text=True, env={**os.environ, **(env or {})}, timeout=900)


def require(*command: object, why: str, env: dict[str, str] | None = None) -> str:
    """What a command says; the test is skipped where it fails for want of something that is not Sfumato."""
    done = run(*command, env=env)
    if done.returncode:
        pytest.skip(f"{why}: {(done.stderr.strip().splitlines() or ['no word'])[-1]}")
    return done.stdout


@pytest.fixture(scope="module")
def buildah(tmp_path_factory: pytest.TempPathFactory):
    """Calls buildah with a store of its own and without a network."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        pytest.skip(f"no builder is at hand: {', '.join(missing)} not installed")
    if os.geteuid() != 0:
        pytest.skip("making a Debian tree and an image of it needs root")
    require("unshare", "--net", "true", why="the network cannot be taken away")
    folder = tmp_path_factory.mktemp("buildah")
    where = ("--root", folder / "store", "--runroot", folder / "run", "--storage-driver", "vfs")
    settings = {"BUILDAH_ISOLATION": "chroot"}

    def call(*words: object) -> subprocess.CompletedProcess[str]:
        return run("unshare", "--net", "buildah", *where, *words, env=settings)

    return call


@pytest.fixture(scope="module")
def image(buildah, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of an image that the Containerfile made."""
    folder = tmp_path_factory.mktemp("context")
    sources = [path for path in Path("/etc/apt").rglob("*") if path.suffix in (".list", ".sources")]
    release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines() if "=" in line)
    suite = release.get("VERSION_CODENAME", "stable").strip('"')
    tree = ("mmdebstrap", "--quiet", "--variant=minbase", "--include=python3,python3-venv", suite, folder / "base.tar")
    require(*tree, *sources, why="no Debian tree could be made")
    pip = ("wheel", "--quiet", "--wheel-dir", folder / "wheels", ROOT)
    require(sys.executable, "-m", "pip", *pip, why="no wheels could be fetched")
    shutil.copytree(ROOT / "deploy", folder / "deploy")
    container = buildah("from", "scratch").stdout.strip()
    for words in (("add", container, folder / "base.tar", "/"), ("commit", container, "local-base"), ("rm", container)):
        done = buildah(*words)
        assert done.returncode == 0, done.stderr
    told = ("--build-arg", "BASE=localhost/local-base", "--file", folder / "deploy" / "Containerfile", folder)
    done = buildah("build", "--pull-never", "--tag", "sfumato-node", *told)
    assert done.returncode == 0, done.stdout + done.stderr
    return "localhost/sfumato-node"


def test_the_image_runs_a_node_without_a_network_and_not_as_root(buildah, image, tmp_path):
    for part in ("inbox/clinic", "projects/clinic"):
        (tmp_path / "node" / part).mkdir(parents=True)
    (tmp_path / "node/projects/clinic/sfumato.yaml").write_text(PROJECT)
    rows = "\n".join(f"{30 + n % 5},{'FM'[n % 2]}" for n in range(40))
    (tmp_path / "node/inbox/clinic/monday.csv").write_text(f"age,sex\n{rows}\n")
    for path in (tmp_path / "node", *(tmp_path / "node").rglob("*")):
        os.chown(path, NODE_USER, NODE_USER)
    said = json.loads(buildah("inspect", "--type", "image", image).stdout)["OCIv1"]["config"]
    assert said["User"] == f"{NODE_USER}:{NODE_USER}"
    entry = (*said["Entrypoint"], *said["Cmd"])  # buildah does not take them by itself, as podman does
    container = buildah("from", "--pull-never", image).stdout.strip()
    volume = ("--volume", f"{tmp_path / 'node'}:/srv/sfumato", container, "--")
    first = buildah("run", *volume, *entry)
    lines = [json.loads(line) for line in first.stderr.splitlines() if line.startswith("{")]
    assert first.returncode == 0, first.stderr
    assert "clinic: monday.csv released: releases/clinic/0001" in [line["message"] for line in lines]
    package = tmp_path / "node/releases/clinic/0001"
    assert (package / "manifest.json").stat().st_uid == NODE_USER
    begin = json.loads((tmp_path / "node/log/sfumato.log.jsonl").read_text().splitlines()[0])
    assert begin["who"] == {"name": "sfumato", "account": "sfumato", "claimed": False}
    second = buildah("run", *volume, *entry)
    assert second.returncode == 0
    assert "Nothing new: 1 project, 1 extract released before." in second.stderr
