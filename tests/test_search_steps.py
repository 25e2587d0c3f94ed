"""The search, step by step: what is looked at, taken, extended and bent, from numbers on either side of each line."""

from types import SimpleNamespace as Record

import numpy as np
import pytest

from symknot.fitting import search
from symknot.fitting.judging import Searched
from symknot.ground.errors import WorkLimit

LOUD = search.LOUDEST_NOISE * np.sqrt(2)
"""The largest value of degree 1 that noise may have in two variables."""


def degree(number=2, *, values=(1.0, 3.0), left=200, **others):
    """What the search reads of a degree in two variables."""
    return Record(**{"degree": number, "left": left, "spectrum": lambda metric: (np.array(values),), "grams": np.zeros(2),
                     "exact": [], "noiseless": np.zeros((4, 2), bool),
                     "sample": Record(weights=np.full(4, 0.25), rounding=np.zeros(2)),
                     "problem": Record(products=Record(left=[1])), "recursion": None, **others})


def hypothesis(at=None, k=1, **others):
    """What it reads of a hypothesis."""
    at = at or degree()
    return Record(**{"at": at, "degree": at.degree, "k": k, "metric": np.ones(2), "is_split": False, "unevenness": 1.0,
                     "structure": Record(functions=3, rejects=False), "loudness": 0.05, "determined": np.array([True, True]),
                     "values": np.array([1.0, 3.0]), "quiet": np.zeros(2, bool), "noise": 0.1, "typical": 0.1,
                     "involved": np.array([True, True]), "is_near": lambda: True, "expected": None, **others})


@pytest.fixture
def script(monkeypatch):
    """Lets everything be believed; what a search asks for is noted."""
    asked = []

    def make(at, k, metric=None, fixed=False, quiet=None, expected=None):
        asked.append((k, fixed, np.asarray(metric).tolist()))
        return hypothesis(at, k)

    monkeypatch.setattr(search, "hypothesis", make)
    monkeypatch.setattr(search, "with_other_noise", lambda state, at, k, found, quiet: found)
    for name in ("stands_clear", "is_new", "overrules", "has_points_to_spare"):
        monkeypatch.setattr(search, name, lambda *given: True)
    monkeypatch.setattr(Searched, "leaves_room", lambda self, found: True)
    return asked


# ------------------------------------------------------------------------------------------------------- which degrees


