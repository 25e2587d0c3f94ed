"""The command ``prove``: does a polynomial follow from others, or from the equations in a file; does an inequality hold."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .common import add_timeout, check_destinations, opened, opened_exactly
from .registry import FALLS_SHORT, OK, Answer, Written, command

FORMATS = ("text", "coq", "lean")


def _arguments_of_prove(parser: ArgumentParser) -> None:
    parser.add_argument("goal", metavar="GOAL", help="an equation such as 'x**4 = y**2', or an inequality such as 'x <= 2'")
    parser.add_argument("--from", dest="model", type=Path, metavar="MODEL.json",
                        help="a saved result: its exact equations are given")
    parser.add_argument("--given", action="append", default=[], metavar="EQUATION",
                        help="an equation that is given; may be repeated")
    parser.add_argument("--conserved", action="store_true",
                        help="prove that GOAL, a polynomial, is constant along the equations of motion in MODEL.json, on which "
                        "what is --given holds")
    parser.add_argument("--to", choices=FORMATS, default="text", help="how the certificate is written (default: %(default)s)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write the certificate here")
    parser.add_argument("--check", action="store_true", help="have Coq check it")
    add_timeout(parser)


@command("prove", help="prove that a polynomial follows from others, with a certificate", arguments=_arguments_of_prove,
         json=True)
def run_prove(arguments: Namespace) -> Answer:
    """Find cofactors and print them, or write them for a proof assistant; inequalities go to an SMT solver."""
    from ..ground.errors import InvalidOption, NotProved
    from ..polynomials.parsing import RELATION
    check_destinations(arguments, ("output",), arguments.model or Path("no such file"), "model")
    sign = RELATION.search(arguments.goal)
    if sign and sign[1] not in ("=", "=="):
        return _inequality(arguments)
    if arguments.model is not None and arguments.given and not arguments.conserved:
        raise InvalidOption("--given", arguments.given[0], "left out where the equations come from a file")
    if arguments.model is None and arguments.conserved:
        raise InvalidOption("--conserved", True, "given with --from MODEL.json")
    try:
        return _equation(arguments)
    except NotProved as error:
        answer = "refuted" if error.point else "not proved"
        told = {"kind": "NotProved", "ok": False, "answer": answer, "text": str(error), "point": _point(error.point)}
        return Answer(str(error), told, FALLS_SHORT)


def _equation(arguments: Namespace) -> Answer:
    """With cofactors; or of a polynomial that it is conserved."""
    from ..ground.storage import write_atomically
    from ..proof.proving import prove
    if arguments.conserved:
        from ..sysid.invariants.proving import prove_conserved
        proof: Any = prove_conserved(arguments.goal, opened(arguments.model), arguments.given, timeout=arguments.timeout)
    else:
        laws = opened_exactly(arguments.model, arguments.timeout) if arguments.model is not None else arguments.given
        proof = prove(arguments.goal, laws, timeout=arguments.timeout)
    accepted = proof.check(arguments.timeout) if arguments.check else None
    text = str(proof) if arguments.to == "text" else proof.export(arguments.to)
    said = "" if accepted is None else f"\nCoq {'accepts' if accepted else 'REFUSES'} it"
    told = {"kind": "Proof", "ok": accepted is not False, "accepted": accepted, "text": str(proof), "certificate": text}
    shown = text + said if arguments.output is None else str(proof) + said
    files = () if arguments.output is None else (Written(arguments.output, lambda path: write_atomically(path, text)),)
    return Answer(shown, told, FALLS_SHORT if accepted is False else OK, files)


def _inequality(arguments: Namespace) -> Answer:
    from ..ground.errors import InvalidOption
    from ..polynomials.parsing import relation_from_text
    from ..proof.asking import ask_real
    from ..proof.proving import hypotheses_of
    for name in ("conserved", "check", "output"):
        if getattr(arguments, name):
            raise InvalidOption(f"--{name}", getattr(arguments, name), "left out for an inequality, which a solver decides")
    if arguments.to != "text":
        raise InvalidOption("--to", arguments.to, "left out for an inequality: a solver's answer is no certificate")
    laws = opened_exactly(arguments.model, arguments.timeout) if arguments.model is not None else arguments.given
    names, variables, equations = hypotheses_of(laws, [arguments.goal])
    claim = relation_from_text(arguments.goal, [str(v) for v in variables], "GOAL")
    answer = ask_real(names, equations, claim, timeout=arguments.timeout, functions=getattr(laws, "function_letters", ()))
    told = {"kind": "RealAnswer", "ok": bool(answer), "answer": answer.status, "text": str(answer),
            "point": _point(answer.point)}
    return Answer(answer, told, OK if answer else FALLS_SHORT)


def _point(point: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"name": name, "value": value} for name, value in point.items()]
