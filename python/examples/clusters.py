"""The same sweep on processes, dask or ray.

    python clusters.py loky
    python clusters.py dask      # pip install 'rulesieve[dask]'
    python clusters.py ray       # pip install 'rulesieve[ray]'
"""

import sys
import time

import rulesieve
from rulesieve import distributed


def tables():
    return {f"waveform {seed}": rulesieve.load_table("waveform", samples=240, seed=seed) for seed in range(4)}


def main(backend: str) -> None:
    methods = {"ldr-tsk": {"alpha": [0.1, 1, 10]}, "anova": {}, "relieff": {}}
    options = {"folds": 5, "n_features_to_select": 8}
    began = time.monotonic()
    found = distributed.sweep(tables(), methods, backend=backend, **options)
    print(f"{backend}: {time.monotonic() - began:.1f} s")
    scores = {name: one.table["accuracy"][list(methods)].to_dict() for name, one in found.items()}
    print(rulesieve.compare(scores, control="ldr-tsk").table)


if __name__ == "__main__":
    chosen = sys.argv[1] if len(sys.argv) > 1 else "loky"
    if chosen == "dask":
        from dask.distributed import Client, LocalCluster

        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
            main(chosen)
    else:
        main(chosen)
