"""Documentation: the notebook runs, and stubs, docstrings and defaults agree with the engine."""

import inspect
import json
import pathlib
import subprocess
import sys

import pytest

import rulesieve

HERE = pathlib.Path(__file__).resolve().parent
PUBLIC = [rulesieve.SieveSelector, rulesieve.InductiveLdrTskSelector, rulesieve.LdrTskSelector, rulesieve.Ranker,
          rulesieve.InductiveLdrTskClassifier, rulesieve.InductiveLdrTskRegressor]


def test_the_tutorial_runs(tmp_path, monkeypatch):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    notebook = json.loads((HERE.parent / "examples" / "tutorial.ipynb").read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    scope = {"__name__": "__main__"}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 8
    for number, cell in enumerate(cells):
        exec(compile("".join(cell["source"]), f"cell {number}", "exec"), scope)
    matplotlib.pyplot.close("all")


def test_the_stubs_describe_the_engine():
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "rulesieve._engine"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_typed():
    program = "import rulesieve\nreveal_type(rulesieve.Ranker('anova').fit([[0.0]], [0]).selected_)\n"
    done = subprocess.run([sys.executable, "-m", "mypy", "-c", program], capture_output=True, text=True)
    assert (pathlib.Path(rulesieve.__file__).parent / "py.typed").exists()
    assert done.returncode == 0 and 'list[str]"' in done.stdout.replace("builtins.", ""), done.stdout + done.stderr
    options = "protocol='paper-as-run', include=['a', 0], class_order='appearance', keep_suspicious=('a',)"
    fine = f"import rulesieve\nnames: list[str] = ['a']\nrulesieve.Ranker('anova', include=names)\nrulesieve.evaluate([[0.0]], [0], ['anova'], {options})\n"
    done = subprocess.run([sys.executable, "-m", "mypy", "-c", fine], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    wrong = "import rulesieve\nrulesieve.Ranker('anova', missing='none')\nrulesieve.evaluate([[0.0]], [0], fold=3)\n"
    done = subprocess.run([sys.executable, "-m", "mypy", "-c", wrong], capture_output=True, text=True)
    assert done.stdout.count("error:") == 2 and '"missing"' in done.stdout and '"fold"' in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize("estimator", PUBLIC)
def test_every_parameter_is_described(estimator):
    described = inspect.getdoc(estimator)
    parameters = described[described.index("Parameters"):described.index("Attributes")]
    documented = {name.strip() for line in parameters.splitlines() if not line.startswith(" ") for name in line.split(" : ")[0].split(",")}
    assert set(inspect.signature(estimator).parameters) <= documented


def test_defaults_are_those_of_the_engine():
    """The defaults of the signatures are those of the engine."""
    for estimator, method in ((rulesieve.LdrTskSelector, "ldr-tsk"), (rulesieve.InductiveLdrTskSelector, "ldr-tsk-inductive")):
        known = rulesieve.methods(method)
        for name, parameter in inspect.signature(estimator).parameters.items():
            if name in known:
                assert parameter.default == known[name]["default"] or (parameter.default, known[name]["default"]) == (None, "auto")
