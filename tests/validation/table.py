"""Writes outcomes as Markdown."""

heading = """# Validation

Written by `{command}` with {version}: every number below comes from the program's runs or from
[`data/reference`](../data/reference), whose sources are in [`data/README.md`](../data/README.md). Cases are in
[`data/validation`](../data/validation) and [`data/cases`](../data/cases), what is measured in
[`tests/validation`](../tests/validation).

Values stand in the order of the resolutions. *Order* is what the last three of them show (of an error: the last
two). Within: the value of the finest grid lies in the spread of the published ones; off: how far outside of it, as a
part of the published value. Cost is that of one run on the finest grid, on one CPU core, times the number of runs that
the value is made of.
"""


def number(x):
    if x == 0:
        return "0"
    return f"{x:.1e}" if abs(x) < 1e-3 else f"{x:.4g}" if abs(x) < 1 else f"{x:.3f}"


def bounds_text(bounds, sources):
    """With the number of its source in the list of sources, which grows."""
    if bounds is None:
        return "-"
    if bounds.source is None:
        return f"at most {bounds.high:.3g} required"
    if bounds.source not in sources:
        sources.append(bounds.source)
    note = f"[{sources.index(bounds.source) + 1}]"
    if bounds.low == bounds.high:
        return f"{bounds.low:.6g} {note}"
    low = "at most" if bounds.low == 0 else f"{bounds.low:.6g} to"
    return f"{low} {bounds.high:.4g} {note}"


def order_text(outcome):
    row = outcome.row
    if row.order is None and not row.shows_order:
        return "-"
    text = "-" if outcome.order is None else f"{outcome.order:.2f}"
    return text if row.order is None else f"{text} (at least {row.order:g})"


def verdict(outcome):
    if outcome.misses_order:
        return "order too low"
    bounds = outcome.row.bounds
    if bounds is None:
        return "met" if outcome.row.order else "-"
    if bounds.source is None:
        return "not met" if outcome.off > 0 else "met"
    return f"off by {100 * outcome.off:.2g} %" if outcome.off > 0 else "within"


def cost(outcome):
    results = outcome.results[outcome.finest]
    seconds = sum(result.cost["seconds"] for result in results) / len(results)
    first, count = results[0].cost, f" x {len(results)}" if len(results) > 1 else ""
    return f"{first['cells']} cells, {first['steps']} steps, {seconds:.3g} s{count}"


def line(cells):
    return "| " + " | ".join(cells) + " |\n"


def line_of(outcome, sources):
    row = outcome.row
    if outcome.failure:
        return line([row.case, row.quantity, "-", "-", "-", "-", "failed", "-"])
    resolutions = " / ".join(f"{at:g}" for at in outcome.values)
    values = " / ".join(number(value) for value in outcome.values.values())
    return line([row.case, row.quantity, f"{resolutions} {row.unit}", values, order_text(outcome),
                 bounds_text(row.bounds, sources), verdict(outcome), cost(outcome)])


def picture_of(group, output):
    """The file beside the table that a group with a `picture` draws."""
    return output.with_name(f"{output.stem}_{group.__name__.split('_', 1)[1]}.svg")


def section(group, outcomes, output):
    sources = []
    text = f"\n## {group.title}\n\n{group.about.strip()}\n\n"
    if hasattr(group, "picture"):
        text += f"![{group.title}]({picture_of(group, output).name})\n\n"
    text += line(["case", "quantity", "resolution", "value", "order", "published", "verdict", "cost"])
    text += line(["---"] * 8)
    text += "".join(line_of(outcome, sources) for outcome in outcomes)
    if sources:
        text += "\n" + "; ".join(f"[{n + 1}] {source}" for n, source in enumerate(sources)) + "\n"
    for outcome in outcomes:
        if not outcome.failure and outcome.row.explanation and (outcome.off > 0 or outcome.misses_order):
            text += f"\n{outcome.row.case}, {outcome.row.quantity}: {outcome.explanation()}\n"
    return text


def document(command, version, sections):
    return heading.format(command=command, version=version) + "".join(sections)
