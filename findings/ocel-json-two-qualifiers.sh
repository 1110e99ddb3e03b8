#!/usr/bin/env bash
# pm4py reads one relation of an event and an object from OCEL 2.0 JSON, where the file has two with different qualifiers.
#
# In OCEL 2.0 an event may relate to the same object more than once, by qualifier: the key of `event_object` in the
# relational form is (event, object, qualifier). pm4py 2.7.23.11 keeps both from SQLite, but only the last one from JSON;
# r4pm 0.6.2 (Rust4PM) keeps both from JSON. Counts of relations of one log therefore differ by its form, and a log that
# is read from JSON and written again has lost one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv pm4py
pm4py/bin/pip install --quiet pm4py==2.7.23.11
python3 -m venv rust
rust/bin/pip install --quiet r4pm==0.6.2 polars==2.1.0 pyarrow==26.0.1
cat >write.py <<'PY'
import json, r4pm

related = [{'objectId': 'o1', 'qualifier': qualifier} for qualifier in ('placed', 'confirmed')]
log = {
    'objectTypes': [{'name': 'order', 'attributes': []}],
    'eventTypes': [{'name': 'Place', 'attributes': []}],
    'objects': [{'id': 'o1', 'type': 'order', 'attributes': [], 'relationships': []}],
    'events': [
        {'id': 'e1', 'type': 'Place', 'time': '2024-01-01T10:00:00Z', 'attributes': [], 'relationships': related},
    ],
}
with open('log.json', 'w') as file:
    json.dump(log, file)
read = r4pm.import_item('OCEL', 'log.json')
r4pm.export_item(read, 'log.sqlite')
print(*sorted(r4pm.item_to_df(read)['relations']['ocel:qualifier'].to_list()))
PY
cat >read.py <<'PY'
import sys, warnings
warnings.simplefilter('ignore')
import pm4py

read = {'json': pm4py.read_ocel2_json, 'sqlite': pm4py.read_ocel2_sqlite}[sys.argv[1]]
print('seen:', *sorted(read(f'log.{sys.argv[1]}').relations['ocel:qualifier']))
PY
changed=0
expect() {
  echo "$1: $3"
  [[ "$3" == "$2" ]] || { echo "  expected: $2"; changed=1; }
}
seen() { pm4py/bin/python read.py "$1" 2>/dev/null | sed -n 's/^seen: //p'; }
expect 'r4pm, JSON' 'confirmed placed' "$(rust/bin/python write.py)"
expect 'pm4py, SQLite' 'confirmed placed' "$(seen sqlite)"
expect 'pm4py, JSON' 'confirmed' "$(seen json)"
exit "$changed"
