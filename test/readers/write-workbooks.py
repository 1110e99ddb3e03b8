"""Writes workbooks with openpyxl: a column for each value, behind another value in all columns.

Takes a folder. Prints a JSON list of the files with what `Matter` in value-matrix.test.ts has.
"""
import datetime as dt
import json
import pathlib
import sys

import openpyxl

folder = pathlib.Path(sys.argv[1])
moments = [dt.datetime(2024, 7, 1, 10, 0, 0, 500000), dt.datetime(1900, 3, 1, 12), dt.datetime(9999, 12, 31, 23, 59, 59)]
values = [
    *[5, -3, 0.1, 1.5, 1 / 3, 1e300, 2**53, 123456789012345, 90071992547409.93, True, False],
    *["A-1", "5", "007", "1.50", "2024-07-01", "TRUE", " blanks ", "quotes \" and, commas", "Ü 漢字 😀", "line\nend"],
    *[dt.date(2024, 7, 1), dt.date(1900, 1, 1), dt.time(10, 30), *moments],
]
earlier = [7, 2.5, True, "A-0", dt.datetime(2020, 1, 1, 8)]
times = [each for each in values if isinstance(each, (dt.date, dt.datetime))]


def write(early, late, before, kinds):
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Sheet")
    sheet.append(["n", *["x%d" % column for column in range(len(late))]])
    for number in range(before):
        sheet.append([number + 1, *[early] * len(late)])
    sheet.append([before + 1, *late])
    sheet.append([before + 2, *[None] * len(late)])
    name = "%s-%d-%s.xlsx" % (type(early).__name__, before, kinds[0])
    book.save(folder / name)
    texts = [str(each) for each in late]
    return {"format": "xlsx", "shape": "top", "file": str(folder / name), "before": before, "early": str(early), "late": texts, "kinds": kinds}


found = []
for before in [1, 3000]:
    found += [write(early, values, before, ["roles"]) for early in earlier]
    found.append(write(earlier[-1], times, before, ["times"]))
print(json.dumps(found))
