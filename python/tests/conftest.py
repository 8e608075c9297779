"""Shared fixtures and helpers."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

import rulesieve

ROOT = pathlib.Path(__file__).resolve().parents[2]


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="also run the tests marked `sweep`")


def pytest_configure(config):
    config.addinivalue_line("markers", "sweep: slow; runs with --all")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--all"):
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("sweep")])
        items[:] = [item for item in items if not item.get_closest_marker("sweep")]


@pytest.fixture(scope="session")
def waveform():
    return rulesieve.load_table("waveform", samples=150)


@pytest.fixture(scope="session")
def penguins():
    return rulesieve.load_table("penguins")


@pytest.fixture(scope="session")
def command_line():
    """Runs the program `rulesieve`, whose path is in the variable RULESIEVE."""
    named = os.environ.get("RULESIEVE")
    found = [pathlib.Path(named)] if named else [ROOT / "target" / kind / "rulesieve" for kind in ("debug", "release")]
    program = next((path for path in found if path.exists()), None)
    if program is None:
        assert named is None, f"RULESIEVE={named} is not there"
        pytest.skip("the program rulesieve is not built: cargo build")

    def run(*words):
        done = subprocess.run([program, *map(str, words)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def without_seconds(record):
    """A record without times, which differ from run to run."""
    if isinstance(record, dict):
        return {key: without_seconds(value) for key, value in record.items() if key not in ("seconds", "reading")}
    if isinstance(record, list):
        return [without_seconds(value) for value in record]
    return record


def table_file(path, X, y):
    """Writes features and target as CSV."""
    X.assign(**{y.name: np.asarray(y)}).to_csv(path, index=False)
    return path
