"""Reading a saved `Model` back: numbers and names only, nothing in the file is ever run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...ground.errors import InvalidModel, Status
from ...ground.storage import checked, floats, number, whole_numbers
from ...polynomials.monomials import count
from ...polynomials.rational_json import terms_from_json
from ...polynomials.symbols import safe_symbols
from ...results.saving import reader
from ..runs.spikes import Spike
from .equation import StateEquation
from .fields import Field
from .functions import FunctionOf, registered_functions
from .kinds import kind_from_json
from .knotted import Alternative, KnottedRun
from .model import COUNTS_AS_INPUT, FORMAT, VERSION, Model
from .ties import Ties

MOST_SAVED_MONOMIALS = 100_000
"""Monomials that a file may ask for: more would only fill the memory."""
MOST_DIGITS = 100
"""Significant digits that a number may ask for: a float has 17."""
HIGHEST_SAVED_DEGREE = 1000
"""Degree that it may ask for: the number of monomials is not even counted beyond."""


@reader(FORMAT, versions=(1, VERSION))
def read_model(content: dict) -> Model:
    """The `Model` of a file's content."""
    content = content if content["version"] == VERSION else _of_first_version(content)
    names, inputs, arguments, targets = (_names(content[key]) for key in
                                         ("state_names", "input_names", "arguments", "targets"))
    dynamics = kind_from_json(checked(content["dynamics"], dict))
    d, q = len(names), len(inputs)
    if not d or len(set(arguments + targets)) != len(arguments + targets):
        raise ValueError("names must differ, and there must be at least one")
    if arguments != dynamics.argument_names(names) + inputs:
        raise ValueError(f"arguments {list(arguments)}: need {list(dynamics.argument_names(names))}, then the inputs")
    if targets not in ((), dynamics.target_names(names)):
        raise ValueError(f"targets {list(targets)}: need {list(dynamics.target_names(names))}")
    field = _field(content["field"], len(arguments), len(targets))
    coefficients = floats(content["coefficients"], (field.size,))
    information = floats(content["information"], (field.size, field.size))
    if (np.diag(information) < 0).any():
        raise ValueError("information with a negative diagonal")
    return Model(
        state_names=names, input_names=inputs, arguments=arguments, targets=targets, dynamics=dynamics, field=field,
        coefficients=coefficients, information=information, state_noise=_not_negative(content["state_noise"], d),
        values=_not_negative(content["values"], d), guesses=_guesses(content["guesses"]),
        runs=tuple(_run(run, d, q) for run in checked(content["runs"], list)),
        status=Status(content["status"]), message=checked(content["message"], str),
        alternatives=tuple(_alternative(one, arguments, targets) for one in checked(content.get("alternatives", []), list)),
        constraints=tuple(_relation(one, names, False) for one in checked(content.get("constraints", []), list)),
        invariants=tuple(_relation(one, names, True) for one in checked(content.get("invariants", []), list)),
        hidden=_hidden(content.get("hidden", []), names),
        spikes=tuple(_spike(one, names) for one in checked(content.get("spikes", []), list)))


def _spike(content, names):
    """A value that was left out."""
    run, time, variable, value = checked(content, list)
    if checked(variable, str) not in names:
        raise ValueError(f"a spike of {variable[:80]!r}, which is no state")
    return Spike(checked(run, str), number(time), variable, number(value))


def _hidden(content, names):
    """States that were not measured."""
    hidden = _names(content)
    if not set(hidden) <= set(names) or len(set(hidden)) < len(hidden):
        raise ValueError(f"hidden states {list(hidden)}: need some of {list(names)}")
    return hidden


def _relation(content, names, is_constant):
    """A constraint, or an invariant."""
    terms = terms_from_json(checked(content, dict)["terms"], len(names), HIGHEST_SAVED_DEGREE)
    if not any(map(sum, terms)) or not all(terms.values()):
        raise ValueError("a relation needs terms with variables, and no coefficient may be zero")
    digits, errors = ({tuple(whole_numbers(e, 0, HIGHEST_SAVED_DEGREE).tolist()): value for e, value in
                       checked(content[key], list)} for key in ("digits", "standard_errors"))
    if not digits.keys() <= terms.keys() == errors.keys():
        raise ValueError("terms, digits and standard errors of a relation are not of the same monomials")
    shown = {e: int(whole_numbers([value], 1, MOST_DIGITS)[0]) for e, value in digits.items()}
    sizes = _not_negative(list(errors.values()), len(errors))
    return StateEquation(terms, shown, {e: np.inf if np.isnan(size) else float(size) for e, size in zip(errors, sizes)},
                         safe_symbols(names), names, is_constant)


def _alternative(content, arguments, targets):
    field = _field(checked(content, dict)["field"], len(arguments), len(targets))
    return Alternative(arguments, targets, field, floats(content["coefficients"], (field.size,)),
                       number(content["cost"]))


def _of_first_version(content):
    """Content of version 1, which had other names, and said by its message alone for what no equation was found."""
    partly = checked(content["message"], str).endswith(COUNTS_AS_INPUT)
    status = Status.NOTHING_FOUND if not content["targets"] else Status.PARTLY_FOUND if partly else Status.FOUND
    return {**content, "state_names": content["names"], "state_noise": content["noise"], "status": status.value}


