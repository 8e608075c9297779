"""Writes the golden fits of this folder with the NumPy reference program.

    python make.py PATH/TO/shared/reference

`tall.json` is what `ldr_numpy.py --dump` writes (60 samples, 10 columns); `wide.json` is the same record for more
columns than samples (12 samples, 45 columns). Needs numpy.
"""
import json
import pathlib
import subprocess
import sys

reference = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).parent
subprocess.run([sys.executable, reference / "ldr_numpy.py", "--dump", here / "tall.json"], check=True)

sys.path.insert(0, str(reference))
import numpy as np  # noqa: E402
from ldr_numpy import fit_paper, initial_state  # noqa: E402

rng = np.random.default_rng(1)
X, y = rng.random((12, 45)), 1.0 + np.arange(12) % 3
start, trace = initial_state(12, 45, 15, 5, 1), []
Q = fit_paper(X, y, iterations=20, start=tuple(a.copy() for a in start), trace=trace)
names = ("x_hat", "f", "p", "p0")
record = {"x": X.tolist(), "y": y.tolist(), "start": dict(zip(names, (a.tolist() for a in start))),
          "trace": trace, "q": Q.tolist()}
(here / "wide.json").write_text(json.dumps(record))
