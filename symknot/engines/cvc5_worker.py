"""The child process for cvc5 where only its Python wheel is here: SMT-LIB 2 on standard input, answers on standard output.

Run as ``python -m symknot.engines.cvc5_worker`` by `provers.py`; its limits are set from outside.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Run every command of the script."""
    import cvc5
    solver = cvc5.Solver()
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), "script")
    symbols = parser.getSymbolManager()
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        answer = command.invoke(solver, symbols)
        if answer:
            print(answer, end="", flush=True)


if __name__ == "__main__":
    main()
