"""A body that moves."""

import numpy as np
from program import run
from rows import Row, published

title = "Cylinder oscillating in still fluid"
about = """
In a closed box of 24 by 20 diameters. Keulegan-Carpenter number 5, Re 100, in the fourth period: largest and least drag
coefficient on the cylinder's own peak speed U, and the two coefficients of the equation of Morison,
Cd = -C_drag |u| u / U^2 - C_inertia pi D (du/dt) / (2 U^2). A short stroke (KC 0.5, D^2 f / nu = 25, second
period): added mass over that of the fluid displaced, and the part of the force that goes with the velocity, over
velocity and density.
"""


def in_last_period(choose):
    def measure(results):
        forces = results[0].forces
        return choose(forces["Cd"][forces["time"] > 15])

    return measure


def fitted(start, *waves):
    """Least-squares coefficients of functions of time in Cd, from `start` on. Forces are means over a step that ends
    at the time beside them."""

    def fit(result):
        time, drag = result.forces["time"], result.forces["Cd"]
        middle = (time - 0.5 * (time[1] - time[0]))[time > start]
        return np.linalg.lstsq(np.stack([wave(middle) for wave in waves], 1), drag[time > start], rcond=None)[0]

    return fit


def morison(which):
    rate = 2 * np.pi * 0.2
    fit = fitted(15, lambda t: np.abs(np.cos(rate * t)) * np.cos(rate * t),
                 lambda t: -0.5 * np.pi * rate * np.sin(rate * t))
    return lambda results: fit(results[0])[which]


stroke = 0.5 / (2 * np.pi)


def short_stroke(which):
    rate = 2 * np.pi
    fit = fitted(1, lambda t: 0.25 * np.pi * stroke * rate**2 * np.sin(rate * t),
                 lambda t: -stroke * rate * np.cos(rate * t))
    return lambda results: 0.5 * fit(results[0])[which]  # the coefficient is the force over half U^2 D


def rows(quick):
    resolutions = (16,) if quick else (16, 32, 64)
    runs = {cells: [run("oscillating_cylinder", {"grid.spacing": 1 / cells})] for cells in resolutions}
    for quantity, name, measure, margin in (
            ("largest Cd", "high", in_last_period(max), {16: 0.02, 32: 0.02, 64: 0.02}),
            ("least Cd", "low", in_last_period(min), {16: 0.02, 32: 0.02, 64: 0.02}),
            ("drag coefficient of Morison", "drag", morison(0), {16: 0.1, 32: 0.01, 64: 0.03}),
            ("inertia coefficient of Morison", "inertia", morison(1), {16: 0.03, 32: 0.01, 64: 0.005})):
        yield Row("KC 5, Re 100", quantity, runs, measure, bounds=published(f"oscillating_{name}"), margin=margin,
                  shows_order=True, explanation="{off:.1f} % from the one published value, whose spread is not known.")
    resolutions = (16, 32) if quick else (16, 32, 64)
    swing = {"amplitude": [stroke, 0], "frequency": 1, "phase": 0}
    runs = {cells: [run("oscillating_cylinder", {"grid.spacing": 1 / cells, "flow.reynolds": 25, "time.end": 2,
                                                 "time.cfl": 0.1, "output.average_from": 1,
                                                 "objective.0.window": [1, 2], "body.0.oscillation": swing})]
            for cells in resolutions}
    for quantity, name, measure, margin in (
            ("added mass", "added_mass", short_stroke(0), {16: 0.04, 32: 0.015, 64: 0.006}),
            ("force over velocity", "damping", short_stroke(1), {16: 0.02, 32: 0.005, 64: 0.012})):
        yield Row("KC 0.5", quantity, runs, measure, bounds=published(f"stroke_{name}"), margin=margin,
                  shows_order=True, explanation="{off:.1f} % from the solution for strokes that tend to zero.")
