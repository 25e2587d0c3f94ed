"""Whether equations of motion that are called clear are true, and how often a claimed probability is kept.

Run from the top of the checkout::

    python -m tests.benchmarks.calibration
    python -m tests.benchmarks.calibration --systems 20 --first 1000

Random systems of two or three states: every right-hand side has one to three terms of degree at most 2, with coefficients of
one decimal in half of the systems and with as many digits as a float has in the others; those are kept whose two runs stay
bounded and move.  Each is measured with Gaussian noise (a percentage of every state's standard deviation) at several lengths.
What `identify` claims is the probability of its model among those it lists, 1 / (1 + sum of the odds of `alternatives`), or
that the model is clear.  For each claim the columns are

models
    For which it was made.
claimed
    Mean of the claimed probabilities; of clear models at least .95.
true
    Share of them with exactly the true terms.
listed
    Of those that are not true, the share with the truth among the alternatives.
"""

from __future__ import annotations

import argparse
import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # before numpy is imported

import numpy as np
import sympy
from scipy.integrate import solve_ivp

import symknot
from tests.benchmarks.motion import is_right
from tests.fresh_dynamics import Fresh

NOISES = (1, 5, 10, 20)
LENGTHS = (100, 300, 1000)
CLAIMS = ("clear", ">= .8", ".5 to .8", "< .5", "nothing found")
LARGEST_STATE, LEAST_MOVE = 20.0, 0.3


def random_system(seed: int) -> Fresh:
    """A system whose runs stay bounded and move until their end."""
    rng = np.random.default_rng(seed)
    while True:
        states = int(rng.integers(2, 4))
        names = ("x", "y", "z")[:states]
        letters = sympy.symbols(names)
        monomials = sorted(sympy.itermonomials(letters, 2), key=str)
        sides = []
        for _ in range(states):
            chosen = rng.choice(len(monomials), int(rng.integers(1, 4)), replace=False)
            values = rng.uniform(0.2, 3.0, len(chosen)) * rng.choice([-1, 1], len(chosen))
            values = values.round(1) if seed % 2 else values
            sides.append(str(sympy.Add(*[sympy.Float(float(c)) * monomials[k] for c, k in zip(values, chosen)])))
        starts = tuple(tuple(rng.uniform(-2, 2, states).round(2).tolist()) for _ in range(2))
        if _is_moving(sides, letters, starts):
            return Fresh(f"random {seed}", names, tuple(sides), starts, 10.0, max(LENGTHS), 2)


def _is_moving(sides, letters, starts):
    """Whether the states stay bounded, and each still moves in the second half of some run."""
    rates = sympy.lambdify([letters], [sympy.sympify(side) for side in sides])
    moves = []
    for start in starts:
        path = solve_ivp(lambda _, x: rates(x), (0, 10), start, t_eval=np.linspace(0, 10, 200), events=_leaves)
        if path.status != 0:
            return False
        moves.append(np.std(path.y[:, 100:], axis=1))
    return bool((np.max(moves, axis=0) > LEAST_MOVE).all())


def _leaves(_, x):
    return LARGEST_STATE - np.abs(x).max()


_leaves.terminal = True


def claim_of(model: symknot.Model) -> tuple[str, float]:
    """What the model says of itself: a name of `CLAIMS`, and the probability."""
    if model.status is symknot.Status.FOUND:
        return "clear", 0.95
    if model.status is not symknot.Status.UNDECIDED:
        return "nothing found", 0.0
    probability = 1 / (1 + sum(other.odds for other in model.alternatives))
    return (">= .8" if probability >= 0.8 else ".5 to .8" if probability >= 0.5 else "< .5"), probability


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--systems", type=int, default=40)
    parser.add_argument("--first", type=int, default=0, help="seed of the first system")
    parser.add_argument("--show", action="store_true", help="print models that are called clear and are not true")
    arguments = parser.parse_args()
    rows = []
    for seed in range(arguments.first, arguments.first + arguments.systems):
        system = random_system(seed)
        for noise in NOISES:
            times, runs = system.data(noise, seed)
            for length in LENGTHS:
                step = max(LENGTHS) // length
                data = symknot.Trajectories([run[::step] for run in runs], time=times[::step], names=list(system.names))
                model = symknot.identify(data, system.degree)
                claim, probability = claim_of(model)
                true = is_right(system, model.exact_right_hand_sides)
                listed = any(is_right(system, other.right_hand_sides) for other in model.alternatives)
                rows.append((noise, length, claim, probability, true, listed))
                if arguments.show and claim == "clear" and not true:
                    print(f"{system.name}, {noise} %, {length}: {system.rates}\n{model}", flush=True)
    for title, place, values in (("claim", 2, CLAIMS), ("clear, noise", 0, NOISES), ("clear, length", 1, LENGTHS)):
        print(f"{title:<16}{'models':>8}{'claimed':>9}{'true':>7}{'listed':>8}")
        for value in values:
            these = [row for row in rows if row[place] == value and (place == 2 or row[2] == "clear")]
            false = [row for row in these if not row[4]]
            print(f"{value!s:<16}{len(these):>8}{_mean(row[3] for row in these):>9}{_mean(row[4] for row in these):>7}"
                  f"{_mean(row[5] for row in false):>8}")
        print()


def _mean(values):
    values = list(values)
    return f"{np.mean(values):.2f}" if values else "-"


if __name__ == "__main__":
    main()
