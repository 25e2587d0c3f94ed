"""Files are written whole or not at all, by threads too, and nothing is replaced that must stay."""

import errno
import os
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest

import symknot
from symknot import InvalidOption
from symknot.ground.storage import write_atomically

ROOT = Path(symknot.__file__).parents[1]


def circle():
    angle = np.linspace(0, 6.2, 60)
    return np.c_[np.cos(angle), np.sin(angle)] + 0.02 * np.random.default_rng(0).normal(size=(60, 2))


def mode(path):
    return stat.S_IMODE(os.lstat(path).st_mode)


def test_a_reader_beside_writing_threads_meets_whole_files_only(tmp_path):
    path = tmp_path / "t.json"
    texts = [letter * 200_000 for letter in "abcd"]
    write_atomically(path, texts[0])
    done = threading.Event()

    def write(text):
        while not done.is_set():
            write_atomically(path, text)

    writers = [threading.Thread(target=write, args=(text,)) for text in texts]
    for writer in writers:
        writer.start()
    try:
        met = {path.read_text() for _ in range(300)}
    finally:
        done.set()
        for writer in writers:
            writer.join()
    assert met <= set(texts) and os.listdir(tmp_path) == ["t.json"]


def test_threads_that_save_an_ideal_leave_one_that_loads(tmp_path):
    ideal, path = symknot.fit(circle(), 0.03), tmp_path / "t.json"
    failures = []

    def save():
        for _ in range(10):
            try:
                ideal.save(path)
                assert len(symknot.load(path).polynomials) == len(ideal.polynomials)
            except Exception as error:
                failures.append(error)

    threads = [threading.Thread(target=save) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == [] and os.listdir(tmp_path) == ["t.json"]


@pytest.mark.parametrize("kept", [0o600, 0o640, 0o755])
def test_an_existing_file_keeps_its_mode(tmp_path, kept):
    path = tmp_path / "secret.json"
    path.write_text("old")
    path.chmod(kept)
    write_atomically(path, "new")
    assert (path.read_text(), mode(path)) == ("new", kept)


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path, mask):
    before = os.umask(mask)
    try:
        write_atomically(tmp_path / "new", "text")
    finally:
        os.umask(before)
    assert mode(tmp_path / "new") == 0o666 & ~mask


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_an_existing_file_keeps_its_owner(tmp_path):
    path = tmp_path / "theirs"
    path.write_text("old")
    os.chown(path, 1234, 1235)
    write_atomically(path, "new")
    assert (path.read_text(), path.stat().st_uid, path.stat().st_gid) == ("new", 1234, 1235)


@pytest.mark.parametrize("exists", [True, False])
def test_links_stay_and_their_target_is_replaced(tmp_path, exists):
    (tmp_path / "far").mkdir()
    target = tmp_path / "far" / "target"
    if exists:
        target.write_text("old")
        target.chmod(0o600)
    (tmp_path / "middle").symlink_to("far/target")
    link = tmp_path / "link"
    link.symlink_to("middle")
    write_atomically(link, "new")
    assert link.is_symlink() and (tmp_path / "middle").is_symlink() and not target.is_symlink()
    assert target.read_text() == "new" and os.listdir(tmp_path / "far") == ["target"]
    assert mode(target) == 0o600 or not exists


def test_a_planted_link_is_not_followed(tmp_path):
    """The old temporary name could be foreseen; links that wait there are left alone."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for pid in range(os.getpid() - 5, os.getpid() + 5):
        (tmp_path / f".v.json.{pid}.part").symlink_to(victim)
    write_atomically(tmp_path / "v.json", "text")
    assert victim.read_text() == "precious" and len(list(tmp_path.glob(".v.json.*.part"))) == 10


def test_a_name_that_was_guessed_is_not_used(tmp_path, monkeypatch):
    """Even with the random name known beforehand, what waits there is neither followed nor removed."""
    names = iter(["guessed", "guessed", "other"])
    monkeypatch.setattr("secrets.token_hex", lambda size: next(names))
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / ".symknot-guessed.part").symlink_to(victim)
    write_atomically(tmp_path / "v.json", "text")
    assert victim.read_text() == "precious" and (tmp_path / "v.json").read_text() == "text"
    assert sorted(os.listdir(tmp_path)) == [".symknot-guessed.part", "v.json", "victim"]


def test_a_pipe_is_written_to_and_stays(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_atomically(pipe, b"z" * 300_000)
    reader.join(10)
    assert read == [b"z" * 300_000] and stat.S_ISFIFO(pipe.stat().st_mode) and os.listdir(tmp_path) == ["pipe"]


def device(folder, name, minor):
    """A node like the one in /dev: for root a copy of it, for a failing test would take the machine's own away."""
    if os.geteuid() != 0:
        return Path("/dev", name)
    os.mknod(folder / name, stat.S_IFCHR | 0o666, os.makedev(1, minor))
    return folder / name


