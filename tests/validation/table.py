"""Writes outcomes as Markdown."""

import math

heading = """# Validation

Written by `{command}` with {version}: every number below comes from the program's runs or from
[`data/reference`](../data/reference), whose sources are in [`data/README.md`](../data/README.md). Cases are in
[`data/validation`](../data/validation), what is measured in [`tests/validation`](../tests/validation).

Values stand in the order of the resolutions. *Order* is what the last three of them show (of an error: the last
two). Within: the value of the finest grid lies in the spread of the published ones. Cost is that of one run on the
finest grid, on one CPU core, times the number of runs whose mean is taken.
"""


def number(x):
    if x == 0:
        return "0"
    return f"{x:.1e}" if abs(x) < 1e-3 else f"{x:.4g}" if abs(x) < 1 else f"{x:.3f}"


def bounds_text(bounds):
    if bounds is None:
        return "-"
    if bounds.low == bounds.high:
        return f"{bounds.low:.6g} ({bounds.source})"
    if math.isinf(bounds.low) or (bounds.low == 0 and bounds.source == "required"):
        return f"at most {bounds.high:.3g} ({bounds.source})"
    if math.isinf(bounds.high):
        return f"at least {bounds.low:.3g} ({bounds.source})"
    return f"{bounds.low:.6g} to {bounds.high:.6g} ({bounds.source})"


def order_text(outcome):
    row = outcome.row
    if row.order is None and not row.shows_order:
        return "-"
    text = "-" if outcome.order is None else f"{outcome.order:.2f}"
    return text if row.order is None else f"{text} (at least {row.order:g})"


def verdict(outcome):
    if outcome.misses_order:
        return "order too low"
    if outcome.row.bounds is None:
        return "-"
    if outcome.off == 0:
        return "within"
    return f"off by {100 * outcome.off:.1f} %"


def cost(outcome):
    results = outcome.results[outcome.finest]
    first = results[0].cost
    count = f" x {len(results)}" if len(results) > 1 else ""
    seconds = sum(result.cost["seconds"] for result in results) / len(results)
    return f"{first['cells']} cells x {first['steps']} steps, {seconds:.0f} s{count}"


def line(cells):
    return "| " + " | ".join(cells) + " |\n"


def line_of(outcome):
    row = outcome.row
    resolutions = " / ".join(f"{at:g}" for at in outcome.values)
    values = " / ".join(number(value) for value in outcome.values.values())
    return line([row.case, row.quantity, f"{resolutions} {row.unit}", values, order_text(outcome),
                 bounds_text(row.bounds), verdict(outcome), cost(outcome)])


def section(group, outcomes):
    text = f"\n## {group.title}\n\n{group.about.strip()}\n\n"
    text += line(["case", "quantity", "resolution", "value", "order", "published", "verdict", "cost"])
    text += line(["---"] * 8)
    text += "".join(line_of(outcome) for outcome in outcomes)
    for outcome in outcomes:
        if outcome.row.explanation and (outcome.off > 0 or outcome.misses_order):
            text += f"\n{outcome.row.case}, {outcome.row.quantity}: {outcome.explanation()}\n"
    return text


def document(command, version, sections):
    return heading.format(command=command, version=version) + "".join(sections)
