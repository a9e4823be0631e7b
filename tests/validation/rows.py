"""A row of the table: which runs it needs, what is measured in them, and what it is held against."""

import csv
import math
from dataclasses import dataclass, field
from typing import Callable

from program import RunFailed, root


@dataclass(frozen=True)
class Bounds:
    """Where a value should lie, and who says so; None: we do."""

    low: float
    high: float
    source: str | None

    def beyond(self, value):
        """How far the value lies outside."""
        return max(self.low - value, value - self.high, 0.0)

    @property
    def size(self):
        return max(abs(self.low), abs(self.high))


def published(name):
    """The row of data/reference/validation.csv with this name."""
    with open(root / "data" / "reference" / "validation.csv") as lines:
        for line in csv.DictReader(line for line in lines if not line.startswith("#")):
            if line["name"] == name:
                return Bounds(float(line["low"]), float(line["high"]), line["source"])
    raise KeyError(name)


def required(low, high):
    return Bounds(low, high, None)


@dataclass
class Row:
    case: str
    quantity: str
    runs: dict  # of resolution: list of runs, coarse to fine
    measure: Callable  # list of results of these runs -> number
    unit: str = "cells/D"  # of the resolutions
    bounds: Bounds | None = None
    margin: dict = field(default_factory=dict)  # by which part a value of a resolution may be out of bounds
    is_error: bool = False  # the number is an error: it should be 0
    order: float | None = None  # the least that is accepted
    shows_order: bool = False
    explanation: str = ""  # of a value out of bounds: {off} in %, {finest}, {towards} which value

    def all_runs(self):
        return [run for runs in self.runs.values() for run in runs]


class Outcome:
    """A row with its numbers."""

    def __init__(self, row, program):
        self.row = row
        self.failure = None
        try:
            self.results = {at: [program.result(run) for run in runs] for at, runs in row.runs.items()}
            self.values = {at: float(row.measure(results)) for at, results in self.results.items()}
        except RunFailed as error:
            self.failure = f"{row.case}, {row.quantity}: {error}"

    @property
    def finest(self):
        return list(self.values)[-1]

    @property
    def value(self):
        return self.values[self.finest]

    @property
    def order(self):
        """Observed: of an error from the last two resolutions, of a value from the last three. None where
        they are too few or do not tell."""
        at, values = list(self.values), list(self.values.values())
        if self.row.is_error:
            return observed_order(at[-2:], values[-2:]) if len(at) > 1 else None
        if len(at) < 3 or abs(at[-1] * at[-3] / at[-2] ** 2 - 1) > 0.01:  # not refined by one ratio
            return None
        return observed_order(at[-3:-1], [values[-3] - values[-2], values[-2] - values[-1]])

    @property
    def extrapolated(self):
        """Of the last two values by the observed order; None where they converge too slowly to tell."""
        if self.order is None or self.order < 1:
            return None
        (coarse, fine), (before, last) = list(self.values)[-2:], list(self.values.values())[-2:]
        return last + (last - before) / ((fine / coarse) ** self.order - 1)

    @property
    def off(self):
        """How far outside of the bounds, as a part of them."""
        bounds = self.row.bounds
        beyond = bounds.beyond(self.value) if bounds else 0.0
        return beyond / bounds.size if beyond and bounds.size else beyond

    @property
    def misses_order(self):
        wanted = self.row.order
        return wanted is not None and self.order is not None and self.order < wanted

    @property
    def complaints(self):
        """What is out of what the row declares; nothing: as expected."""
        if self.failure:
            return [self.failure]
        row, found = self.row, []
        for at, value in self.values.items():
            bounds = row.bounds
            if bounds and not bounds.beyond(value) <= row.margin.get(at, 0.0) * bounds.size:
                found.append(f"{value:.6g} at {at:g} {row.unit} where {bounds.low:g} to {bounds.high:g} with a margin "
                             f"of {100 * row.margin.get(at, 0.0):g} % is declared")
        if row.order is not None and len(row.runs) > (1 if row.is_error else 2) and not (self.order or 0) >= row.order:
            found.append(f"order {self.order} where {row.order} is declared")
        return [f"{row.case}, {row.quantity}: {text}" for text in found]

    def explanation(self):
        towards = f"; the grids extrapolate to {self.extrapolated:.4g}" if self.extrapolated is not None else ""
        return self.row.explanation.format(off=100 * self.off, finest=self.finest, towards=towards)


def observed_order(resolutions, errors):
    ratio = errors[0] / errors[1] if errors[1] else 0.0
    return math.log(ratio) / math.log(resolutions[1] / resolutions[0]) if ratio > 0 else None
