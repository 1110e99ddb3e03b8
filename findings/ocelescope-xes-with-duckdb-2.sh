#!/usr/bin/env bash
# ocelescope cannot read XES with the DuckDB that its installation brings.
#
# ocelescope 0.10.2 asks for duckdb>=1.5.4, so pip installs 2.0.1. Its reader of XES has a lambda function in the form
# `x -> …`, which DuckDB 2 refuses by default ("Deprecated lambda arrow"). With duckdb 1.5.5 the same log is read. OCEL
# files are read with both. Who needs XES pins duckdb<2.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv python
python/bin/pip install --quiet ocelescope==0.10.2 pm4py==2.7.23.11 r4pm-full==0.6.2 duckdb==2.0.1
cat >log.xes <<'XES'
<?xml version="1.0" encoding="UTF-8"?>
<log xes.version="1849-2023" xmlns="http://www.xes-standard.org/">
  <trace>
    <string key="concept:name" value="case 1"/>
    <event>
      <string key="concept:name" value="Pay"/>
      <date key="time:timestamp" value="2024-01-01T10:00:00+00:00"/>
    </event>
  </trace>
</log>
XES
cat >seen.py <<'PY'
import warnings
warnings.simplefilter('ignore')
from ocelescope import OCEL

try:
    rows = OCEL.read_xes('log.xes').sql('SELECT "ocel:activity" FROM events').fetchall()
    print('seen:', *[activity for (activity,) in rows])
except Exception as error:
    print('seen:', 'Deprecated lambda arrow' if 'Deprecated lambda arrow' in str(error) else repr(error))
PY
changed=0
expect() {
  local seen
  seen=$(python/bin/python seen.py 2>/dev/null | sed -n 's/^seen: //p')
  echo "$1: $seen"
  [[ "$seen" == "$2" ]] || { echo "  expected: $2"; changed=1; }
}
expect 'duckdb 2.0.1' 'Deprecated lambda arrow'
python/bin/pip install --quiet duckdb==1.5.5
expect 'duckdb 1.5.5' 'Pay'
exit "$changed"
