"""Runs the program, once per case: results are kept in build/validation under a key."""

import csv
import functools
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flow import Flow

root = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Run:
    """A case of data/validation or data/cases with values changed, and the verb it is given to."""

    case: str
    changes: tuple = ()  # of "flow.reynolds=40", as for --set
    verb: str = "run"
    threads: int = 1

    def options(self):
        return [text for change in self.changes for text in ("--set", change)]


def run(case, changes=None, **more):
    return Run(case, tuple(f"{key}={toml_value(value)}" for key, value in (changes or {}).items()), **more)


def toml_value(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml_value(v)}" for key, v in value.items()) + "}"
    return json.dumps(value)


def case_file(name):
    for folder in ("validation", "cases"):
        path = root / "data" / folder / f"{name}.toml"
        if path.exists():
            return path
    raise FileNotFoundError(f"{name}.toml: neither in data/validation nor in data/cases")


class RunFailed(Exception):
    """The program ended with an error; says what it said."""


class Result:
    """What a run left in its folder."""

    def __init__(self, folder):
        self.folder = folder
        self.cost = json.loads((folder / "cost.json").read_text())

    @functools.cached_property
    def settings(self):
        """The resolved case: every value, those computed from it under frozen."""
        return tomllib.loads((self.folder / "resolved.toml").read_text())

    @functools.cached_property
    def flow(self):
        """The flow at the end."""
        return Flow(self.folder / "restart.h5")

    def table(self, name):
        """The columns of a CSV file that holds numbers, by name."""
        with open(self.folder / name) as lines:
            rows = list(csv.reader(line for line in lines if not line.startswith("#")))
        columns = zip(rows[0], zip(*rows[1:]))
        return {column: values if column == "control" else np.array(values, float) for column, values in columns}

    @functools.cached_property
    def forces(self):
        return self.table("forces.csv")


class Program:
    """The program, and a store of what it has computed so far."""

    def __init__(self, path, store, jobs, log):
        self.path = path
        self.store = store
        self.log = log
        self.pool = ThreadPoolExecutor(jobs)
        self.digest = hashlib.sha256(path.read_bytes()).hexdigest()
        self.started = {}

    def start(self, run):
        if run not in self.started:
            self.started[run] = self.pool.submit(self.find_or_run, run)
        return self.started[run]

    def result(self, run):
        return self.start(run).result()

    def stop(self):
        self.pool.shutdown(wait=False, cancel_futures=True)

    def key(self, run):
        case = tomllib.loads(case_file(run.case).read_text())
        parts = [self.digest, run.verb, run.threads, case, run.changes]
        text = json.dumps(parts, sort_keys=True)
        return f"{run.case}_{hashlib.sha256(text.encode()).hexdigest()[:16]}"

    def find_or_run(self, run):
        folder = self.store / self.key(run)
        if not (folder / "cost.json").exists():
            self.compute(run, folder)
        return Result(folder)

    def compute(self, run, folder):
        """In a folder of its own, which gets its name once it is whole: whoever else computes the same
        neither sees a part of it nor is disturbed."""
        self.store.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix="unfinished_", dir=self.store))
        try:
            self.call(run, scratch)
            scratch.rename(folder)
        except OSError:
            if not (folder / "cost.json").exists():
                raise
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    def call(self, run, folder):
        command = [self.path, run.verb, case_file(run.case), "-o", folder, "--device", "cpu",
                   "--threads", str(run.threads), *run.options()]
        before = time.monotonic()
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              env={**os.environ, "OMP_WAIT_POLICY": "passive"})
        seconds = time.monotonic() - before
        said = " ".join(run.options()[1::2])
        if done.returncode != 0:
            raise RunFailed(f"{run.case} {said}: exit code {done.returncode}\n{done.stderr[-2000:]}")
        grid = re.search(r": (\d+(?: x \d+)+) cells, .*?, (\d+) steps", done.stdout)
        cost = {"seconds": seconds, "cells": grid[1], "steps": int(grid[2])}
        (folder / "cost.json").write_text(json.dumps(cost))
        self.log(f"{seconds:7.1f} s  {run.verb} {run.case} {said}")
