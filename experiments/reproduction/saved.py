"""Saved scores of the reproduction and printed scores of the paper."""
import csv
import functools
import json
import math
import pathlib
from dataclasses import dataclass

PAPER = pathlib.Path(__file__).resolve().parents[2] / "crates" / "rulesieve-reproduce" / "data"
OURS, INDUCTIVE = "ldr-tsk", "ldr-tsk-inductive"
# Names in the paper, names here, and titles; the paper's own method comes first.
NAMES = {"Ours": OURS, "DG-ALETSK": "dg-aletsk", "DG-TSK": "dg-tsk", "FRSE-TSK": "fsre-adatsk", "FSOR": "fsor", "MCFS": "mcfs", "RJFWLF": "rjfwlf"}
TITLES = {"dg-aletsk": "DG-ALETSK", "dg-tsk": "DG-TSK", "fsre-adatsk": "FSRE-AdaTSK", "mcfs": "MCFS-style", "rjfwlf": "RJFWLF-style"}
ALL, MAJORITY = "all features", "most frequent class"
# Measures: the name in saved results and in sentences, and at the start of a sentence.
MEASURES = {"accuracy": ("accuracy", "Accuracy"), "macro_f1": ("macro-F1", "Macro-F1")}


def title(method):
    return TITLES.get(method, method)


def total(values):
    """The sum in the given order: `sum` of newer versions of Python rounds differently, which would change ties."""
    return functools.reduce(lambda one, other: one + other, values, 0.0)


def average(values):
    return total(values) / len(values)


def median(values):
    ordered, half = sorted(values), len(values) // 2
    return ordered[half] if len(values) % 2 else (ordered[half - 1] + ordered[half]) / 2


def hundredths(value):
    """A score in hundredths of a percent: scores that are printed equal count as equal."""
    return math.floor(value * 100 + 0.5)


@dataclass(frozen=True)
class Score:
    """Mean and standard deviation over the folds, in percent."""
    mean: float
    std: float
    folds: int

    @classmethod
    def of(cls, folds):
        values = [100.0 * fold for fold in folds]
        mean = average(values)
        return cls(mean, math.sqrt(total((value - mean) ** 2 for value in values) / max(len(values) - 1, 1)), len(values))

    def standard_error(self):
        return self.std / math.sqrt(max(self.folds, 1))

    def __str__(self):
        return f"{self.mean:.2f} ± {self.std:.2f}"


class Saved:
    """Scores by protocol, data set and method. The protocol `paper-per-fold` is derived from the scores of `paper`."""

    def __init__(self, cells):
        self.cells = cells

    @classmethod
    def read(cls, folder, sets):
        cells = {}
        for protocol in ("paper", "nested"):
            for entry in sets:
                path = pathlib.Path(folder) / protocol / f"{entry['name']}.jsonl"
                lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
                cells[protocol, entry["name"]] = complete([line for line in lines if line["data"] == entry["sha256"]])
        return cls(cells)

    def points(self, protocol, data, method):
        """The settings of a method that worked in every fold."""
        cells = self.cells.get((protocol.removesuffix("-per-fold"), data), {})
        return [point for point in cells.get(method, []) if point.get("failed") is None]

    def best(self, protocol, data, method, measure="accuracy"):
        """The setting with the best mean, the first of equals."""
        return max(self.points(protocol, data, method), key=lambda point: average(point["scores"][measure]), default=None)

    def score(self, protocol, data, method, measure="accuracy"):
        points = self.points(protocol, data, method)
        if not points:
            return None
        if protocol.endswith("-per-fold"):
            return Score.of([max(fold) for fold in zip(*(point["scores"][measure] for point in points))])
        return Score.of(self.best(protocol, data, method, measure)["scores"][measure])

    def mean(self, protocol, data, method, measure="accuracy"):
        found = self.score(protocol, data, method, measure)
        return found and found.mean

    def mean_over(self, protocol, names, method, measure="accuracy"):
        """The mean over several data sets; None if one of them is missing."""
        means = [self.mean(protocol, data, method, measure) for data in names]
        return average(means) if means and None not in means else None


def complete(lines):
    """The settings of every method by name, without methods whose parts are incomplete or come from different grids."""
    cells = {}
    for line in lines:
        own = [one for one in lines if one["method"] == line["method"]]
        if len({one["grid"] for one in own}) == 1 and len(own) == line["part"][1]:
            for cell in line["cells"]:
                cells.setdefault(cell["method"], []).extend(cell["points"])
    return cells


def data_sets():
    """The data sets of the paper's tables."""
    return [one for one in json.loads((PAPER / "datasets.json").read_text())["sets"] if one["name"] != "orl"]


@functools.cache
def printed(measure):
    """The scores that the paper printed, by data set and method."""
    def table(suffix):
        with open(PAPER / "paper" / f"{measure.replace('_', '-')}{suffix}.csv", newline="") as file:
            rows = csv.reader(file)
            header = next(rows)
            return {(row[0], NAMES[name]): float(text) for row in rows for name, text in zip(header[1:], row[1:])}
    stds = table("-std")
    return {key: Score(mean, stds[key], 10) for key, mean in table("").items()}
