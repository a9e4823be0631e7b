"""Runs the validation and writes its table: see run.sh."""

import argparse
import importlib
import os
import subprocess
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here / "groups")]

import table  # noqa: E402
from program import Program, root  # noqa: E402
from rows import Outcome  # noqa: E402


def names_of_groups():
    return sorted(path.stem for path in (here / "groups").glob("*.py"))


def newest_program():
    found = sorted(root.glob("build/*/bin/contraflow"), key=lambda path: path.stat().st_mtime)
    if not found:
        sys.exit("There is no program in build/*/bin; build it first: bash apps/demo.sh")
    return found[-1]


def parsed_arguments():
    parser = argparse.ArgumentParser(prog="tests/validation/run.sh", description="Validates the program.")
    parser.add_argument("--quick", action="store_true", help="16 cells/D, and what is done in minutes")
    parser.add_argument("--only", metavar="NAME", action="append", default=[],
                        help="groups (files of tests/validation/groups) with this in their name; may be repeated")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs side by side, one thread each")
    parser.add_argument("--program", type=Path, help="default: the newest in build/*/bin")
    parser.add_argument("-o", "--output", type=Path,
                        help="default: docs/validation.md; with --only build/validation/NAME.md")
    return parser.parse_args()


def log(text):
    print(text, file=sys.stderr, flush=True)


def chosen_groups(only):
    names = [name for name in names_of_groups() if not only or any(part in name for part in only)]
    if not names:
        sys.exit(f"no group is named like that; there are {', '.join(names_of_groups())}")
    return [importlib.import_module(name) for name in names]


def run_groups(groups, quick, program):
    """The outcomes of each group. All runs are started at once, in order."""
    rows = [list(group.rows(quick)) for group in groups]
    for run in (run for of_group in rows for row in of_group for run in row.all_runs()):
        program.start(run)
    try:
        return [[Outcome(row, program) for row in of_group] for of_group in rows]
    finally:
        program.stop()


def main():
    arguments = parsed_arguments()
    path = arguments.program or newest_program()
    store = root / "build" / "validation"
    groups = chosen_groups(arguments.only)
    outcomes = run_groups(groups, arguments.quick, Program(path, store, arguments.jobs, log))
    name = "_".join([*arguments.only, *(["quick"] if arguments.quick else [])])
    output = arguments.output or (store / f"{name}.md" if arguments.only else root / "docs" / "validation.md")
    info = subprocess.run([path, "info"], capture_output=True, text=True, check=True).stdout
    version = " ".join(info.split()[:2])
    chosen = [f"--only {name}" for name in arguments.only] + ["--quick"] * arguments.quick
    command = " ".join(["bash tests/validation/run.sh", *chosen])
    sections = [table.section(group, of_group, output) for group, of_group in zip(groups, outcomes)]
    output.write_text(table.document(command, version, sections))
    for group, of_group in zip(groups, outcomes):
        if hasattr(group, "picture"):
            table.picture_of(group, output).write_text(group.picture(of_group))
    complaints = [text for of_group in outcomes for outcome in of_group for text in outcome.complaints]
    for text in complaints:
        log(f"FAILED: {text}")
    log(f"{sum(map(len, outcomes))} rows, {len(complaints)} not as declared; table: {output}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
