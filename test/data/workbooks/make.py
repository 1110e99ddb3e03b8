"""Writes the workbooks of this folder, and what openpyxl reads in them (expected.json).

python3 -m venv venv && venv/bin/pip install openpyxl==3.1.5 xlsxwriter==3.3.1 pyexcelerate==0.13.0
venv/bin/python make.py
"""

import datetime as dt
import json
import pathlib
import random
import struct

import openpyxl
import pyexcelerate
import xlsxwriter
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont

here = pathlib.Path(__file__).parent
day = dt.datetime(2024, 10, 27)


def types():
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Types"
    heads = ["id", "whole", "number", "truth", "text", "date", "time", "of day", "duration", "mixed", "iso", "zip"]
    sheet.append(heads)
    texts = ["plain", " blanks around ", "line\nend", 'quotes "and", commas', "Ü 漢字 😀", "=not a formula"]
    numbers = [0.1, 1 / 3, 0.001, 1e-7, 1.5e21, 123456789012345.6, 0.30000000000000004, -0.5]
    for row in range(8):
        sheet.append(
            [
                row + 1,
                [0, -1, 2**31, 2**53, 5.0, None, 123456789012345, 7][row],
                numbers[row],
                [True, False, None][row % 3],
                texts[row % 6],
                [dt.date(1900, 1, 1), dt.date(1900, 2, 28), dt.date(1900, 3, 1), dt.date(9999, 12, 31)][row % 4],
                [day, day.replace(hour=2, minute=30), day.replace(second=1, microsecond=125000)][row % 3],
                dt.time(row, 30, row),
                dt.timedelta(hours=25 * row + 1, minutes=30),
                [1, "A-1", day, True, 2.5, None, dt.date(2024, 1, 1), "x"][row],
                "2024-01-0%d" % (row + 1),
                ["01234", "00001"][row % 2],
            ]
        )
        sheet.cell(row=row + 2, column=9).number_format = "[h]:mm:ss"
    sheet["E7"].data_type = "s"
    formats = book.create_sheet("Formats")
    formats.append(["format", "value"])
    for code in [
        "yyyy-mm-dd", "dd.mm.yyyy hh:mm", "[$-407]d. mmmm yyyy", "m/d/yy h:mm AM/PM", 'yyyy"年"m"月"d"日"', "mmm yy",
        "[Red]dd/mm/yyyy;@", "hh:mm:ss.000", 'dd"."mm"."yyyy', "yyyy\\-mm\\-dd\\ hh:mm:ss",
    ]:
        formats.append([code, 45592.4375])
        formats.cell(row=formats.max_row, column=2).number_format = code
    numbers = book.create_sheet("Numbers")
    numbers.append(["format", "value"])
    for code in ["General", "0.00", '0.00 "days"', "#,##0 [$€-407]", "0.00E+00", '"m"0', "0\\d", "[>100]0;0.0", "@", "0%"]:
        numbers.append([code, 45592.4375])
        numbers.cell(row=numbers.max_row, column=2).number_format = code
    rich = book.create_sheet("Rich & odd")
    rich.append(["a", "a", "A", "", "line\nhead"])
    rich.append([CellRichText("one ", TextBlock(InlineFont(b=True), "two"), " three"), 1, 2, 3, 4])
    rich["H20"] = "far"
    errors = book.create_sheet("Errors")
    errors.append(["key", "value"])
    for row, value in enumerate(["#N/A", "#DIV/0!", 3]):
        errors.append([row, value])
    hidden = book.create_sheet("Hidden")
    hidden.sheet_state = "hidden"
    hidden.append(["id"])
    hidden.append([1])
    book.save(here / "types.xlsx")


def heads():
    book = xlsxwriter.Workbook(str(here / "heads.xlsx"))
    bold = book.add_format({"bold": True})
    date = book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
    report = book.add_worksheet("Report 2024")
    report.merge_range("A1:E1", "Orders of the year", bold)
    report.write("A2", "made by", bold)
    report.write("B2", "someone")
    report.merge_range("A4:A5", "Customer")
    report.merge_range("B4:C4", "Order")
    report.merge_range("D4:E4", "Payment")
    for column, name in enumerate(["Number", "Date", "Amount", "Date"]):
        report.write(4, column + 1, name)
    for row in range(3):
        report.write_string(5 + row, 0, "C-%d" % row)
        report.write_number(5 + row, 1, 100 + row)
        report.write_datetime(5 + row, 2, day + dt.timedelta(days=row), date)
        report.write_formula(5 + row, 3, "=B%d*2" % (6 + row), None, 200 + 2 * row)
        report.write_datetime(5 + row, 4, day + dt.timedelta(days=row, hours=5), date)
    report.write_rich_string("A9", "rich ", bold, "text")
    it = book.add_worksheet("It's")
    it.write_row("C3", ["id", "name"])
    it.write_row("C4", [1, "one"])
    it.write_row("C5", [2, "two"])
    it.write_row("C6", [3, "three"])
    it.write_row("H1", ["not", "of the range"])
    book.define_name("People", "='It''s'!$C$3:$D$5")
    book.define_name("It's!Local", "='It''s'!$C$3:$D$6")
    book.define_name("Several", "='It''s'!$C$3:$C$5,'It''s'!$D$3:$D$5")
    book.define_name("Rate", "=0.19")
    book.add_worksheet("Empty")
    book.add_chartsheet("Chart").set_chart(chart_of(book))
    book.close()