def _names(value):
    return tuple(checked(name, str) for name in checked(value, list))


def _field(content, arguments, equations):
    if checked(content["arguments"], int) != arguments:
        raise ValueError(f"{content['arguments']} arguments for {arguments} names")
    functions = tuple(_function(entry, arguments) for entry in checked(content.get("functions", []), list))
    degree, factors = checked(content["degree"], int), arguments + len(functions)
    if not 0 <= degree <= HIGHEST_SAVED_DEGREE or count(factors, degree) > MOST_SAVED_MONOMIALS:
        raise ValueError(f"degree {degree} in {factors} variables")
    highest = count(factors, degree)
    above, below = ([whole_numbers(part, 0, highest) for part in checked(content[key], list)]
                    for key in ("numerators", "denominators"))
    pivots = tuple(whole_numbers(content["pivots"], 0, highest).tolist())
    if not len(above) == len(below) == len(pivots) == equations:
        raise ValueError(f"{len(above)} numerators, {len(below)} denominators, {len(pivots)} pivots for "
                         f"{equations} equations")
    for a, b, pivot in zip(above, below, pivots):
        if len(set(a.tolist())) < len(a) or len({pivot, *b.tolist()}) < len(b) + 1:
            raise ValueError("a monomial occurs twice")
    field = Field(arguments, degree, tuple(above), tuple(below), pivots, functions)
    return replace(field, ties=_ties(content.get("ties"), field.size))


def _ties(content, size):
    """What is fixed or moves together."""
    if content is None:
        return None
    group = np.array([checked(entry, int) for entry in checked(checked(content, dict)["group"], list)], dtype=int)
    sign = np.array([checked(entry, int) for entry in checked(content["sign"], list)], dtype=int)
    weight, offset = (floats(content[key], (size,)) for key in ("weight", "offset"))
    used = np.unique(group)
    if len(group) != size or len(sign) != size or (used[used >= 0] != np.arange((used >= 0).sum())).any() or (used < -1).any():
        raise ValueError(f"ties of {len(group)} coefficients, of {size}, or numbers left out")
    if ((weight == 0) != (group < 0)).any() or (np.abs(sign) > 1).any():
        raise ValueError("ties with weights of what is fixed, or without those of what is not")
    return Ties(group, weight, offset, sign)


def _function(content, arguments):
    """A function that was registered under the name in the file: a file names code, it never brings any."""
    name, argument = checked(checked(content, dict)["name"], str), checked(content["argument"], int)
    if not 0 <= argument < arguments:
        raise ValueError(f"function {name[:80]!r} of argument {argument}, of {arguments}")
    known = registered_functions()
    if name not in known:
        raise InvalidModel(f"the model uses the function {name[:80]!r}, which is not known here; make it known first: "
                           "symknot.sysid.motion.functions.register_function")
    return FunctionOf(known[name], argument)


def _not_negative(value, length):
    """Numbers >= 0, NaN for each null."""
    if len(checked(value, list)) != length:
        raise ValueError(f"need {length} numbers, got {len(value)}")
    array = np.array([np.nan if entry is None else number(entry) for entry in value])
    if (array < 0).any():
        raise ValueError("need numbers >= 0")
    return array


def _guesses(content):
    pairs = [(checked(degree, int), tuple(_not_negative(values, len(values)).tolist()))
             for degree, values in checked(content, list)]
    if len(dict(pairs)) < len(pairs) or len({len(values) for _, values in pairs}) > 1:
        raise ValueError("guesses of one degree twice, or of different length")
    return dict(pairs)


def _run(content, d, q):
    times = floats(content["times"], (None,))
    n = len(times)
    if not n or (np.diff(times) <= 0).any():
        raise ValueError("times of a run must increase")
    return KnottedRun(label=checked(content["label"], str), times=times, measured=_gappy(content["measured"], (n, d)),
                      states=floats(content["states"], (n, d)),
                      inputs=floats(content["inputs"], (n, q)) if q else _no_inputs(content["inputs"], n),
                      cuts=whole_numbers(content["cuts"], 0, n),
                      noise=None if content.get("noise") is None else _own_noise(content["noise"], n, d))


def _own_noise(value, n, d):
    """Of the whole run, or of every value."""
    if checked(value, list) and isinstance(value[0], list):
        if len(value) != n:
            raise ValueError(f"noise of {len(value)} samples of {n}")
        return np.array([_not_negative(row, d) for row in value])
    return _not_negative(value, d)


def _gappy(value, shape):
    """An array of numbers, NaN for each null."""
    array = np.array(value, dtype=object)
    if array.shape != shape:
        raise ValueError(f"array of shape {array.shape}, need {shape}")
    return np.array([np.nan if entry is None else number(entry) for entry in array.ravel()]).reshape(shape)


def _no_inputs(value, n):
    if value != [[]] * n:
        raise ValueError("inputs of a model without inputs")
    return np.empty((n, 0))
