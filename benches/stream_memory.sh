#!/usr/bin/env bash
# Peak memory and time of `select --stream` and `train --stream` on a long table (XOR of the first two of 20 uniform
# columns), and accuracy of the model on 100,000 rows of another seed.
#
#   benches/stream_memory.sh [ROWS] [PROGRAM]     (default: 5000000 rows, target/release/rulesieve)
#
# The table is generated in parts of 100,000 rows with different seeds, because `generate` needs memory for a whole part.
# Prints a JSON record (one is saved in experiments/stream/) and exits with 1 above 500 MB; progress goes to standard
# error. Needs GNU time as /usr/bin/time.
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
echo "generated $rows rows, $(stat -c %s "$table") bytes" >&2

options="--target class --method ldr-tsk-inductive --stream --top 2"
measured() { # NAME ARGUMENTS...: runs the program; writes its output to NAME.json, memory and time to NAME.time
  /usr/bin/time -f '%M %e' -o "$folder/$1.time" "$program" "${@:2}" --json >"$folder/$1.json"
}
measured select select "$table" $options
measured train train "$table" $options --model "$folder/model.json"
"$program" generate xor --samples 100000 --features 20 --seed 1000000 --output "$folder/other.csv" 2>/dev/null
"$program" predict "$folder/model.json" "$folder/other.csv" --evaluate --json --output "$folder/answers.csv" \
  >"$folder/predict.json"

python3 - "$folder" "$rows" "$program" "$options" <<'PYTHON'
import json, os, sys
folder, rows, program, options = sys.argv[1:]
read = lambda name: json.load(open(f"{folder}/{name}.json"))
def taken(name):
    peak, seconds = open(f"{folder}/{name}.time").read().split()
    return {"peak_memory_mb": round(int(peak) / 1024, 1), "seconds_in_all": float(seconds)}
select, train, predict = read("select"), read("train"), read("predict")
training = train["training"]
record = {
    "command": f"benches/stream_memory.sh {rows} {program}",
    "rows": select["data"]["samples"], "features": select["data"]["features"],
    "file_bytes": os.path.getsize(f"{folder}/long.csv"), "informative": ["x1", "x2"],
    "select": {
        "command": f"rulesieve select long.csv {options}", **taken("select"),
        "seconds_of_the_fit": round(select["seconds"], 2), "selected": select["selected"],
        "converged": select["converged"],
    },
    "train": {
        "command": f"rulesieve train long.csv {options} --model model.json", **taken("train"),
        "seconds_of_training": round(training["seconds"], 2), "selected": train["selected"], "rules": train["rules"],
        "samples": training["samples"], "learned": training["learned"], "aside": training["aside"],
        "accuracy_aside": round(training["validation_accuracy"], 4), "converged": training["converged"],
        "rows_of_another_seed": predict["rows"], "accuracy_there": round(predict["accuracy"], 4),
    },
    "version": select["version"],
}
print(json.dumps(record, indent=2))
if max(record[part]["peak_memory_mb"] for part in ("select", "train")) > 500:
    sys.exit("more than 500 MB")
PYTHON