def test_devices_are_written_to_and_stay(tmp_path):
    null, full = device(tmp_path, "null", 3), device(tmp_path, "full", 7)
    before = os.stat(null)
    write_atomically(null, "text")
    assert os.path.samestat(before, os.stat(null)) and stat.S_ISCHR(os.stat(null).st_mode)
    with pytest.raises(OSError) as caught:
        write_atomically(full, "text")
    assert caught.value.errno == errno.ENOSPC and stat.S_ISCHR(os.stat(full).st_mode)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make device nodes, and replace them")
def test_the_command_leaves_a_device_node_alone(tmp_path):
    node = device(tmp_path, "nd", 3)
    np.savetxt(tmp_path / "d.csv", circle(), delimiter=",", header="x,y", comments="")
    done = subprocess.run([sys.executable, "-m", "symknot.cli", "fit", "d.csv", "--epsilon", "0.03", "-o", "nd"], cwd=tmp_path,
                          capture_output=True, text=True, timeout=120, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    assert stat.S_ISCHR(node.lstat().st_mode) and sorted(os.listdir(tmp_path)) == ["d.csv", "nd"]


@pytest.mark.parametrize("name", ["stdout", "/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.parametrize("into", ["file", "pipe"])
def test_standard_output_by_name_comes_in_order(tmp_path, name, into):
    """By its link too, which is here one like /dev/stdout."""
    if name == "stdout":
        (tmp_path / "links").mkdir()
        name = str(tmp_path / "links" / "stdout")
        os.symlink("/proc/self/fd/1", name)
    script = ("from symknot.ground.storage import write_atomically\n"
              f"print('before'); write_atomically({name!r}, 'text\\n'); print('after')")
    command = [sys.executable, "-c", script]
    if into == "pipe":
        told = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, timeout=60, check=True).stdout
    else:
        with open(tmp_path / "out", "wb") as out:
            subprocess.run(command, cwd=ROOT, stdout=out, timeout=60, check=True)
        told = (tmp_path / "out").read_bytes()
        assert set(os.listdir(tmp_path)) <= {"out", "links"}
    assert told == b"before\ntext\nafter\n"


AS_SOMEBODY = """
import os, sys
from symknot.ground.storage import write_atomically
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
try:
    write_atomically(sys.argv[1], "new")
except PermissionError as error:
    print("refused", error.filename)
"""


@pytest.mark.parametrize("folder_mode, file_mode", [(0o555, 0o666), (0o777, 0o444)], ids=["folder", "file"])
def test_what_is_read_only_stays_as_it_is(folder_mode, file_mode):
    with tempfile.TemporaryDirectory() as name:
        folder, path = Path(name), Path(name) / "kept.json"
        path.write_text("old")
        path.chmod(file_mode)
        folder.chmod(folder_mode)
        done = subprocess.run([sys.executable, "-c", AS_SOMEBODY, str(path)], cwd=ROOT, capture_output=True, text=True,
                              timeout=60)
        assert done.stdout == f"refused {path}\n", done.stderr
        assert path.read_text() == "old" and os.listdir(folder) == ["kept.json"]
        folder.chmod(0o755)


def test_names_that_are_none_and_names_of_full_length(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ideal = symknot.fit(circle(), 0.03)
    for name, rule in (("", "path must be the name of a file, got ''"), ("a\0b", "without the character NUL")):
        with pytest.raises(InvalidOption, match=rule):
            ideal.save(name)
    longest = "n" * 255
    ideal.save(longest)
    assert len(symknot.load(longest).polynomials) == 1
    with pytest.raises(OSError) as caught:
        ideal.save("n" * 256)
    assert caught.value.errno == errno.ENAMETOOLONG and os.listdir(tmp_path) == [longest]


def test_a_loop_of_links_and_a_missing_folder_are_named(tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    with pytest.raises(OSError) as caught:
        write_atomically(loop, "text")
    assert caught.value.errno == errno.ELOOP and caught.value.filename == str(loop)
    with pytest.raises(FileNotFoundError) as caught:
        write_atomically(tmp_path / "none" / "a", "text")
    assert caught.value.filename == str(tmp_path / "none" / "a") and os.listdir(tmp_path) == ["loop"]


def test_no_other_function_of_the_package_writes_files_for_users():
    """Engines, standard input and the beginning of a large text have temporary folders; all else goes through one function."""
    allowed = {"ground/storage.py", "engines/process.py", "reading/files.py", "reading/big_files.py"}
    words = (".write_text(", ".write_bytes(", "os.replace(", "np.save(", "np.savetxt(", '"w")', '"wb")')
    found = {path.relative_to(ROOT / "symknot").as_posix() for path in (ROOT / "symknot").rglob("*.py")
             for line in path.read_text().splitlines()
             if any(word in line for word in words) and ">>>" not in line}
    assert found <= allowed
