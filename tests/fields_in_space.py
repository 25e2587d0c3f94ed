"""Fields on a grid that satisfy known partial differential equations: made with Fourier series, on periodic lines."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SpaceSystem:
    """Equations whose terms are derivatives (order) by x of monomials: for each component {(exponents, order): coefficient}."""

    name: str
    equations: tuple[dict, ...]
    length: float
    end: float
    start: object
    grid: tuple[int, int]
    degree: int
    settle: float = 0.0
    step: float = 0.01

    def data(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """x, t and the field (t, x, components) without noise."""
        n, (places, times) = 256, self.grid
        x, clock = self.length * np.arange(n) / n, np.linspace(0, self.end, times)
        waves = 2j * np.pi * np.fft.rfftfreq(n, self.length / n)
        low = np.arange(len(waves)) <= n // 3                          # the upper third would fold back in products
        linear = np.stack([sum((c * waves**q for (e, q), c in own.items() if _own(e, j)), start=0 * waves)
                           for j, own in enumerate(self.equations)])

        def others(hats):
            u, out = np.fft.irfft(hats, n), np.zeros_like(hats)
            for j, own in enumerate(self.equations):
                for (e, q), c in own.items():
                    if not _own(e, j):
                        out[j] += c * waves**q * np.fft.rfft(np.prod(u ** np.array(e)[:, None], axis=0))
            return out * low

        parts = int(np.ceil(clock[1] / self.step))
        step = _exponential_step(linear, clock[1] / parts, others)
        hats = np.fft.rfft(np.atleast_2d(self.start(x))) * low
        for _ in range(int(self.settle / clock[1]) * parts):
            hats = step(hats)
        kept = [hats]
        for _ in clock[1:]:
            for _ in range(parts):
                hats = step(hats)
            kept.append(hats)
        every = n // places
        return x[::every], clock, np.fft.irfft(np.array(kept), n).transpose(0, 2, 1)[:, ::every]

    def noisy(self, percent: float, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """With Gaussian noise of a percentage of each component's standard deviation."""
        x, t, u = self.data()
        size = percent / 100 * u.std(axis=(0, 1))
        return x, t, u + size * np.random.default_rng(seed).normal(size=u.shape)


def _own(exponents, component):
    """Whether a monomial is the component itself."""
    return sum(exponents) == 1 and bool(exponents[component])


def _exponential_step(linear, h, others):
    """A step of Cox and Matthews' fourth-order scheme; its functions as means over circles (Kassam and Trefethen 2005)."""
    circle = np.exp(2j * np.pi * (np.arange(32) + 0.5) / 32)
    z = h * linear[..., None] + circle
    whole, half = np.exp(h * linear), np.exp(h * linear / 2)
    a = h * np.mean((np.exp(z / 2) - 1) / z, axis=-1)
    first = h * np.mean((-4 - z + np.exp(z) * (4 - 3 * z + z**2)) / z**3, axis=-1)
    middle = h * np.mean((2 + z + np.exp(z) * (z - 2)) / z**3, axis=-1)
    last = h * np.mean((-4 - 3 * z - z**2 + np.exp(z) * (4 - z)) / z**3, axis=-1)

    def step(v):
        n0 = others(v)
        v1 = half * v + a * n0
        n1 = others(v1)
        v2 = half * v + a * n1
        n2 = others(v2)
        n3 = others(half * v1 + a * (2 * n2 - n0))
        return whole * v + first * n0 + 2 * middle * (n1 + n2) + last * n3

    return step


SYSTEMS = (
    SpaceSystem("Burgers", ({((2,), 1): -0.5, ((1,), 2): 0.1},), 16, 8,
                lambda x: np.exp(-(x - 6) ** 2) + 0.5 * np.exp(-(x - 11) ** 2 / 2), (256, 161), 2),
    SpaceSystem("KdV", ({((2,), 1): -3.0, ((1,), 3): -1.0},), 30, 8,
                lambda x: 2 / np.cosh(x - 8) ** 2 + 0.75 / np.cosh(0.61 * (x - 16)) ** 2, (256, 201), 2, step=0.002),
    SpaceSystem("Kuramoto-Sivashinsky", ({((2,), 1): -0.5, ((1,), 2): -1.0, ((1,), 4): -1.0},), 64, 60,
                lambda x: np.cos(2 * np.pi * x / 64) + 0.3 * np.sin(6 * np.pi * x / 64), (256, 241), 2, 60.0, 0.05),
    SpaceSystem("FitzHugh-Nagumo", ({((1, 0), 2): 1.0, ((1, 0), 0): 1.0, ((3, 0), 0): -1.0, ((0, 1), 0): -1.0},
                                    {((0, 1), 2): 0.5, ((1, 0), 0): 0.5, ((0, 1), 0): -0.2}), 50, 20,
                lambda x: np.array([np.cos(0.08 * np.pi * x) + 0.5 * np.sin(0.12 * np.pi * x) + 0.4 * np.cos(0.2 * np.pi * x),
                                    0.3 * np.sin(0.04 * np.pi * x) + 0.2 * np.cos(0.16 * np.pi * x)]), (256, 201), 3),
)
