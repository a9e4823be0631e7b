"""Numbers read off results. Each takes one result; `mean` makes one that takes several."""

import numpy as np


def mean(measure):
    return lambda results: np.mean([measure(result) for result in results])


def only(measure):
    return lambda results: measure(*results)


def settled(result, name, start):
    """Time and values of a coefficient from `start` on, whole periods of the lift: from its first to its last
    upward crossing of its mean. All where the flow is steady."""
    forces = result.forces
    late = forces["time"] >= start
    time, values, lift = forces["time"][late], forces[name][late], forces["Cl"][late]
    at = crossings(time, lift)
    if len(at) < 2:
        return time, values
    whole = (time >= at[0]) & (time < at[-1])
    return time[whole], values[whole]


def crossings(time, signal):
    """Times at which a signal rises through its mean; none where it is steady to a part in ten thousand of the
    unit of force."""
    if np.ptp(signal) < 2e-4:
        return np.array([])
    signal = signal - signal.mean()
    before = np.flatnonzero((signal[:-1] < 0) & (signal[1:] >= 0))
    part = signal[before] / (signal[before] - signal[before + 1])
    return time[before] + part * (time[before + 1] - time[before])


def mean_of(name, start):
    return lambda result: settled(result, name, start)[1].mean()


def amplitude_of(name, start):
    """Half of peak to peak."""
    return lambda result: 0.5 * np.ptp(settled(result, name, start)[1])


def strouhal(start):
    """Frequency of the lift, in units of the reference speed over the reference length."""

    def measure(result):
        late = result.forces["time"] >= start
        at = crossings(result.forces["time"][late], result.forces["Cl"][late])
        return (len(at) - 1) / (at[-1] - at[0]) if len(at) > 1 else 0.0

    return measure


def last(name):
    return lambda result: result.forces[name][-1]


def bubble_length(result):
    """Of the eddies behind a round body: from its rear to where the flow on its axis turns, in its diameters."""
    body = result.settings["body"][0]
    x0, *across = body["centre"]
    radius = body["radius"] * body["scale"]
    x = result.flow.faces[0]
    behind = x[(x > x0 + 1.2 * radius) & (x < x0 + 20 * radius)]
    speed = np.array([result.flow.sample(0, (at, *across)) for at in behind])
    turn = np.flatnonzero((speed[:-1] < 0) & (speed[1:] >= 0))
    if len(turn) == 0:
        return 0.0
    n = turn[0]
    end = behind[n] - speed[n] * (behind[n + 1] - behind[n]) / (speed[n + 1] - speed[n])
    return (end - x0 - radius) / (2 * radius)
