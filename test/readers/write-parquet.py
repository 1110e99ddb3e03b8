"""Writes Parquet files with pyarrow: a column for each value of a type, behind another value of that type.

Takes a folder. Prints a JSON list of the files with what `Matter` in value-matrix.test.ts has.
"""
import datetime as dt
import json
import pathlib
import sys
import uuid
from decimal import Context, Decimal

import pyarrow as pa
import pyarrow.parquet as pq

folder = pathlib.Path(sys.argv[1])
us = dt.datetime(2024, 7, 1, 10, 0, 0, 123456)
utc = dt.timezone.utc
WIDE = Context(prec=80)


def kinds():
    """By name: a type, an early value, and late ones."""
    for bits in [8, 16, 32, 64]:
        most = 2 ** (bits - 1)
        yield "int%d" % bits, getattr(pa, "int%d" % bits)(), 7, [0, -most, most - 1]
        yield "uint%d" % bits, getattr(pa, "uint%d" % bits)(), 7, [0, 2**bits - 1]
    yield "int53", pa.int64(), 5, [2**53 + 1, -(2**53) - 1]
    yield "boolean", pa.bool_(), True, [True, False]
    yield "float", pa.float32(), 0.5, [0.25, -1.5, 16777216.0, float("nan"), float("inf")]
    yield "double", pa.float64(), 0.5, [0.1, 1 / 3, -1e300, 5e-324, 90071992547409.93, 9007199254740992.0, float("nan")]
    yield "decimal9", pa.decimal128(9, 2), Decimal("1.50"), [Decimal("0.01"), Decimal("-1234567.89")]
    yield "decimal18", pa.decimal128(18, 3), Decimal("1.500"), [Decimal("123456789012345.678")]
    wide = Decimal("1234567890123456789012345678.0123456789")
    yield "decimal38", pa.decimal128(38, 10), Decimal("1.5"), [wide, -wide, Decimal("90071992547409.93")]
    texts = ["A-1", " blanks ", "007", "1.50", "true", "2024-07-01", "null", 'quotes " and, commas', "Ü 漢字 😀"]
    yield "string", pa.string(), "A-0", texts
    yield "large_string", pa.large_string(), "A-0", ["5"]
    yield "dictionary", pa.dictionary(pa.int32(), pa.string()), "A-0", ["A-0", "5"]
    yield "uuid", pa.uuid(), uuid.UUID(int=1).bytes, [uuid.UUID("A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11").bytes]
    yield "time", pa.time64("us"), dt.time(9), [dt.time(10, 0, 0, 500000), dt.time(23, 59, 59, 999999)]
    yield "time_ms", pa.time32("ms"), dt.time(9), [dt.time(10, 0, 0, 500000)]
    days = [dt.date(1900, 1, 1), dt.date(9999, 12, 31)]
    yield "date", pa.date32(), dt.date(2024, 7, 1), days
    for unit in ["ms", "us", "ns"]:
        late = us.replace(microsecond=123000) if unit == "ms" else us
        yield "timestamp_" + unit, pa.timestamp(unit), dt.datetime(2024, 7, 1), [late, dt.datetime(1969, 12, 31, 23)]
        for zone in ["UTC", "Europe/Berlin"]:
            name = "timestamp_%s_%s" % (unit, zone.lower().replace("/", "_"))
            yield name, pa.timestamp(unit, zone), dt.datetime(2024, 7, 1, tzinfo=utc), [late.replace(tzinfo=utc)]


def top():
    """Like `kinds`, but refused in objects and lists."""
    most = Decimal(10**60 - 1).scaleb(-10, WIDE)
    yield "decimal60", pa.decimal256(60, 10), Decimal("1.5"), [Decimal("12.5"), most, most.copy_negate(), Decimal("-0.0000000001")]
    yield "decimal40", pa.decimal256(40, 2), Decimal("1.50"), [Decimal("-1.50"), Decimal(2**64)]


def refused():
    """A file each: no column of the graph holds them."""
    yield "decimal60", "object", pa.decimal256(60, 10), Decimal("1.5"), [Decimal("12.5")]
    yield "nanoseconds", "top", pa.timestamp("ns"), 0, [1719828000123456789]


def write(name, columns, shape, before):
    count = before + 2
    values = [
        pa.concat_arrays([pa.array([early] * before + [late], kind), pa.nulls(1, kind)]) for kind, early, late in columns
    ]
    if shape == "list":
        values = [pa.ListArray.from_arrays(pa.array(range(count + 1), pa.int32()), each) for each in values]
    names = ["x%d" % number for number in range(len(values))]
    if shape == "object":
        names, values = ["o"], [pa.StructArray.from_arrays(values, names)]
    path = folder / name
    rows = pa.array(range(1, count + 1), pa.int32())
    pq.write_table(pa.table([rows, *values], ["n", *names]), path, row_group_size=50_000)
    return {"format": "parquet", "shape": shape, "file": str(path), "before": before, "late": [str(each[2]) for each in columns]}


found = []
columns = [(name, kind, early, each) for name, kind, early, late in kinds() for each in late]
times = [each for each in columns if each[0].startswith(("date", "timestamp"))]
groups = [columns[start : start + 12] for start in range(0, len(columns), 12)]
for shape in ["top", "object", "list"]:
    for before in [1, 103_000]:
        for number, group in [*enumerate(groups), ("times", times)]:
            name = "%s-%s-%d" % (number, shape, before)
            file = write(name + ".parquet", [each[1:] for each in group], shape, before)
            found.append({**file, "early": name, "kinds": ["times" if number == "times" else "roles"]})
for before in [1, 103_000]:
    wide = [(kind, early, each) for _, kind, early, late in top() for each in late]
    file = write("wide-%d.parquet" % before, wide, "top", before)
    found.append({**file, "early": "wide-%d" % before, "kinds": ["roles"]})
for name, shape, kind, early, late in refused():
    file = write("%s-%s.parquet" % (name, shape), [(kind, early, each) for each in late], shape, 1)
    found.append({**file, "early": name, "kinds": ["roles"]})
print(json.dumps(found))
