"""The flow of a restart file, on the grid as the solver holds it, bit for bit."""

import h5py
import numpy as np

halo, guard, row = 2, 8, 32  # of include/contraflow/layout.hpp


class Flow:
    def __init__(self, path):
        with h5py.File(path) as file:
            self.time = float(file.attrs["time"])
            self.dt = float(file.attrs["dt"])
            self.dimension = int(file.attrs["dimension"])
            self.faces = [file[f"faces_{axis}"][:] for axis in "xyz"][: self.dimension]
            padded = {name: file[name][:] for name in file if name.startswith(("velocity", "pressure"))}
        self.centres = [0.5 * (x[1:] + x[:-1]) for x in self.faces]
        self.shape = [len(x) for x in self.centres]
        self.velocity = [self.unpacked(padded[f"velocity_{'xyz'[a]}"], a) for a in range(self.dimension)]
        self.pressure = self.unpacked(padded["pressure"], None)

    def unpacked(self, values, axis):
        """Indexed [x, y(, z)]: cells, and along `axis` one more face than cells."""
        stride = (self.shape[0] + 2 * halo + guard + row - 1) // row * row
        planes = [n + 2 * halo for n in self.shape[1:]]
        values = values[row:-row].reshape(*reversed(planes), stride).T
        ends = [n + (a == axis) for a, n in enumerate(self.shape)]
        return values[tuple(slice(halo, halo + end) for end in ends)]

    def places(self, component):
        """Coordinates along each axis of a velocity component's faces; None: of cells."""
        return [self.faces[a] if a == component else self.centres[a] for a in range(self.dimension)]

    def sample(self, component, point):
        """A value at a point by cubic interpolation along each axis; component None: the pressure."""
        values = self.pressure if component is None else self.velocity[component]
        for x, at in zip(self.places(component), point):
            first = np.clip(np.searchsorted(x, at) - 2, 0, len(x) - 4)
            near = slice(first, first + 4)
            values = np.tensordot(weights(x[near], at), values[near], axes=1)
        return float(values)


def weights(nodes, at):
    """Of Lagrange's interpolation at `at`."""
    return np.array([np.prod([(at - other) / (node - other) for other in nodes if other != node])
                     for node in nodes])
