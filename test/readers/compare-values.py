"""Reads files with the csv, json and decimal modules of Python, Parquet files with pyarrow, workbooks with openpyxl, and compares what imports made of their values.

Takes the path of a JSON list of cases: the file, how its records hold values, and what arrived of each column and row as `property`,
`key`, `time`, by `filter` and in `pairs`. Prints a line for each value that is another one in the graph, then the number of cells.
"""
import csv
import datetime as dt
import json
import re
import sys
from datetime import datetime, timedelta, timezone
from decimal import Decimal, InvalidOperation
from itertools import zip_longest

import openpyxl
import pyarrow.parquet


class Number(str):
    """A number as it is written."""


class Moment(str):
    """A date or time that is no text in its file."""


def as_written(value):
    """A value of a Parquet file or a workbook as numbers and texts; booleans and missing values stay as they are."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, Decimal):
        return Number(format(value, "f"))
    if isinstance(value, (int, float)):
        return Number(repr(value))
    if isinstance(value, dt.time):
        text = value.isoformat()
        return text.rstrip("0") if "." in text else text
    return Moment(value.isoformat()) if isinstance(value, (dt.date, dt.datetime)) else str(value)


def records_of(case):
    """The rows of a Parquet file with their fields."""
    table = pyarrow.parquet.read_table(case["file"]).slice(case["before"] - 1)
    for row in table.to_pylist():
        fields = row["o"] if case["shape"] == "object" else row
        is_list = case["shape"] == "list"
        names = [name for name in fields if name != "n"]
        yield row, {name: [as_written(fields[name][0])] if is_list else as_written(fields[name]) for name in names}


def rows_of_sheet(case):
    """The rows of a sheet with their fields."""
    rows = openpyxl.load_workbook(case["file"], read_only=True)["Sheet"].iter_rows(values_only=True)
    names = next(rows)
    for row in rows:
        fields = {name: as_written(value) for name, value in zip_longest(names, row)}
        yield fields, fields


def rows_of(case):
    """The values by column and row, from the last row with the early value on; None for a missing one."""
    if case["format"] == "parquet":
        return values_of(case, records_of(case))
    if case["format"] == "xlsx":
        return values_of(case, rows_of_sheet(case))
    with open(case["file"], encoding="utf-8", newline="") as file:
        if case["format"] == "csv":
            records = [(row, row) for row in csv.DictReader(file)]
        else:
            text = file.read()
            kept = {"parse_float": Number, "parse_int": Number}
            lines = text.splitlines() if case["format"] == "jsonl" else None
            read = [json.loads(line, **kept) for line in lines] if lines else json.loads(text, **kept)
            records = [(row, row["o"] if case["shape"] == "object" else row) for row in read]
    return values_of(case, records)


def values_of(case, records):
    found = {}
    for row, fields in records:
        number_of_row = str(row["n"])
        if int(number_of_row) < case["before"]:
            continue
        for column in range(len(case["late"])):
            value = fields[f"x{column}"]
            if case["shape"] == "list":
                value = value[0]
            found[str(column), number_of_row] = None if case["format"] == "csv" and value == "" else value
    return found


def instant(text):
    """The second in UTC and the fraction of a time or date in ISO 8601; None for other texts."""
    found = re.fullmatch(r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d(?::\d\d)?)?)?", text)
    if not found:
        return None
    day, clock, fraction, zone = found.groups()
    moment = datetime.fromisoformat(f"{day}T{clock or '00:00:00'}").replace(tzinfo=timezone.utc)
    if zone and zone != "Z":
        hours, _, minutes = zone[1:].partition(":")
        offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
        moment = moment - offset if zone[0] == "+" else moment + offset
    return moment, Decimal("0" + (fraction or ""))


def number(text):
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def is_same(value, text, kind, is_item):
    """Whether a text of the graph, of a value of the type `kind`, means a value of the file; `kind` is None for a key."""
    # Items of several kinds are JSON, whose text a key or property has.
    if is_item and isinstance(value, str) and text == json.dumps(value):
        return True
    if value is None or text is None:
        return value is None and text is None
    if value is True or value is False:
        return text == str(value).lower()
    if text == value or (isinstance(value, Number) and value == "nan" and text == "NaN"):
        return True
    if isinstance(value, Number) or kind not in (None, "VARCHAR"):
        digits = number(text.strip('"') if is_item else text)
        if digits is not None and number(value) is not None:
            rounded = "e" in value.lower() and float(value) == float(text)
            return digits == number(value) or rounded
    if kind == "BOOLEAN":
        return text == value.lower()
    if kind == "TIME":
        return text == f"{value}:00"
    # A time among texts is the text of its value.
    if (kind == "VARCHAR" and not isinstance(value, Moment)) or instant(value) is None:
        return False
    return instant(text) == instant(value)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)
    cells = 0
    for case in cases:
        if "refused" in case:
            continue
        values = rows_of(case)
        rows = [str(case["before"] + each) for each in range(3)]
        late = rows[1]
        is_item = case["shape"] == "list"
        wrong = []
        for column, row, text, kind in case.get("property", []):
            cells += 1
            if not is_same(values[column, row], text, kind, is_item):
                wrong.append((column, f"property {row}: {text!r} ({kind})"))
        for column, row, text in case.get("time", []):
            cells += 1
            if instant(text) != instant(values[column, row]):
                wrong.append((column, f"time {row}: {text!r}"))
        if "key" in case:
            keys = {(column, row): key for column, row, key in case["key"]}
            filtered = {(column, row) for column, row in case["filter"]}
            pairs = {tuple(pair) for pair in case["pairs"]}
            for column, row in values:
                value = values[column, row]
                cells += 3
                if not is_same(value, keys.get((column, row)), None, is_item):
                    wrong.append((column, f"key {row}: {keys.get((column, row))!r}"))
                if ((column, row) in filtered) != (value is not None and value == values[column, late]):
                    wrong.append((column, f"filter {row}"))
                equal = {other for other in rows if value is not None and values[column, other] == value}
                if {other for of, one, other in pairs if of == column and one == row} != equal:
                    wrong.append((column, f"pairs {row}"))
        for column, what in wrong:
            pair = f"{case['early']}, {case['late'][int(column)]}"
            print(f"{case['format']} {case['shape']} {pair}: {what}")
    print(f"cells {cells}")


main()
