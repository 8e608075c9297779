#!/usr/bin/env bash
# Peak memory and time of `select --stream` on a long table: xor in the first two of 20 uniform columns.
#
#   benches/stream_memory.sh [ROWS] [PROGRAM]     (default: 5000000 rows, target/release/rulesieve)
#
# The table is made in parts of 100,000 rows, each with a seed of its own, because `generate` holds what it makes.
# Prints a record as JSON; progress goes to standard error. Needs GNU time as /usr/bin/time.
set -euo pipefail
cd "$(dirname "$0")/.."

rows=${1:-5000000}
program=${2:-target/release/rulesieve}
part=100000
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
table=$folder/long.csv

for ((made = 0, seed = 0; made < rows; made += part, seed++)); do
  count=$((rows - made < part ? rows - made : part))
  "$program" generate xor --samples "$count" --features 20 --seed "$seed" 2>/dev/null |
    if ((made == 0)); then cat; else tail -n +2; fi >>"$table"
done
echo "made $rows rows, $(stat -c %s "$table") bytes" >&2

options="--target class --method ldr-tsk-inductive --stream --top 2"
/usr/bin/time -v -o "$folder/time" "$program" select "$table" $options --json >"$folder/record.json"
value() { sed -n "s/^\t$1.*: //p" "$folder/time"; }
python3 - "$folder/record.json" "$rows" "$(stat -c %s "$table")" "$(value 'Maximum resident')" "$(value 'Elapsed')" "$program" "$options" <<'PYTHON'
import json, sys
record, rows, size, peak, elapsed, program, options = sys.argv[1:]
record = json.load(open(record))
parts = [float(part) for part in elapsed.split(":")]
seconds = sum(part * 60 ** power for power, part in enumerate(reversed(parts)))
print(json.dumps({
    "command": f"benches/stream_memory.sh {rows} {program}",
    "select": f"rulesieve select long.csv {options}",
    "rows": record["data"]["samples"], "features": record["data"]["features"], "file_bytes": int(size),
    "peak_memory_mb": round(int(peak) / 1024, 1), "seconds_in_all": seconds, "seconds_of_the_fit": round(record["seconds"], 2),
    "selected": record["selected"], "informative": ["x1", "x2"], "converged": record["converged"],
    "version": record["version"],
}, indent=2))
PYTHON
