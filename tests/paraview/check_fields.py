"""pvpython check_fields.py FOLDER

Reads what write_series wrote there with ParaView's own readers and compares every value of every
time: flow.xmf with all XDMF readers, flow.vtkhdf.series and the files in it where this version of
ParaView can, body.vtp. Exits 0 only if all are exact.
"""
import math
import os
import sys

import numpy as np
from paraview import simple
from vtk.util.numpy_support import vtk_to_numpy

TIMES = [0.0, 0.5, 1.25]
CELLS = (12, 10)
failures = 0


def report(passed, what):
    global failures
    failures += not passed
    print("ok    " if passed else "FAILED", what, flush=True)


def faces(kind, dimension):
    """The coordinates along x, y, z, summed up in the order of write_series."""
    axes = []
    for axis, cells in enumerate(CELLS + (8 if dimension == 3 else 1,)):
        flat = dimension == 2 and axis == 2
        width = 1.0 if flat else 2.0 ** -(axis + 1)
        at = [axis + 1.0]
        for i in range(cells):
            grows = kind == "stretched" and not flat
            at.append(at[-1] + (width * math.pow(1.1, i) if grows else width))
        axes.append(np.array(at))
    return axes


def place_values(counts, time):
    i, j, k = np.meshgrid(*[np.arange(n) for n in counts], indexing="ij")
    return (i + 100.0 * j + 10000.0 * k + time).ravel(order="F")


def leaf(data):
    """The grid inside of the blocks that some readers wrap around it."""
    while data is not None and data.IsA("vtkCompositeDataSet"):
        iterator = data.NewIterator()
        iterator.InitTraversal()
        data = iterator.GetCurrentDataObject()
    return data


def read_all_arrays(reader):
    """Xdmf3 readers offer their arrays only once these have been looked at."""
    reader.UpdatePipelineInformation()
    for name in ("PointArrays", "CellArrays", "PointArrayStatus", "CellArrayStatus"):
        try:
            getattr(reader, name)
        except AttributeError:
            pass


def output(reader, time=None):
    reader.UpdatePipeline(time) if time is not None else reader.UpdatePipeline()
    return leaf(reader.GetClientSideObject().GetOutputDataObject(0))


def same(data, name, expected):
    array = data.GetArray(name)
    return array is not None and np.array_equal(vtk_to_numpy(array), expected, equal_nan=True)


def coordinates(data):
    if data.IsA("vtkRectilinearGrid"):
        parts = (data.GetXCoordinates(), data.GetYCoordinates(), data.GetZCoordinates())
        return [vtk_to_numpy(part) for part in parts]
    origin, spacing, extent = data.GetOrigin(), data.GetSpacing(), data.GetExtent()
    indices = [np.arange(extent[2 * a], extent[2 * a + 1] + 1) for a in range(3)]
    return [origin[a] + spacing[a] * indices[a] for a in range(3)]


def faults(data, axes, time):
    """The names of what differs from what was written."""
    if data is None:
        return ["everything: nothing was read"]
    found = []
    got = coordinates(data)
    if any(g.size != a.size or np.abs(g - a).max() > 1e-13 for g, a in zip(got, axes)):
        found.append("coordinates")
    cells = place_values([axis.size - 1 for axis in axes], time)
    points = place_values([axis.size for axis in axes], time)
    p = cells.astype(np.float32)
    p[1] = np.nan
    if not same(data.GetCellData(), "p", p):
        found.append("p")
    if not same(data.GetCellData(), "u", np.stack([cells / 3, -cells, 2 * cells], -1)):
        found.append("u")
    if not same(data.GetPointData(), "sdf", points.astype(np.float32)):
        found.append("sdf")
    return found


def check_series(reader, axes, what):
    read_all_arrays(reader)
    report(list(reader.TimestepValues) == TIMES, what + ": times")
    for time in TIMES + TIMES[:1]:
        found = faults(output(reader, time), axes, time)
        report(not found, " ".join(["%s: t = %g" % (what, time)] + found))


def open_xmf(name, path):
    maker = getattr(simple, name, None)
    if maker is None:
        return None
    return maker(FileNames=[path]) if name == "XDMFReader" else maker(FileName=[path])


def paraview_version():
    version = simple.GetParaViewVersion()
    return version.major, version.minor


def check_kind(folder, kind, dimension):
    path = os.path.join(folder, "%s_%dd" % (kind, dimension), "flow.xmf")
    axes = faces(kind, dimension)
    what = "%s %dD, " % (kind, dimension)
    check_series(simple.OpenDataFile(path), axes, what + "as ParaView opens flow.xmf")
    for name in ("XDMFReader", "Xdmf3ReaderS", "Xdmf3ReaderT"):
        reader = open_xmf(name, path)
        if reader is not None:
            check_series(reader, axes, what + name)
    needed = (5, 12) if kind == "uniform" else (6, 2)
    if paraview_version() < needed:
        print("left out: %sflow.vtkhdf.series needs ParaView %d.%d" % ((what,) + needed))
        return
    path = path.replace(".xmf", ".vtkhdf.series")
    check_series(simple.OpenDataFile(path), axes, what + "flow.vtkhdf.series")


def check_outline(path):
    data = output(simple.OpenDataFile(path))
    angles = 2 * np.pi * np.arange(40) / 40
    points = vtk_to_numpy(data.GetPoints().GetData())
    expected = np.stack([np.cos(angles), np.sin(angles), 0 * angles], -1)
    report(np.abs(points - expected).max() < 1e-15, "body.vtp: points")
    index = np.arange(40.0)
    index[7] = np.nan
    report(same(data.GetPointData(), "index", index), "body.vtp: index")
    line = data.GetCell(0)
    numbers = [line.GetPointId(i) for i in range(line.GetNumberOfPoints())]
    report(data.GetNumberOfCells() == 1 and numbers == list(range(40)) + [0], "body.vtp: line")


def main(folder):
    print("ParaView %d.%d" % paraview_version())
    for kind in ("uniform", "stretched"):
        for dimension in (2, 3):
            check_kind(folder, kind, dimension)
    check_outline(os.path.join(folder, "body.vtp"))
    print("%d failures" % failures if failures else "every value is exact")
    return 1 if failures else 0


sys.exit(main(sys.argv[1]))
