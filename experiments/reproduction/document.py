#!/usr/bin/env python3
"""Completes the text of `rulesieve reproduce` with sections about the claims and the protocol of the paper, and with `as-run.md`.

    python3 experiments/reproduction/document.py results/reproduction.md > docs/reproduction.md

Needs no packages and no data sets; `scripts/reproduction` runs both parts.
"""
import argparse
import json
import pathlib

import claims
import reasons
from saved import PAPER, Saved, data_sets

HERE = pathlib.Path(__file__).resolve().parent
# The sections are inserted before these headings.
BEFORE_CLAIMS, BEFORE_REASONS = "\n## Protocols\n", "\n## All methods, protocol paper\n"
BEFORE_AS_RUN = "\n## Accuracy beside the printed table\n"


def completed(text, folder):
    sets = data_sets()
    saved = Saved.read(folder, sets)
    extras = json.loads((folder / "extras.json").read_text())
    methods = json.loads((PAPER / "protocols" / "paper.json").read_text())["methods"]
    sections = {BEFORE_CLAIMS: claims.section(saved, extras, sets),
                BEFORE_AS_RUN: (HERE / "as-run.md").read_text().rstrip(),
                BEFORE_REASONS: reasons.section(saved, extras.get("bounds", {}), sets, methods)}
    for heading, section in sections.items():
        if heading not in text:
            raise SystemExit(f"the text has no heading '{heading.strip()}'; generate it from the same saved results")
        text = text.replace(heading, f"\n{section}\n{heading}", 1)
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=pathlib.Path, help="reproduction.md written by rulesieve reproduce --tables-only")
    parser.add_argument("--cells", type=pathlib.Path, default=HERE, help="folder of saved results [that of this script]")
    args = parser.parse_args()
    print(completed(args.text.read_text(), args.cells), end="")


if __name__ == "__main__":
    main()
