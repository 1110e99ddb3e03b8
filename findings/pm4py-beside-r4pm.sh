#!/usr/bin/env bash
# pm4py reads OCEL JSON with another program as soon as r4pm (Rust4PM) is installed beside it, and the answer changes.
#
# pm4py 2.7.23.11 looks whether r4pm can be found, and then leaves the reading of OCEL 2.0 JSON to it. With r4pm 0.6.2:
#   * without polars and pyarrow, which r4pm does not require, pm4py.read_ocel2_json fails with ModuleNotFoundError;
#   * with them (polars 2.1.0, pyarrow 26.0.1), times have no zone any more (they had UTC), so that they cannot be
#     compared with those of a log that was read as SQLite.
# Who has both, as readers of one log often do, can pass a log as SQLite, or add the zone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet pm4py==2.7.23.11
cat >seen.py <<'PY'
import json, warnings
warnings.simplefilter('ignore')
import pm4py

log = {
    'objectTypes': [{'name': 'order', 'attributes': []}],
    'eventTypes': [{'name': 'Place', 'attributes': []}],
    'objects': [{'id': 'o1', 'type': 'order', 'attributes': [], 'relationships': []}],
    'events': [
        {'id': 'e1', 'type': 'Place', 'time': '2024-01-01T10:00:00Z', 'attributes': [],
         'relationships': [{'objectId': 'o1', 'qualifier': 'order'}]},
    ],
}
with open('log.jsonocel', 'w') as file:
    json.dump(log, file)
try:
    times = pm4py.read_ocel2_json('log.jsonocel').events['ocel:timestamp']
    print(f'seen: zone {times.dt.tz}')
except ModuleNotFoundError as error:
    print(f'seen: {error}')
PY
changed=0
expect() {
  local seen
  seen=$(python/bin/python seen.py 2>/dev/null | grep '^seen: ')
  echo "$1: ${seen#seen: }"
  [[ "${seen#seen: }" == "$2" ]] || { echo "  expected: $2"; changed=1; }
}
expect 'pm4py alone' 'zone UTC'
python/bin/pip install --quiet r4pm==0.6.2
expect 'with r4pm' "No module named 'polars'"
python/bin/pip install --quiet polars==2.1.0 pyarrow==26.0.1
expect 'with r4pm, polars and pyarrow' 'zone None'
exit "$changed"
