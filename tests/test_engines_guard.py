"""Programs end with who started them, however that ended; they know little and are believed less. With the real ones."""

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
from symknot.engines.finding import PROGRAMS, locate
from symknot.engines.msolve import Msolve
from symknot.engines.process import Limits, run
from symknot.engines.text import LARGEST_EXPONENT, LONGEST_NUMBER, parsed
from symknot.ground.deadline import Deadline
from symknot.ground.errors import EngineError, EngineMissing, TimeLimit

from .test_engines_limits import HARD, ROOT, cyclic, executable, marked

ASK = """
import signal, sys
signal.signal(signal.SIGHUP, signal.SIG_DFL)             # nohup hands down that it is ignored
from tests.test_engines_limits import cyclic
from symknot.engines import engine
p, v = cyclic(int(sys.argv[2]))
engine(sys.argv[1]).groebner(p, variables=v, timeout=300)
"""


def seen(folder, count, seconds=60.0):
    """Processes that live in `folder`, once there are `count` of them."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = marked(folder)
        if len(found) == count or len(found) > count > 0:
            return found
        time.sleep(0.02)
    return marked(folder)


@pytest.mark.parametrize("name, number", [
    ("singular", signal.SIGKILL), ("macaulay2", signal.SIGKILL), ("sympy", signal.SIGKILL), ("singular", signal.SIGTERM),
    ("singular", signal.SIGHUP),
    # no program sees the signal itself
    *(pytest.param(name, number, marks=pytest.mark.slow) for name in ("macaulay2", "sympy")
      for number in (signal.SIGTERM, signal.SIGHUP)),
], ids=lambda one: getattr(one, "name", one))
def test_a_program_ends_with_the_python_that_asked(name, number, tmp_path):
    asker = subprocess.Popen([sys.executable, "-c", ASK, name, str(HARD[name])], cwd=ROOT, stderr=subprocess.DEVNULL,
                             env={**os.environ, "TMPDIR": str(tmp_path)})
    try:
        found = seen(tmp_path, 2)
        assert len(found) >= 2 and len(os.listdir(tmp_path)) == 1, found    # Macaulay2 starts helpers for a moment
        time.sleep(0.3)
        asker.send_signal(number)
        assert asker.wait(10) == -number
        assert seen(tmp_path, 0, 5) == []
        end = time.monotonic() + 5
        while os.listdir(tmp_path) and time.monotonic() < end:
            time.sleep(0.02)
        assert os.listdir(tmp_path) == []
    finally:
        asker.kill()
        asker.wait()
        for pid in marked(tmp_path):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.skipif(sys.platform != "linux", reason="PR_SET_PDEATHSIG is of Linux")
def test_a_program_ends_with_its_guard_too(tmp_path):
    """As after `pkill -9 python`, which takes asker and guard."""
    asker = subprocess.Popen([sys.executable, "-c", ASK, "singular", "9"], cwd=ROOT, stderr=subprocess.DEVNULL,
                             env={**os.environ, "TMPDIR": str(tmp_path)})
    try:
        found = seen(tmp_path, 2)
        guard = next(pid for pid in found if b"guard.py" in Path(f"/proc/{pid}/cmdline").read_bytes())
        asker.kill()
        os.kill(guard, signal.SIGKILL)
        assert seen(tmp_path, 0, 5) == []
    finally:
        asker.kill()
        asker.wait()
        for pid in marked(tmp_path):
            os.kill(pid, signal.SIGKILL)


def test_the_end_of_a_thread_is_not_the_end_of_a_program(tmp_path):
    """The thread that started the guard ends at once; the program goes on."""
    made = []
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "stdin").write_text("")
    command = [sys.executable, "-c", "import time; time.sleep(0.5); print('done')"]
    given = (command, Limits.checked(20), folder, dict(os.environ))
    starter = threading.Thread(target=lambda: made.append(process._Guarded(*given)))
    starter.start()
    starter.join()
    with made[0] as guarded:
        assert guarded.end("waiting")[0] == 0
        assert (folder / "stdout").read_text() == "done\n"
    assert not folder.exists()


def test_programs_know_little_of_their_caller(monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "hunter2")
    monkeypatch.setenv("PATH", f":.:{os.environ['PATH']}:relative")
    told = run(["env"], Limits.checked(20), work="env")
    given = dict(line.split("=", 1) for line in told.splitlines())
    assert "hunter2" not in told and set(given) <= {"PATH", "HOME", "TMPDIR", "LC_ALL", "OMP_NUM_THREADS", *process.PLACES}
    assert all(place.startswith("/") for place in given["PATH"].split(":"))


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("path", ["", ":", ".", "::/nowhere", "here"])
def test_no_program_is_taken_from_the_current_folder(name, path, monkeypatch, tmp_path):
    program = PROGRAMS[name]
    executable(tmp_path / program.file, "exit 0")
    executable(tmp_path / "here" / program.file, "exit 0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", path)
    monkeypatch.delenv(program.variable, raising=False)
    assert not locate(name).startswith(str(tmp_path))           # the wheel's
    monkeypatch.setenv(program.variable, program.file)
    with pytest.raises(EngineMissing, match="is not a program"):
        locate(name)
    monkeypatch.setenv(program.variable, f"./{program.file}")   # said in so many words
    assert locate(name) == str(tmp_path / program.file)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGFPE, signal.SIGBUS],
                         ids=lambda number: number.name)
def test_a_crash_is_called_a_crash(number):
    script = f"import os, resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); os.kill(os.getpid(), {int(number)})"
    for memory in (None, 4096):
        with pytest.raises(EngineError, match=rf"work: the program crashed \({number.name}\)") as caught:
            run([sys.executable, "-c", script], Limits.checked(20, memory), work="work")
        assert "needs more" not in str(caught.value)
    with pytest.raises(EngineError, match=rf"crashed \({number.name}\)"):
        run(["sh", "-c", '"$@"; exit $?', "sh", sys.executable, "-c", script], Limits.checked(20), work="work")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory here")
def test_a_crash_near_the_memory_limit_says_both():
    script = ("import os, resource, signal; resource.setrlimit(resource.RLIMIT_CORE, (0, 0)); x = b'1' * (150 << 20); "
              "os.kill(os.getpid(), signal.SIGSEGV)")
    with pytest.raises(EngineError, match=r"crashed \(SIGSEGV\) near its limit: it probably needs more than 200 MB of memory"):
        run([sys.executable, "-c", script], Limits.checked(20, 200), work="work")


def test_msolve_that_crashes_within_too_little_memory_says_what_to_try():
    polynomials, variables = cyclic(8)
    with pytest.raises(EngineError, match=r"crashed \(SIGSEGV\).*memory.*raise memory"):
        engine("msolve").groebner(polynomials, variables=variables, memory=20)


def test_a_signal_from_outside_is_named():
    with pytest.raises(EngineError, match="was killed by signal SIGTERM"):
        run(["sh", "-c", "kill -TERM $$"], Limits.checked(20), work="work")


def test_without_a_temporary_folder_the_error_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(process.tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(EngineError, match="no temporary folder can be made: No such file or directory; set TMPDIR"):
        run(["true"], Limits.checked(20), work="work")
    monkeypatch.setattr(process.tempfile, "tempdir", str(tmp_path))
    with pytest.raises(EngineError, match="its temporary folder .* vanished meanwhile"):
        run(["sh", "-c", f"rm -r {tmp_path}/symknot-*"], Limits.checked(20), work="work")
    assert os.listdir(tmp_path) == []


def test_a_program_cannot_write_more_than_its_limit_between_two_looks(monkeypatch, tmp_path):
    monkeypatch.setattr(process, "LARGEST_OUTPUT", 1)
    for words in (["sh", "-c", "yes"], [sys.executable, "-c", "print('y' * (3 << 20))"]):
        with pytest.raises(EngineError, match="more than 1 MB of output"):
            run(words, Limits.checked(20), work="work")


@pytest.mark.parametrize("text, complaint", [
    ("7" * (LONGEST_NUMBER + 1), "a number of 100001 digits, more than 100000"),
    ("x1-1/" + "7" * (LONGEST_NUMBER + 1), "a number of 100001 digits"),
    (f"x1^{LARGEST_EXPONENT + 1}", "the exponent 1000001, more than 1000000"),
    ("x1^999999999*x2", "the exponent 999999999"),
    ("*".join(["x1^600000"] * 2), "the exponent 1200000"),
])
def test_numbers_and_exponents_of_an_answer_are_bounded(text, complaint):
    with pytest.raises(EngineError, match=complaint):
        parsed(text, 2)
    assert parsed(f"x1^{LARGEST_EXPONENT}-{'7' * LONGEST_NUMBER}", 2)


def test_the_time_limit_counts_while_an_answer_is_read():
    text = "+".join(f"{number}*x1^{number}" for number in range(1, 400_000))
    start = time.monotonic()
    with pytest.raises(TimeLimit, match="reading the answer"):
        parsed(text, 1, Deadline(0.1))
    assert time.monotonic() - start < 2


@pytest.mark.parametrize("said, complaint", [
    ("sk:value " + "7" * 5000, "expected one whole number"),
    ("sk:value \u0663", "expected one whole number"),
    ("sk:ideal\nsk:poly x1^999999999", "the exponent 999999999"),
])
def test_a_program_that_lies_is_an_error_in_words(said, complaint, monkeypatch, tmp_path):
    fake = executable(tmp_path / "fake", f"cat > /dev/null; printf '%s\\n' '{said}' sk:end")
    monkeypatch.setenv("SYMKNOT_SINGULAR", str(fake))
    liar = engine("singular")
    with pytest.raises(EngineError, match=complaint):
        if "poly" in said:
            liar.groebner([sympy.Poly("x**2")])
        else:
            liar.dimension([sympy.Poly("x**2")])


def test_a_huge_denominator_of_msolve_is_refused(monkeypatch):
    huge = "[0, [1,\n[[[1 / 2^999999999, 3 / 2^1]]]\n]]:\n"
    monkeypatch.setattr(Msolve, "_run", lambda *_: huge)
    with pytest.raises(EngineError, match=r"denominator 2\^999999999"):
        Msolve("msolve")._real_solutions(type("G", (), {"size": 1}), None)
