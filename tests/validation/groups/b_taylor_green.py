"""Orders in space and time, energy, and a gradient in closed form."""

import math

import numpy as np

from measures import only
from program import run
from rows import Row, required

title = "Taylor-Green vortices"
about = """
Vortices in a box of 2 pi, also carried along by a uniform stream, with the exact solution u = sin x cos y
exp(-2 nu t); errors are root mean squares of the velocity over its largest value. Orders in time are measured against
a run with steps so short that only the error in space, common to both, remains. In 3D there is no exact solution.
Energy drifts during one turnover with next to no viscosity (1e-12). Of the gradient, what is compared is
dKE/dnu = -4 k^2 t KE.
"""

end = 1.0
box = 2 * math.pi
stream = [1.0, 0.5]
closed = {f"boundary.{axis}_{end_}": "slip" for axis in "xy" for end_ in ("low", "high")}
third = {"boundary.z_low": "periodic", "boundary.z_high": "periodic",
         "objective.0.region": {"low": [0, 0, 0], "high": [box, box, box]}, "objective.0.target": [0, 0, 0]}


def vortices(cells, steps, changes=None, until=end, dimension=2, verb="run"):
    axes = {f"grid.{axis}": {"from": 0, "to": box, "cells": cells} for axis in "xyz"[:dimension]}
    more = third if dimension == 3 else {}
    time = {"time.steps": steps, "time.step": until / steps, "objective.0.window": [until - 0.1 * until / steps, until]}
    return run("taylor_green", axes | more | time | (changes or {}), verb=verb)


def once(flow, component):
    """A velocity component without the last face, which in these boxes is the first again, or at rest."""
    return flow.velocity[component][tuple(slice(0, n) for n in flow.shape)]


def error(result):
    flow, viscosity = result.flow, result.settings["flow"]["viscosity"]
    speed = result.settings["initial"]["velocity"]
    decay = math.exp(-2 * viscosity * flow.time)
    square = 0.0
    for component, sign in ((0, 1), (1, -1)):
        x, y = np.meshgrid(*(at[:n] for at, n in zip(flow.places(component), flow.shape)), indexing="ij")
        x, y = x - speed[0] * flow.time, y - speed[1] * flow.time
        waves = np.sin(x) * np.cos(y) if component == 0 else np.cos(x) * np.sin(y)
        square += np.mean((once(flow, component) - speed[component] - sign * decay * waves) ** 2)
    return math.sqrt(square)


def difference(results):
    flow, reference = (result.flow for result in results)
    return math.sqrt(sum(np.mean((once(flow, c) - once(reference, c)) ** 2) for c in range(flow.dimension)))


def energy(result):
    return 0.5 * sum(np.mean(once(result.flow, c) ** 2) for c in range(result.flow.dimension))


def energy_drift(result):
    speed = result.settings["initial"]["velocity"]
    waves = 0.25 if result.flow.dimension == 2 else 0.125
    before = 0.5 * sum(s * s for s in speed) + waves
    return abs(energy(result) / before - 1)


def gradient_error(result):
    viscosity = result.settings["flow"]["viscosity"]
    derivative = result.table("gradient.csv")["d(velocity misfit)"][0]
    exact = -4 * end * 0.5 * math.exp(-4 * viscosity * end)
    return abs(derivative / exact - 1)


def space_row(case, changes, **more):
    runs = {cells: [vortices(cells, 400, changes)] for cells in (16, 32, 64)}
    return Row(case, "error of the velocity", runs, only(error), unit="cells", is_error=True, order=1.95, **more)


def time_row(case, scheme, order, cells=32, counts=(40, 80, 160), dimension=2, changes=None):
    settings = {"time.scheme": scheme} | (changes or {})
    fine = vortices(cells, 1280, (changes or {}), dimension=dimension)
    runs = {n: [vortices(cells, n, settings, dimension=dimension), fine] for n in counts}
    return Row(case, f"error in time, {scheme}", runs, difference, unit="steps", is_error=True, order=order)


def drift_row(case, cells, steps, dimension, changes):
    still = {"flow.viscosity": 1e-12} | changes
    runs = {cells: [vortices(cells, steps, still, until=box, dimension=dimension)]}
    return Row(case, "drift of energy", runs, only(energy_drift), unit="cells", bounds=required(0, 1e-6))


def rows(quick):
    moving = {"initial.velocity": stream}
    moving_3d = {"initial.velocity": [1.0, 0.5, 0.3]}
    at_rest_3d = {"initial.velocity": [0, 0, 0]}
    yield space_row("2D, slip walls", closed)
    yield space_row("2D, carried along", moving)
    yield space_row("2D, carried along, kappa", moving | {"flow.advection": "kappa"})
    yield Row("3D", "kinetic energy", {n: [vortices(n, 100, at_rest_3d, dimension=3)] for n in (16, 32, 64)},
              only(energy), unit="cells", order=1.95)
    yield time_row("2D, carried along", "heun", 1.95, changes=moving)
    yield time_row("2D, carried along", "ssp-rk3", 2.9, changes=moving)
    yield time_row("3D, carried along", "heun", 1.95, 16, dimension=3, changes=moving_3d)
    yield time_row("3D, carried along", "ssp-rk3", 2.9, 16, dimension=3, changes=moving_3d)
    yield drift_row("2D, carried along, no viscosity", 32, 800, 2, moving)
    yield drift_row("3D, no viscosity", 16 if quick else 32, 800, 3, at_rest_3d)
    yield Row("2D, periodic", "error of dKE/dnu", {n: [vortices(n, 400, verb="gradient")] for n in (16, 32, 64)},
              only(gradient_error), unit="cells", is_error=True, order=1.95)
