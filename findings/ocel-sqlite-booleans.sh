#!/usr/bin/env bash
# Booleans of an OCEL 2.0 log that Rust4PM writes as SQLite are missing values for ocelescope.
#
# r4pm 0.6.2 (Rust4PM) stores booleans in the relational form as the texts 'true' and 'false', in columns declared
# BOOLEAN. SQLite has no such type; others, pm4py among them, store 1 and 0. ocelescope 0.10.2, which reads SQLite with
# DuckDB, gets NULL for such texts without a word, also through its own variant `r4pm`; from JSON and XML of the same log
# it gets True.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet ocelescope==0.10.2 pm4py==2.7.23.11 r4pm-full==0.6.2 duckdb==2.0.1
cat >seen.py <<'PY'
import json, sqlite3, sys, warnings
warnings.simplefilter('ignore')
import r4pm
from ocelescope import OCEL

log = {
    'objectTypes': [{'name': 'order', 'attributes': []}],
    'eventTypes': [{'name': 'Place', 'attributes': [{'name': 'urgent', 'type': 'boolean'}]}],
    'objects': [{'id': 'o1', 'type': 'order', 'attributes': [], 'relationships': []}],
    'events': [
        {'id': 'e1', 'type': 'Place', 'time': '2024-01-01T10:00:00Z', 'attributes': [{'name': 'urgent', 'value': True}],
         'relationships': [{'objectId': 'o1', 'qualifier': 'order'}]},
    ],
}
with open('log.json', 'w') as file:
    json.dump(log, file)
read = r4pm.import_item('OCEL', 'log.json')
for form in ('sqlite', 'xml'):
    r4pm.export_item(read, f'log.{form}')
stored = sqlite3.connect('log.sqlite').execute('SELECT urgent, typeof(urgent) FROM event_Place').fetchone()
urgent = lambda path, variant=None: OCEL.read(path, variant=variant).sql('SELECT urgent FROM events').fetchall()[0][0]
expected = {
    'Rust4PM stores': (stored, ('true', 'text')),
    'ocelescope, SQLite': (urgent('log.sqlite'), None),
    'ocelescope, SQLite by r4pm': (urgent('log.sqlite', 'r4pm'), None),
    'ocelescope, XML': (urgent('log.xml'), True),
    'ocelescope, JSON': (urgent('log.json'), True),
}
changed = 0
for what, (seen, before) in expected.items():
    print(f'{what}: {seen}')
    if seen != before:
        changed = 1
        print(f'  expected: {before}')
sys.exit(changed)
PY
python/bin/python seen.py