def chart_of(book):
    chart = book.add_chart({"type": "column"})
    chart.add_series({"values": "='Report 2024'!$B$6:$B$8"})
    return chart


def epoch_1904():
    book = xlsxwriter.Workbook(str(here / "epoch-1904.xlsx"), {"date_1904": True, "constant_memory": True})
    date = book.add_format({"num_format": "yyyy-mm-dd"})
    sheet = book.add_worksheet("Days")
    sheet.write_row(0, 0, ["id", "day", "note"])
    for row, value in enumerate([dt.datetime(1904, 1, 2), dt.datetime(1904, 2, 29), dt.datetime(2024, 2, 29)]):
        sheet.write_number(row + 1, 0, row)
        sheet.write_datetime(row + 1, 1, value, date)
        sheet.write_string(row + 1, 2, "inline %d" % row)
    book.close()


def other_writer():
    book = pyexcelerate.Workbook()
    rows = [["id", "name", "when", "ok"], [1, "one", day, True], [2, "two", day.replace(hour=5), False]]
    book.new_sheet("Sheet", data=rows)
    book.save(str(here / "pyexcelerate.xlsx"))


def random_rows(count):
    """Columns of one type each, five of any type, and one of doubles of any size; a seventh of the cells is empty."""

    def number():
        value = struct.unpack("<d", random.randbytes(8))[0]
        return value if 1e-290 < abs(value) < 1e290 else number()

    makers = [
        lambda: round(random.uniform(-1e6, 1e6), random.randint(0, 6)),
        lambda: random.choice([random.randint(-9, 9), random.randint(-(2**31), 2**31), random.randint(-(10**15), 10**15)]),
        lambda: dt.datetime(1900, 3, 1) + dt.timedelta(days=random.randint(0, 200000)),
        lambda: dt.datetime(1950, 1, 1) + dt.timedelta(milliseconds=random.randint(0, 6 * 10**12)),
        lambda: "".join(random.choice("ab c,\"\n\t';üñ漢😀+-0.1") for _ in range(random.randint(1, 12))),
        lambda: random.random() < 0.5,
    ]
    for row in range(count):
        chosen = makers + [random.choice(makers + [number]) for _ in range(5)]
        yield [row] + [maker() if random.random() < 0.86 else None for maker in chosen] + [number()]


def random_tables():
    random.seed(46)
    heads = ["h%d" % column for column in range(13)]
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Random"
    sheet.append(heads)
    for row in random_rows(60):
        sheet.append(row)
        for cell in sheet[sheet.max_row]:
            if isinstance(cell.value, str):
                cell.data_type = "s"
    book.save(here / "random-openpyxl.xlsx")
    book = xlsxwriter.Workbook(str(here / "random-xlsxwriter.xlsx"))
    date = book.add_format({"num_format": "dd/mm/yy hh:mm"})
    sheet = book.add_worksheet("Random")
    sheet.write_row(0, 0, heads)
    for number, row in enumerate(random_rows(60)):
        for column, value in enumerate(row):
            if isinstance(value, bool):
                sheet.write_boolean(number + 1, column, value)
            elif isinstance(value, str):
                sheet.write_string(number + 1, column, value)
            elif isinstance(value, dt.datetime):
                sheet.write_datetime(number + 1, column, value, date)
            elif value is not None:
                sheet.write_number(number + 1, column, value)
    book.close()


def cell_of(value):
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return {"boolean": value}
    if isinstance(value, (int, float)):
        return {"number": repr(value)}
    if isinstance(value, dt.datetime):
        return {"time": value.isoformat(sep=" ", timespec="milliseconds" if value.microsecond else "seconds")}
    if isinstance(value, dt.date):
        return {"time": value.isoformat() + " 00:00:00"}
    if isinstance(value, dt.time):
        return {"clock": value.isoformat()}
    if isinstance(value, dt.timedelta):
        seconds = round(value.total_seconds())
        return {"clock": "%02d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60)}
    text = str(value)
    return None if text in ["#N/A", "#DIV/0!"] else {"text": text}


def expected():
    found = {}
    for path in sorted(here.glob("*.xlsx")):
        book = openpyxl.load_workbook(path, data_only=True, rich_text=False)
        for sheet in book.worksheets:
            rows = [[cell_of(cell) for cell in row] for row in sheet.iter_rows(values_only=True)]
            found["%s/%s" % (path.stem, sheet.title)] = [row for row in rows if any(row)]
    return found


for make in [types, heads, epoch_1904, other_writer, random_tables]:
    make()
tables = ["%s: %s" % (json.dumps(name), json.dumps(rows, ensure_ascii=False)) for name, rows in expected().items()]
(here / "expected.json").write_text("{\n" + ",\n".join(tables) + "\n}\n")
