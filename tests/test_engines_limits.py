"""Programs run within limits and leave nothing behind: no process, no file. With the real ones."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import sympy

from symknot.engines import engine, process
from symknot.engines.finding import PROGRAMS, in_wheel, locate
from symknot.engines.install import install
from symknot.engines.process import Limits, run
from symknot.ground.errors import EngineError, InvalidOption, TimeLimit

ROOT = Path(__file__).resolve().parents[1]


def cyclic(size):
    """A system that keeps any Groebner engine busy."""
    v = sympy.symbols(f"c1:{size + 1}")
    sums = [sum(sympy.prod([v[(i + j) % size] for j in range(k)]) for i in range(size)) for k in range(1, size)]
    return [*sums, sympy.prod(v) - 1], v


def marked(folder):
    """Processes (zombies apart) that have their home in this folder: programs and their guards."""
    found = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        try:
            if any(entry.startswith(f"HOME={folder}/".encode()) for entry in environ.read_bytes().split(b"\0")):
                found.append(int(environ.parent.name))
        except OSError:
            continue
    return found


@pytest.fixture
def mark(monkeypatch, tmp_path):
    """An empty folder for the temporary ones of programs, which have their home there."""
    monkeypatch.setattr(process.tempfile, "tempdir", str(tmp_path))
    return str(tmp_path)


HARD = {"singular": 9, "macaulay2": 8, "msolve": 9, "sympy": 7}


@pytest.mark.parametrize("name", HARD)
def test_a_time_limit_ends_the_program(name, mark):
    polynomials, variables = cyclic(HARD[name])
    start = time.monotonic()
    with pytest.raises(TimeLimit, match=f"{name} groebner: not done within 1 s; raise timeout"):
        engine(name).groebner(polynomials, variables=variables, timeout=1)
    assert time.monotonic() - start < 6
    assert marked(mark) == [] and os.listdir(mark) == []


def test_forked_workers_of_singular_end_with_it(mark):
    script = ('LIB "modstd.lib"; LIB "polylib.lib"; system("--cpus", 3); ring r = 0, (x(1..8)), dp;'
              'ideal i = cyclic(8); ideal j = modStd(i);')
    counts, done = [], threading.Event()

    def watch():
        while not done.wait(0.1):
            counts.append(len(marked(mark)))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        with pytest.raises(TimeLimit):
            run([locate("singular"), "-q", "--no-rc"], Limits.checked(3), work="modStd", stdin=script)
        assert marked(mark) == []
    finally:
        done.set()
        watcher.join()
    assert max(counts) >= 4, "modStd did not fork, so this test shows nothing"
    assert os.listdir(mark) == []


def test_children_left_by_a_program_that_ended_are_killed(mark):
    script = "import subprocess; subprocess.Popen(['sleep', '60'])"
    run([sys.executable, "-c", script], Limits.checked(20), work="parent")
    assert marked(mark) == []


def test_ctrl_c_ends_the_program(tmp_path):
    # a job in the background of a shell ignores Ctrl-C, and so would what it starts
    script = ("import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
              "from tests.test_engines_limits import cyclic\nfrom symknot.engines import engine\n"
              "p, v = cyclic(9)\nengine('singular').groebner(p, variables=v)")
    caller = subprocess.Popen([sys.executable, "-c", script], cwd=ROOT, stderr=subprocess.PIPE,
                              env={**os.environ, "TMPDIR": str(tmp_path)})
    try:
        end = time.monotonic() + 30
        while len(marked(str(tmp_path))) < 2 and time.monotonic() < end:
            time.sleep(0.1)
        assert len(marked(str(tmp_path))) == 2 and len(os.listdir(tmp_path)) == 1
        time.sleep(0.3)
        caller.send_signal(signal.SIGINT)
        assert b"KeyboardInterrupt" in caller.communicate(timeout=20)[1]
    finally:
        caller.kill()
        caller.communicate()
    assert marked(str(tmp_path)) == [] and os.listdir(tmp_path) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can limit the memory of a process from outside")
@pytest.mark.parametrize("name, memory", [("singular", 5), ("macaulay2", 100), ("sympy", 20)])
def test_a_memory_limit_is_said(name, memory):
    polynomials, variables = cyclic(8)
    with pytest.raises(EngineError, match=f"needs more than {memory} MB of memory; raise memory"):
        engine(name).groebner(polynomials, variables=variables, memory=memory)


def test_macaulay2_out_of_memory_after_its_start():
    with pytest.raises(EngineError, match="needs more than 1000 MB of memory; raise memory"):
        engine("macaulay2")._lines(["skX = new MutableList from 1..300000000"], Limits.checked(60, 1000), "question")


def test_too_much_output_is_stopped(monkeypatch, mark):
    monkeypatch.setattr(process, "LARGEST_OUTPUT", 1)
    with pytest.raises(EngineError, match="more than 1 MB of output"):
        run([locate("singular"), "-q", "--no-rc"], Limits.checked(20), work="talk", stdin='while (1) { "talk"; }')
    assert marked(mark) == [] and os.listdir(mark) == []


def test_the_end_of_stderr_is_in_the_error():
    with pytest.raises(EngineError, match=r"(?s)macaulay2 question: the program ended with exit code 1.*error: skWord"):
        engine("macaulay2")._lines(['error "skWord"'], Limits.checked(60), "question")


def test_errors_of_singular_count_though_its_exit_code_is_0():
    with pytest.raises(EngineError, match="skNothing"):
        engine("singular")._lines(["skNothing;"], Limits.checked(60), "question")
    with pytest.raises(EngineError, match="incomplete"):
        engine("singular")._lines(["quit;"], Limits.checked(60), "question")


def test_a_missing_program_and_missing_cpu_instructions_are_explained():
    limits = Limits.checked(20)
    with pytest.raises(EngineError, match="cannot start"):
        run([str(ROOT / "no-such-program")], limits, work="nothing")
    illegal = [sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGILL)"]
    with pytest.raises(EngineError, match=r"CPU instructions that this machine lacks.*macaulay2==10\.8\.11"):
        run(illegal, limits, work="M2")
    with pytest.raises(EngineError, match="CPU instructions"):
        run(["sh", "-c", '"$@"; exit $?', "sh", *illegal], limits, work="M2")


def test_where_pip_cannot_install_the_alternative_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "base_prefix", sys.prefix)
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    (tmp_path / "EXTERNALLY-MANAGED").touch()
    with pytest.raises(EngineError, match="PEP 668.*apt-get install singular-ui singular-modules macaulay2"):
        install()
    with pytest.raises(InvalidOption, match="among singular, macaulay2, msolve"):
        install(["maple"])


def executable(path, command):
    """A shell script of one command."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_variable_comes_before_the_path_and_the_path_before_the_wheels(name, monkeypatch, tmp_path):
    program = PROGRAMS[name]
    wheel, own, chosen = (executable(tmp_path / place / program.file, "exit 1")
                          for place in ("sage_wheels/bin", "own", "chosen"))
    (tmp_path / f"{program.wheel.replace('-', '_')}-1.dist-info").mkdir()
    (tmp_path / f"{program.wheel.replace('-', '_')}-1.dist-info" / "METADATA").write_text(f"Name: {program.wheel}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.delenv(program.variable, raising=False)
    assert (locate(name), in_wheel(name)) == (str(wheel), str(wheel))
    monkeypatch.setenv("PATH", str(own.parent))
    assert (locate(name), in_wheel(name)) == (str(own), str(wheel))
    monkeypatch.setenv(program.variable, str(chosen))
    assert locate(name) == str(chosen)


@pytest.mark.slow
def test_the_wheels_install_into_a_new_environment_and_run(tmp_path):
    """Also beside a Singular that the machine has of its own, which stays in use unless the variable says otherwise."""
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "new")], check=True, timeout=120)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("SYMKNOT_")}
    own = executable(tmp_path / "own" / "Singular", f'exec {locate("singular")} "$@"')
    script = (f"import os, sys\nsys.path += {[str(ROOT), *sys.path]}\n"   # after its own, which must be seen first
              "from symknot.engines import available, install\nfrom symknot.engines.finding import PROGRAMS, in_wheel\n"
              "found = install()\n"
              f"assert all(f.runs for f in found) and found[0].path == {str(own)!r}, found\n"
              "for name, program in PROGRAMS.items():\n    os.environ[program.variable] = in_wheel(name)\n"
              "found = available()[:3]\n"
              "assert all(f.runs and '/new/' in f.path for f in found), found")
    subprocess.run([str(tmp_path / "new" / "bin" / "python"), "-c", script], cwd=tmp_path, check=True, timeout=300,
                   env={**plain, "PATH": f"{own.parent}:/usr/bin:/bin"})
