"""Shared helpers of the experiments: environment, data sets, folds, calls of the program, records."""
import json
import os
import pathlib
import subprocess
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Output folder of `rulesieve reproduce --originals`.
DATA = pathlib.Path(os.environ.get("RULESIEVE_DATA", ROOT.parent / "shared" / "datasets"))
# Data sets, protocols and printed tables of the paper.
PAPER = ROOT / "crates" / "rulesieve-reproduce" / "data"
# The NumPy reference program for speed comparisons, which is not part of the project.
REFERENCE = pathlib.Path(os.environ.get("RULESIEVE_REFERENCE", ROOT.parent / "shared" / "reference"))
VENV = ROOT / "target" / "experiments-venv"
PACKAGES = ["numpy==2.*", "pandas==3.*", "scikit-learn==1.*"]


def enter_venv(venv=VENV, packages=PACKAGES):
    """Restarts the script in a virtual environment with the packages, with one BLAS thread."""
    python, ready = venv / "bin" / "python", venv / "ready"
    if not ready.exists():
        subprocess.run([sys.executable, "-m", "venv", venv], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *packages], check=True)
        ready.touch()
    if pathlib.Path(sys.prefix) != venv:
        threads = {name: "1" for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")}
        os.execve(python, [str(python), *sys.argv], {**os.environ, **threads})


def need_data():
    if not DATA.is_dir():
        sys.exit(f"skipped: no data in {DATA}; see docs/datasets.md, or set RULESIEVE_DATA to the folder")


def need_reference():
    if not (REFERENCE / "ldr_numpy.py").is_file():
        sys.exit(f"skipped: no ldr_numpy.py in {REFERENCE}; set RULESIEVE_REFERENCE to its folder")


def data_file(name):
    plain = DATA / f"{name}.csv"
    return plain if plain.exists() else plain.with_suffix(".csv.gz")


def machine():
    """The processor and the commit."""
    info = pathlib.Path("/proc/cpuinfo")
    lines = [line.split(":", 1) for line in info.read_text().splitlines() if ":" in line] if info.exists() else []
    known = {name.strip(): value.strip() for name, value in lines}
    widest = [name for name in ("avx512f", "avx2") if name in known.get("flags", "").split()]
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    kind = ", ".join(f"{name} {known[name]}" for name in ("cpu family", "model") if name in known)
    return {"processor": known.get("model name", "unknown"), "kind": kind or "unknown", "vectors": widest[0] if widest else "unknown",
            "cores": os.cpu_count(), "commit": commit or "unknown"}


def program_arguments(parser, methods):
    """Adds the options of all scripts that call the program."""
    parser.add_argument("--methods", default=methods, help="comma-separated methods" + (f" [{methods}]" if methods else ""))
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="parameter of the program's methods")
    parser.add_argument("--binary", help="the program; built from this checkout if not given")


def find_program(binary, name="rulesieve"):
    if binary:
        return pathlib.Path(binary).resolve()
    subprocess.run(["cargo", "build", "--release", "--quiet", "--package", "rulesieve-cli" if name == "rulesieve" else name], cwd=ROOT, check=True)
    return ROOT / "target" / "release" / name


def run(program, *arguments):
    """Runs the program and returns its output; exits with its error message if it fails."""
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{program} {' '.join(map(str, arguments))}\n{done.stderr}")
    return done.stdout


def select(program, table, method, settings=(), seed=0):
    """Ranks the features of a CSV file; returns their names, best first, and the seconds of the fit."""
    sets = [word for setting in settings for word in ("--set", setting)]
    printed = run(program, "select", table, "--target", "class", "--method", method, "--missing", "median",
                  "--threads", 1, "--seed", seed, "--json", *sets)
    result = json.loads(printed)
    return [entry["feature"] for entry in result["ranking"]], result["seconds"]


def setting_values(settings):
    return dict(setting.split("=", 1) for setting in settings)


def load(name):
    """The features (missing: NaN) and the classes, both as text."""
    import pandas as pd
    table = pd.read_csv(data_file(name), dtype=str, keep_default_na=False, na_values=[""])
    return table.drop(columns="class"), table["class"].to_numpy(dtype=str)


def write_table(file, cells, classes, rows):
    """Writes the rows as a CSV file, without classes of a single row, which the program rejects."""
    import numpy as np
    rows = np.array(rows)
    names, counts = np.unique(classes[rows], return_counts=True)
    rows = rows[np.isin(classes[rows], names[counts > 1])]
    cells.iloc[rows].assign(**{"class": classes[rows]}).to_csv(file, index=False)


def as_numbers(cells):
    """Converts numeric columns to numbers; categorical columns are unchanged."""
    import pandas as pd
    columns = {}
    for name, column in cells.items():
        numbers = pd.to_numeric(column, errors="coerce")
        columns[name] = numbers if numbers.isna().equals(column.isna()) else column
    return pd.DataFrame(columns)


def prepare(table, train, test):
    """Training and test rows as matrices, prepared with statistics of the training rows: ordinal codes in alphabetical order,
    missing values by the median (categories, also unseen ones, by the most frequent), then min-max scaling to [0, 1]."""
    import numpy as np
    import pandas as pd
    coded = {}
    for name, column in table.items():
        if not pd.api.types.is_numeric_dtype(column):
            training = column.iloc[train]
            codes = {category: i for i, category in enumerate(sorted(training.dropna().unique()))}
            column = column.map(codes).astype(float).fillna(codes[training.mode()[0]])
        coded[name] = column.to_numpy(dtype=float)
    x = np.column_stack(list(coded.values()))
    x = np.where(np.isnan(x), np.nanmedian(x[train], axis=0), x)
    low, high = x[train].min(0), x[train].max(0)
    x = (x - low) / np.where(high > low, high - low, 1)
    return x[train], x[test]


def folds(classes, count):
    """Stratified folds, shuffled with seed 0; classes smaller than the number of folds are allowed."""
    from sklearn.model_selection import StratifiedKFold
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return list(StratifiedKFold(count, shuffle=True, random_state=0).split(classes, classes))


def svm_scores(x_train, y_train, x_test, y_test):
    """Accuracy and macro-F1 of an RBF SVM with the defaults C = 1, gamma = scale."""
    from sklearn.metrics import accuracy_score, f1_score
    from sklearn.svm import SVC
    predicted = SVC(C=1, gamma="scale").fit(x_train, y_train).predict(x_test)
    return accuracy_score(y_test, predicted), f1_score(y_test, predicted, average="macro", zero_division=0)


def read_records(files):
    rows = []
    for file in map(pathlib.Path, files):
        if file.exists():
            rows += [json.loads(line) for line in file.read_text().splitlines()]
    return rows


def append_record(file, row):
    if file:
        with open(file, "a") as lines:
            lines.write(json.dumps(row) + "\n")