@pytest.mark.parametrize("n, d, max_degree, last", [
    (10**6, 2, None, 8), (10**6, 2, 3, 3), (10**6, 2, 9, 9),
    (12, 2, None, 3), (11, 2, None, 2),                          # a quarter of the points stays: 3 of 12, not 2 of 11
    (4, 2, None, 1), (3, 2, None, 0), (7, 2, None, 2), (6, 2, None, 1),      # and two points at least
    (10**6, 10, None, 3), (10**6, 10, 5, 5),                     # 285 coefficients, then 1000
    (10**6, 30, None, 2), (10**6, 30, 3, 3),                     # 495 of degree 2, as far as the points carry
    (10**6, 11, None, 2),                                        # 363 of degree 3
])
def test_how_far_a_search_goes(n, d, max_degree, last, monkeypatch):
    seen = []

    def of(sample, recursion, columns):
        assert recursion is last_recursion if seen else (recursion.dimension, recursion.constant) == (d, 1.0)
        seen.append(columns)
        return degree(len(seen), left=0, recursion=last_recursion)

    last_recursion = object()
    monkeypatch.setattr(search.SampledDegree, "of", of)
    state = Searched()
    search._by_degree(state, Record(count=n, values=np.zeros((1, d))), max_degree, None, True)
    assert len(seen) == len(state.degrees) == last and state.unfinished == ""
    assert seen[:2] == [d, d + d * (d + 1) // 2][:last]


def test_a_degree_without_products_is_the_end(monkeypatch):
    degrees = iter([degree(1, left=0), degree(2, problem=Record(products=Record(left=[])))])
    monkeypatch.setattr(search.SampledDegree, "of", lambda *given: next(degrees))
    state = Searched()
    search._by_degree(state, Record(count=100, values=np.zeros((1, 2))), None, None, True)
    assert [at.degree for at in state.degrees] == [1]


@pytest.mark.parametrize("noisy, left, noiseless, looked", [
    (True, 10, False, True), (True, 9, False, False), (False, 10, False, False), (True, 10, True, False)])
def test_where_noise_may_be_it_is_looked_for(noisy, left, noiseless, looked, monkeypatch):
    at = degree(1, left=left, noiseless=np.full((4, 2), noiseless))
    monkeypatch.setattr(search.SampledDegree, "of", lambda *given: at)
    seen = []
    monkeypatch.setattr(search, "_look", lambda *given: seen.append(given[1]))
    search._by_degree(Searched(), Record(count=100, values=np.zeros((1, 2))), 1, None, noisy)
    assert seen == [at] * looked


def test_a_search_says_which_degree_is_unfinished(monkeypatch):
    def of(sample, recursion, columns):
        if columns > 2:
            raise WorkLimit("searching", 1.0)
        return degree(1, left=0)

    monkeypatch.setattr(search.SampledDegree, "of", of)
    sample = Record(count=100, values=np.zeros((1, 2)))
    state = search.search_as_far(sample, None, None)
    assert state.unfinished == "degree 2 was not searched to the end, nor any beyond" and len(state.degrees) == 1
    with pytest.raises(WorkLimit):
        search.search_sample(sample, None, None)


@pytest.mark.parametrize("name", ["search_sample", "search_as_far"])
def test_noise_is_looked_for_unless_told_otherwise(name, monkeypatch):
    seen = []
    monkeypatch.setattr(search, "_search", lambda state, sample, max_degree, metric, noisy: seen.append(noisy))
    getattr(search, name)(None, None, None)
    getattr(search, name)(None, None, None, False)
    assert seen == [True, False]


@pytest.mark.parametrize("noisy, metric, degrees, unaware, again", [
    (True, None, 1, True, True), (False, None, 1, True, False), (True, np.ones(2), 1, True, False),
    (True, None, 0, True, False), (True, None, 1, False, False)])
def test_degrees_are_searched_again_for_the_unaware(noisy, metric, degrees, unaware, again, monkeypatch):
    """Not where the noise is given, or none is looked for."""
    back, state = [], Searched()
    monkeypatch.setattr(search, "_by_degree", lambda state, *given: state.degrees.extend([degree()] * degrees))
    monkeypatch.setattr(search, "_is_unaware", lambda state: unaware)
    monkeypatch.setattr(search, "_look_back", lambda state: back.append(state.unfinished))
    search._search(state, None, None, metric, noisy)
    assert state.unfinished == ""
    assert back == ["degrees were not all searched again with the noise that exact equations leave"] * again


@pytest.mark.parametrize("enough, silence, extend, looked", [
    (True, False, False, False), (True, True, False, True), (True, False, True, True), (False, False, False, True)])
def test_a_degree_that_is_not_needed_is_not_computed(enough, silence, extend, looked, monkeypatch):
    made = []
    monkeypatch.setattr(search.SampledDegree, "of", lambda *given: made.append(1) or degree(1, left=0))
    monkeypatch.setattr(search, "_is_enough", lambda state, number: enough)
    monkeypatch.setattr(search, "_may_be_silenced", lambda state, number, metric: silence)
    monkeypatch.setattr(search, "_may_be_extended", lambda *given: extend)
    state = Searched()
    search._by_degree(state, Record(count=100, values=np.zeros((1, 2))), 1, None, True)
    assert len(made) == len(state.degrees) == looked


@pytest.mark.parametrize("few, enough, silence, room, kept, found_stays", [
    (False, False, False, True, True, True), (True, False, False, True, False, True), (False, True, True, False, False, True),
    (False, True, True, True, True, True), (False, False, True, False, True, False)])
def test_what_holds_to_rounding_ends_a_search_or_takes_the_place_of_noise(few, enough, silence, room, kept, found_stays,
                                                                          monkeypatch):
    """A degree that only repeats rounded noise is no degree; one that leaves no room for noise disproves what was found."""
    monkeypatch.setattr(search.SampledDegree, "of", lambda *given: degree(2, left=0))
    monkeypatch.setattr(search, "is_few_valued", lambda state, at: few)
    monkeypatch.setattr(search, "_is_enough", lambda state, number: enough)
    monkeypatch.setattr(search, "_may_be_silenced", lambda state, number, metric: silence)
    monkeypatch.setattr(search, "_may_be_extended", lambda *given: False)
    monkeypatch.setattr(Searched, "leaves_room", lambda self, one: room)
    before = hypothesis(degree(1))
    state = Searched([degree(1)], before, is_bent=True)
    search._by_degree(state, Record(count=100, values=np.zeros((1, 2))), 2, None, True)
    assert len(state.degrees) == (1 if few or not kept else 3) and state.unfinished == ""
    assert (state.found is before, state.is_bent) == (found_stays, found_stays)


# ---------------------------------------------------------------------------------------------------------- when enough


def found(**others):
    return Searched([degree(1), degree(2)], found=hypothesis(**others))


BENT = {"is_bent": True}


@pytest.mark.parametrize("state, number, enough", [
    (Searched([degree(1)]), 9, False),
    (found(), 3, True),
    (found(structure=Record(functions=0, rejects=False)), 3, False),
    (found(loudness=0.1), 3, False), (found(loudness=0.099), 3, True),
    (found(unevenness=1.01), 3, False),
    (found(is_split=True), 3, False),
    (found(is_split=True), 5, False), (found(is_split=True), 6, True),            # twice the degree, or three more
    (found(at=degree(4), is_split=True), 8, False), (found(at=degree(4), is_split=True), 9, True),
    (Searched([degree(1), degree(2, exact=[1])]), 5, False), (Searched([degree(1), degree(2, exact=[1])]), 6, True),
    (Searched([degree(2)], found=hypothesis(unevenness=2.5, loudness=1.0), is_bent=True), 3, True),
    (Searched([degree(2)], found=hypothesis(unevenness=2.6), is_bent=True), 3, False),
    (Searched([degree(2)], found=hypothesis(is_split=True), is_bent=True), 3, False),
])
def test_when_higher_degrees_need_no_look(state, number, enough):
    if state.found is None and not any(at.exact for at in state.degrees):
        assert state.exact is None
    elif state.found is None:
        state.degrees[-1].degree = 2
    assert search._is_enough(state, number) is enough


@pytest.mark.parametrize("changes, number, metric, extended, silenced", [
    ({}, 3, None, False, False),
    ({"determined": [True, False]}, 3, None, True, False),
    ({"determined": [True, False]}, 4, None, True, False),
    ({"determined": [True, False]}, 5, None, False, False),                  # two degrees above at most
    ({"determined": [True, False]}, 2, None, False, False),
    ({"determined": [True, False]}, 3, np.ones(2), False, False),
    ({"determined": [True, False], "bent": True}, 3, None, False, False),
    ({"determined": [True, False], "extended": True}, 3, None, False, False),
    ({"determined": [True, False], "exact": True}, 3, None, False, True),
    ({"exact": True}, 3, None, False, False),
    ({"determined": [True, False], "exact": True, "quiet": True}, 3, None, False, False),
    ({"determined": [True, False], "exact": True}, 5, None, False, False),
])
def test_what_may_be_added_to_what_was_found(changes, number, metric, extended, silenced):
    last = degree(2, exact=[1] if changes.get("exact") else [], noiseless=np.tile([False, bool(changes.get("quiet"))], (4, 1)))
    state = Searched([last], hypothesis(last, determined=np.array(changes.get("determined", [True, True]))),
                     is_bent=changes.get("bent", False), extended=hypothesis() if changes.get("extended") else None)
    assert bool(search._may_be_extended(state, number, metric)) is extended
    assert bool(search._may_be_silenced(state, number, metric)) is silenced


# ---------------------------------------------------------------------------------------------------------- one degree


@pytest.mark.parametrize("values, tried", [
    ((0.1, 0.3), [1]), ((0.1, 0.12), []), ((0.1, 0.3, 0.9), [2]), ((0.1, 0.3, 0.31), [1]), ((0.1, 0.13), [1]), ((0.1,), []),
    ((0.99 * LOUD, 3.0), [1]), ((1.01 * LOUD, 3.0), []),
])
def test_gaps_are_tried_the_most_equations_first(values, tried, script):
    state = Searched()
    search._look(state, degree(values=values), None)
    assert [k for k, _, _ in script][:1] == tried and (state.found is not None) == bool(tried)


def test_given_noise_has_no_limit_and_stays(script):
    state = Searched()
    search._look(state, degree(values=(7.0, 30.0)), np.array([2.0, 3.0]))
    assert script == [(1, True, [2.0, 3.0])] and state.found.k == 1


def test_more_equations_are_sought_where_noise_is_not_given_and_what_is_taken_is_not_bent(script, monkeypatch):
    sought = []
    monkeypatch.setattr(search, "_with_more", lambda state, one: sought.append(one.k) or hypothesis(k=7))
    for metric, number, k in ((None, 1, 7), (np.ones(2), 1, 1)):
        state = Searched(is_bent=True)
        search._look(state, degree(values=(0.1, 0.3)), metric)
        assert state.found.k == k and not state.is_bent and len(sought) == number


def test_a_later_look_starts_from_the_metric_found(script):
    state = Searched(found=hypothesis(metric=np.array([0.5, 2.0])))
    search._look(state, degree(3, values=(0.1, 0.3)), None)
    assert script[0] == (1, False, [0.5, 2.0]) and state.found.degree == 3 and state.overruled.degree == 2
    state = Searched(found=hypothesis(metric=np.array([0.5, 2.0])))
    search._look(state, degree(3, values=(0.1, 0.3)), np.array([2.0, 3.0]))
    assert script[-1] == (1, True, [2.0, 3.0])


@pytest.mark.parametrize("name, tried", [("stands_clear", 2), ("is_new", 1), ("overrules", 1), ("has_points_to_spare", 0)])
def test_what_is_not_believed_is_not_taken(name, tried, script, monkeypatch):
    """What does not stand clear gives way to fewer equations; what is not new, or overrules nothing, ends the look."""
    monkeypatch.setattr(search, name, lambda *given: False)
    before = hypothesis()
    state = Searched(found=before)
    search._look(state, degree(3, values=(0.1, 0.3, 0.9)), None)
    assert state.found is before and len(script) == tried


def test_structure_is_a_reason_to_look_on(script, monkeypatch):
    """Unless other noise explains it; given noise is not looked for again."""
    bad = Record(functions=3, rejects=True)
    monkeypatch.setattr(search, "hypothesis", lambda at, k, *given, **options: hypothesis(at, k, structure=bad))
    monkeypatch.setattr(search, "with_other_noise", lambda state, at, k, one, quiet: hypothesis(at, k) if k == 1 else one)
    state = Searched()
    search._look(state, degree(values=(0.1, 0.3, 0.9)), None)
    assert [one.k for one in state.rejected] == [2] and state.found.k == 1
    state = Searched()
    search._look(state, degree(values=(0.1, 0.3, 0.9)), np.ones(2))
    assert [one.k for one in state.rejected] == [2, 1] and state.found is None


@pytest.mark.parametrize("values, k", [
    ((0.1, 0.2, 0.6), 2), ((0.1, 0.2, 0.24), 1), ((0.1, 0.2, 0.3, 0.9), 3), ((0.1, 0.2, 0.6, 0.61), 2),
    ((0.1, 0.99 * LOUD, 3.0), 2), ((0.1, 1.01 * LOUD, 3.0), 1)])
def test_more_equations_where_their_own_metric_shows_them(values, k, script):
    assert search._with_more(Searched(), hypothesis(k=1, values=np.array(values))).k == k


@pytest.mark.parametrize("name", ["stands_clear", "is_new", "leaves_room", "rejects"])
def test_more_equations_must_be_believed(name, script, monkeypatch):
    if name == "leaves_room":
        monkeypatch.setattr(Searched, "leaves_room", lambda self, one: False)
    elif name == "rejects":
        bad = Record(functions=3, rejects=True)
        monkeypatch.setattr(search, "hypothesis", lambda at, k, *given, **options: hypothesis(at, k, structure=bad))
    else:
        monkeypatch.setattr(search, name, lambda *given: False)
    first = hypothesis(k=1, values=np.array([0.1, 0.2, 0.6]))
    assert search._with_more(Searched(), first) is first


# ------------------------------------------------------------------------------------------------------ looked at again


@pytest.mark.parametrize("changes, unaware", [
    ({}, True), ({"involved": [True, False]}, False), ({"determined": [True, True]}, False),
    ({"rounding": 0.06}, False), ({"rounding": 0.04}, True),
    ({"noise": 0.05, "rounding": 0.04}, False), ({"noise": 0.05, "metric": [1.0, 2.0], "rounding": 0.04}, True),
    ({"quiet": False}, False),
])
def test_who_takes_a_quiet_variable_for_a_noisy_one(changes, unaware):
    """y has no noise; what was found says .1, of which .05 could be rounding."""
    last = degree(noiseless=np.tile([False, changes.get("quiet", True)], (4, 1)))
    last.sample.rounding = np.full(2, changes.get("rounding", 0.0))
    state = Searched([last], hypothesis(last, involved=np.array(changes.get("involved", [True, True])),
                                        determined=np.array(changes.get("determined", [True, False])),
                                        noise=changes.get("noise", 0.1), metric=np.array(changes.get("metric", [1.0, 1.0]))))
    assert search._is_unaware(state) is unaware
    state.found = None
    assert search._is_unaware(state) is changes.get("quiet", True)


def test_all_degrees_are_looked_at_again_and_what_was_found_stays_if_nothing_else_is(monkeypatch):
    looked = []

    def look(state, at, metric, quiet=None):
        looked.append((at.degree, quiet.tolist()))
        if at.degree == until:
            state.found = hypothesis(at)

    monkeypatch.setattr(search, "_look", look)
    degrees = [degree(1, left=10), degree(2, left=9), degree(3), degree(4, noiseless=np.tile([False, True], (4, 1)))]
    for until, seen in ((3, [1, 3]), (9, [1, 3, 4])):
        looked.clear()
        before = hypothesis()
        state = Searched(list(degrees), before, is_bent=True, rejected=[hypothesis()])
        search._look_back(state)
        assert looked == [(number, [False, True]) for number in seen] and not state.rejected
        assert (state.found is before, state.is_bent) == ((True, True) if until == 9 else (False, False))


# ----------------------------------------------------------------------------------------------------------- bent, refitted


@pytest.mark.parametrize("changes, taken", [
    ({}, True), ({"noise": search.ROUNDING_SHARE}, False), ({"is_near": lambda: False}, False), ({"typical": 0.11}, False),
    ({"typical": 0.10}, True), ({"values": np.array([0.5, 1.0])}, False), ({"values": np.array([0.5, 0.99])}, True),
    ({"values": np.array([0.5, 0.9, 1.0])}, False),
])
def test_what_was_bent_is_taken_if_it_is_nearer_than_the_simple_and_lower_than_before(changes, taken, monkeypatch):
    monkeypatch.setattr(Searched, "raw_value_before", lambda self, one: 1.0)
    for rejects in (False, True):
        said = Record(functions=3, rejects=rejects)
        one = hypothesis(degree(3), **{"values": np.array([0.5, 0.9]), "structure": said, **changes})
        asked = []
        monkeypatch.setattr(search, "bent", lambda simple, at, fixed, one=one, asked=asked: asked.append(fixed) or one)
        search._bend(Searched(), hypothesis(typical=0.10), degree(3), np.ones(2))
        state = Searched()
        search._bend(state, hypothesis(typical=0.10), degree(3), None)
        assert asked == [True, False]                                 # given noise stays
        assert (state.found is one, state.is_bent) == (taken and not rejects,) * 2
        assert state.rejected == [one] * (taken and rejects)
    monkeypatch.setattr(search, "bent", lambda *given, **options: None)
    state = Searched()
    search._bend(state, hypothesis(), degree(3), None)
    assert state.found is None and not state.rejected


def test_only_what_is_simpler_by_one_degree_is_bent(script, monkeypatch):
    seen = []
    monkeypatch.setattr(search, "_bend", lambda state, simple, at, metric: seen.append(simple.degree))
    for number in (1, 2, 3):
        search._look(Searched(rejected=[hypothesis(degree(number))]), degree(3, values=(1.0, 1.1)), None)
    assert seen == [2]
    search._look(Searched(found=hypothesis(), rejected=[hypothesis(degree(2))]), degree(3, values=(1.0, 1.1)), None)
    assert seen == [2]


@pytest.mark.parametrize("state, again", [
    (Searched(), False), (Searched(found=hypothesis(), is_bent=True), False),
    (Searched(found=hypothesis(), extended=hypothesis()), False), (Searched(found=hypothesis()), True)])
def test_what_is_refitted_with_other_weights(state, again, script, monkeypatch):
    made = []

    def of(sample, recursion, columns):
        assert made or (recursion.dimension, recursion.constant) == (2, 1.0)
        made.append(columns)
        return degree(len(made))

    monkeypatch.setattr(search.SampledDegree, "of", of)
    sample = Record(values=np.zeros((1, 2)))
    found = search.refitted(state, sample, None)
    assert (found is not None) is again and made == ([2, 5] if again else [])
    if again:
        assert found.found.degree == 2 and script == [(1, False, [1.0, 1.0])]
        assert search.refitted(state, sample, np.ones(2)) and script[-1] == (1, True, [1.0, 1.0])
        made.clear()
        cubic = search.refitted(Searched(found=hypothesis(degree(3))), sample, None)
        assert cubic.found.degree == 3 and made == [2, 5, 9]
        monkeypatch.setattr(search, "stands_clear", lambda one: False)
        assert search.refitted(state, sample, None) is None


# ------------------------------------------------------------------------------------------------------------ extended


@pytest.mark.parametrize("values, changes, k", [
    ((0.1, 0.4), {}, 1), ((0.1, 0.12), {}, None), ((0.1, 0.2, 0.6), {}, 2), ((0.1, 0.4, 0.5), {}, 1),
    ((0.99 * LOUD, 3.0), {}, 1), ((1.01 * LOUD, 3.0), {}, None),
    ((0.1, 0.4), {"stands_clear": False}, None), ((0.1, 0.4), {"falls": False}, None), ((0.1, 0.4), {"room": False}, None),
    ((0.1, 0.4), {"rejects": True}, None),
    ((0.1, 0.4), {"determined": [True, False]}, None),               # clear as it is, and says no more about the noise
    ((0.3, 0.8), {"determined": [True, False]}, 1),                  # beyond twice the value found, .1
    ((0.1, 0.13, 0.31), {"determined": [True, False]}, 2),           # two within, and no wide gap behind them: 2.4
])
def test_equations_are_extended_by_what_stands_clear_and_says_more(values, changes, k, script, monkeypatch):
    falls = changes.get("falls", True)

    def extend(earlier, at, number, metric):
        return hypothesis(at, number, determined=np.array(changes.get("determined", [True, True])),
                          structure=Record(functions=1, rejects=changes.get("rejects", False)))

    monkeypatch.setattr(search, "extension", extend)
    monkeypatch.setattr(search, "new_values", lambda earlier, at, metric: np.array(values))
    monkeypatch.setattr(search, "stands_clear", lambda one: changes.get("stands_clear", True))
    monkeypatch.setattr(search, "falls", lambda one, value, before: (value, before) == (values[0], 0.7) and falls)
    monkeypatch.setattr(Searched, "leaves_room", lambda self, one: changes.get("room", True))
    below = degree(2, values=(0.1, 0.7))
    earlier = hypothesis(below, determined=np.array([True, False]), values=np.array([0.1, 0.7]))
    state = Searched([degree(1), below, degree(3)], earlier)
    search._extend(state, degree(3))
    if k is None:
        assert state.found is earlier and state.extended is None
    else:
        assert (state.found.k, state.found.degree, state.extended) == (k, 3, earlier)
