import assert from 'node:assert/strict';
import { type CellValue, cellText, isNumericType, nullsText } from '../../../../webview/src/results-grid/cell-text.ts';
import { cellMarks, nextMarked } from '../../../../webview/src/results-grid/cell-marks.ts';
import { columnWidth, columnWidths } from '../../../../webview/src/results-grid/column-widths.ts';
import { formatRows, tabSeparated } from '../../../../webview/src/results-grid/format-rows.ts';
import { moveCell } from '../../../../webview/src/results-grid/move-cell.ts';
import { headerRow } from '../../../../webview/src/results-grid/cell.ts';
import { isSelected, selectedBlock } from '../../../../webview/src/results-grid/selection.ts';
import { displayedText, shownCharacters, shownText } from '../../../../webview/src/ui/shown-text.ts';
import { nextSort, sortedOrder } from '../../../../webview/src/results-grid/sort-rows.ts';
import { visibleColumns } from '../../../../webview/src/results-grid/visible-columns.ts';
import { scrollToSee, visibleRows } from '../../../../webview/src/ui/visible-rows.ts';
import { plainTextMetrics } from '../plain-text-metrics.ts';

describe('result cells', () => {
  const texts: readonly (readonly [CellValue, string])[] = [
    [null, 'NULL'],
    ['', ''],
    ['NULL', 'NULL'],
    [0, '0'],
    [1.5, '1.5'],
    [false, 'false'],
  ];
  for (const [value, text] of texts) {
    it(`${JSON.stringify(value)} is shown as ${JSON.stringify(text)}`, () => assert.equal(cellText(value), text));
  }

  it('numeric types are recognised', () => {
    const types =
      'integer bigint int4 UBIGINT numeric(10,2) double precision real text timestamp interval boolean int4[]';
    const numeric = ['integer', 'bigint', 'int4', 'UBIGINT', 'numeric(10,2)', 'double precision', 'real'];
    const all = types
      .replace('double precision', 'double_precision')
      .split(' ')
      .map((type) => type.replace('_', ' '));
    assert.deepEqual(all.filter(isNumericType), numeric);
  });

  it('null counts are shown in words', () => {
    const words = [0, 1, 1234, 2000].map((nulls) => nullsText(nulls, 2000));
    assert.deepEqual(words, ['no nulls', '1 null', '1,234 nulls', 'all null']);
  });

  it('columns are as wide as their widest text, within limits', () => {
    const columns = ['id', 'a_rather_long_column', 'note'].map((name) => ({ name, type: 'text', nulls: 0 }));
    const rows = [[1, 'x', 'y'.repeat(500)]];
    const result = { columns, rows, truncated: false, durationMs: 1, warnings: [] };
    assert.deepEqual(columnWidths(result, plainTextMetrics), [123, 194, 320]);
    assert.ok(columnWidth(result, 2, plainTextMetrics) > 3000);
  });

  it('only the visible part of a long text is measured', () => {
    const widthOf = (characters: number): number =>
      columnWidth(
        {
          columns: [{ name: 'note', type: 'text', nulls: 0 }],
          rows: [['y'.repeat(characters)]],
          truncated: false,
          durationMs: 1,
          warnings: [],
        },
        0,
        plainTextMetrics,
      );
    assert.ok(widthOf(100) < widthOf(shownCharacters));
    assert.equal(widthOf(1_000_000), widthOf(shownCharacters));
  });
});

describe('text in result cells', () => {
  /** Marks are between ‹ and ›. */
  const looks: readonly (readonly [text: string, looks: string])[] = [
    ['plain text', 'plain text'],
    ['', ''],
    ['\uFEFFlead', '‹U+FEFF›lead'],
    ['  both ends ', '‹··›both ends‹·›'],
    ['   ', '‹···›'],
    ['one\r\ntwo\nthree', 'one‹↵›two‹↵›three'],
    ['lone\rreturn', 'lone‹␍›return'],
    ['a\tb', 'a‹→›b'],
    ['bell\u0007null\u0000', 'bell‹␇›null‹␀›'],
    ['del\u007f c1\u0085', 'del‹␡› c1‹U+0085›'],
    ['1\u00a0000', '1‹U+00A0›000'],
    ['zero\u200bwidth', 'zero‹U+200B›width'],
    ['\u202egnp.exe', '‹U+202E›gnp.exe'],
    // Emoji and some scripts contain joiners and surrogates.
    ['👩\u200d🚀 می\u200cخواهم', '👩\u200d🚀 می\u200cخواهم'],
  ];
  for (const [text, expected] of looks) {
    it(`${JSON.stringify(text)} is shown as ${expected}`, () => {
      const { parts, left } = shownText(text);
      const drawn = parts.map((part) => (part.kind === 'text' ? part.text : `‹${part.mark}›`)).join('');
      assert.deepEqual([drawn, left, parts.map((part) => part.text).join('')], [expected, 0, text]);
      assert.equal(displayedText(text), expected.replaceAll(/[‹›]/g, ''));
    });
  }

  it('a long text is cut, never within a character', () => {
    const all = (text: string) =>
      shownText(text)
        .parts.map((part) => part.text)
        .join('');
    assert.deepEqual([all('x'.repeat(5000)).length, shownText('x'.repeat(5000)).left], [shownCharacters, 4000]);
    const halved = `${'x'.repeat(shownCharacters - 1)}👩${'x'.repeat(10)}`;
    assert.deepEqual([all(halved), shownText(halved).left], ['x'.repeat(shownCharacters - 1), 12]);
    const blank = `x${' '.repeat(shownCharacters)}y`;
    assert.deepEqual(shownText(blank).parts, [{ kind: 'text', text: `x${' '.repeat(shownCharacters - 1)}` }]);
  });
});

describe('visible columns', () => {
  const widths = Array.from({ length: 500 }, () => 100);
  const ends = (columns: readonly number[]) => [columns[0], columns.at(-1), columns.length];

  it('include some more on each side', () => {
    assert.deepEqual(ends(visibleColumns(widths, 0, 900, 0)), [0, 12, 13]);
    assert.deepEqual(ends(visibleColumns(widths, 20_000, 900, 200)), [196, 212, 17]);
    assert.deepEqual(ends(visibleColumns(widths, 49_100, 900, 499)), [487, 499, 13]);
  });

  it('include the active one, which has the focus', () => {
    assert.deepEqual(ends(visibleColumns(widths, 20_000, 900, 3)), [3, 212, 18]);
    assert.deepEqual(ends(visibleColumns(widths, 0, 900, 400)), [0, 400, 14]);
    assert.deepEqual(visibleColumns([], 0, 900, 0), []);
  });
});

describe('navigation between cell marks', () => {
  const marks = cellMarks({
    marks: [
      { row: 2, column: 1, severity: 'error', message: 'No number.' },
      { row: 0, column: 0, severity: 'warning', message: 'No key.' },
    ],
  });
  /** Indexes of rows from first to last, the current one, and that of the next mark. */
  const ways: readonly (readonly [
    order: readonly number[],
    from: readonly [number, number],
    to: readonly [number, number],
  ])[] = [
    [
      [0, 1, 2],
      [0, 0],
      [2, 1],
    ],
    [
      [0, 1, 2],
      [2, 1],
      [0, 0],
    ],
    [
      [0, 1, 2],
      [-1, 1],
      [0, 0],
    ],
    [
      [2, 1, 0],
      [0, 0],
      [0, 1],
    ],
    [
      [2, 1, 0],
      [2, 1],
      [0, 1],
    ],
  ];
  for (const [order, [row, column], to] of ways) {
    it(`goes from ${row}:${column} to ${to.join(':')} with rows in order ${order.join(', ')}`, () => {
      const next = nextMarked(marks, order, 2, { row, column });
      assert.deepEqual([next?.row, next?.column], to);
    });
  }

  it('does nothing without marks, and stays on the only one', () => {
    assert.equal(nextMarked(cellMarks({}), [0, 1], 2, { row: 0, column: 0 }), undefined);
    const one = cellMarks({ marks: [{ row: 0, column: 1, severity: 'error', message: 'x' }] });
    assert.deepEqual(nextMarked(one, [0], 2, { row: 0, column: 1 }), { row: 0, column: 1 });
  });
});

describe('grid keyboard navigation', () => {
  const size = { rows: 100, columns: 5, page: 10 };
  const from = { row: 50, column: 2 };
  const keys: readonly (readonly [
    key: string,
    ctrl: boolean,
    to: readonly [row: number, column: number] | undefined,
  ])[] = [
    ['ArrowUp', false, [49, 2]],
    ['ArrowDown', false, [51, 2]],
    ['ArrowLeft', false, [50, 1]],
    ['ArrowRight', false, [50, 3]],
    ['ArrowUp', true, [0, 2]],
    ['ArrowDown', true, [99, 2]],
    ['ArrowLeft', true, [50, 0]],
    ['ArrowRight', true, [50, 4]],
    ['Home', false, [50, 0]],
    ['End', false, [50, 4]],
    ['Home', true, [0, 0]],
    ['End', true, [99, 4]],
    ['PageUp', false, [40, 2]],
    ['PageDown', false, [60, 2]],
    ['a', false, undefined],
  ];
  for (const [key, ctrl, to] of keys) {
    it(`${ctrl ? 'Ctrl+' : ''}${key} goes to ${to?.join(', ') ?? 'no other cell'}`, () => {
      assert.deepEqual(moveCell(from, key, ctrl, size), to && { row: to[0], column: to[1] });
    });
  }

  it('stays inside the grid', () => {
    const corners = ['ArrowLeft', 'PageUp'].map((key) => moveCell({ row: 0, column: 0 }, key, false, size));
    assert.deepEqual(corners, Array(2).fill({ row: 0, column: 0 }));
    assert.deepEqual(moveCell({ row: 0, column: 3 }, 'ArrowUp', false, size), { row: headerRow, column: 3 });
    assert.deepEqual(moveCell({ row: headerRow, column: 3 }, 'ArrowUp', false, size), { row: headerRow, column: 3 });
    assert.deepEqual(moveCell({ row: headerRow, column: 3 }, 'ArrowDown', false, size), { row: 0, column: 3 });
    const ends = ['ArrowDown', 'ArrowRight', 'PageDown'].map((key) =>
      moveCell({ row: 99, column: 4 }, key, false, size),
    );
    assert.deepEqual(ends, Array(3).fill({ row: 99, column: 4 }));
  });
});

describe('visible rows', () => {
  const ends = (rows: readonly number[]) => [rows[0], rows.at(-1), rows.length];

  it('include ten more on each side', () => {
    assert.deepEqual(ends(visibleRows(10_000, 0, 220, 0)), [0, 19, 20]);
    assert.deepEqual(ends(visibleRows(10_000, 22_000, 220, 1000)), [990, 1019, 30]);
    assert.deepEqual(ends(visibleRows(10_000, 219_780, 220, 9999)), [9980, 9999, 20]);
    assert.deepEqual(visibleRows(0, 0, 220, 0), []);
  });

  it('include the active one at any position', () => {
    assert.deepEqual(ends(visibleRows(10_000, 22_000, 220, 3)), [3, 1019, 31]);
    assert.deepEqual(ends(visibleRows(10_000, 0, 220, 5000)), [0, 5000, 21]);
  });

  it('scroll only as far as needed', () => {
    const view = { scroll: 100, length: 240, covered: 40 };
    const scrolls = [100, 60, 280, 290, 900].map((start) => scrollToSee({ start, length: 20 }, view));
    assert.deepEqual(scrolls, [100, 60, 100, 110, 720]);
  });
});

describe('row sorting', () => {
  const orderOf = (type: string, values: readonly CellValue[], descending = false): readonly CellValue[] => {
    const result = {
      columns: [{ name: 'c', type, nulls: 0 }],
      rows: values.map((value) => [value]),
      truncated: false,
      durationMs: 1,
      warnings: [],
    };
    return sortedOrder(result, { column: 0, descending }).map((place) => values[place] ?? null);
  };
  const cases: readonly (readonly [type: string, values: readonly CellValue[], sorted: readonly CellValue[]])[] = [
    ['integer', [10, 9, null, -1], [-1, 9, 10, null]],
    [
      'bigint',
      ['9007199254740993', '9007199254740992', '10', '9'],
      ['9', '10', '9007199254740992', '9007199254740993'],
    ],
    ['numeric(10,2)', ['10.5', '9.25', '-3'], ['-3', '9.25', '10.5']],
    ['double', ['NaN', 2, 'Infinity', null, 'n/a', 10], [2, 10, 'Infinity', 'NaN', 'n/a', null]],
    ['text', ['b', 'a', '', null, 'B'], ['', 'B', 'a', 'b', null]],
    ['boolean', [true, false, null], [false, true, null]],
    [
      'timestamp',
      ['2026-01-02T00:00:00.000000Z', '2025-01-02T00:00:00.000000Z'],
      ['2025-01-02T00:00:00.000000Z', '2026-01-02T00:00:00.000000Z'],
    ],
  ];
  for (const [type, values, sorted] of cases) {
    it(`supports ${type}`, () => assert.deepEqual(orderOf(type, values), sorted));
  }

  it('puts missing values last in both directions, and is stable', () => {
    assert.deepEqual(orderOf('integer', [1, null, 3, 2], true), [3, 2, 1, null]);
    const result = {
      columns: [{ name: 'c', type: 'text', nulls: 0 }],
      rows: [['b'], ['a'], ['b'], ['a']],
      truncated: false,
      durationMs: 1,
      warnings: [],
    };
    assert.deepEqual(sortedOrder(result, { column: 0, descending: false }), [1, 3, 0, 2]);
  });

  it('cycles through ascending, descending and unsorted', () => {
    const up = nextSort(undefined, 2);
    const down = nextSort(up, 2);
    assert.deepEqual(
      [up, down, nextSort(down, 2), nextSort(down, 1)],
      [{ column: 2, descending: false }, { column: 2, descending: true }, undefined, { column: 1, descending: false }],
    );
  });
});

describe('copied and exported rows', () => {
  const names = ['id', 'note', 'note'];
  const rows: readonly (readonly CellValue[])[] = [
    [1, 'a,"b"', null],
    [2, 'line\none', ''],
    [3, 'pipe | here', true],
  ];
  it('CSV distinguishes a missing value from an empty text', () => {
    assert.equal(
      formatRows('csv', names, rows),
      'id,note,note\r\n1,"a,""b""",\r\n2,"line\none",""\r\n3,pipe | here,true\r\n',
    );
  });
  it('CSV for spreadsheets contains no executable formula in cells and headers', () => {
    const cells = [
      [-1, '=1+1'],
      ['-1.5', '+a,"b"'],
      [null, ''],
    ];
    assert.equal(
      formatRows('spreadsheet', ['=id', 'note'], cells),
      `'=id,note\r\n-1,'=1+1\r\n-1.5,"'+a,""b"""\r\n,""\r\n`,
    );
  });
  it('JSON keeps both of two columns with one name', () => {
    assert.deepEqual(JSON.parse(formatRows('json', names, rows)), [
      { id: 1, note: 'a,"b"', note_2: null },
      { id: 2, note: 'line\none', note_2: '' },
      { id: 3, note: 'pipe | here', note_2: true },
    ]);
  });
  it('Markdown stays a table with plain text', () => {
    assert.equal(
      formatRows('markdown', ['a|b'], [['<b>x</b> \\ y\rz\r\nend']]),
      '| a\\|b |\n| --- |\n| \\<b\\>x\\</b\\> \\\\ y<br>z<br>end |\n',
    );
    assert.equal(
      formatRows('markdown', names, rows),
      '| id | note | note |\n| --- | --- | --- |\n| 1 | a,"b" | NULL |\n| 2 | line<br>one |  |\n| 3 | pipe \\| here | true |\n',
    );
  });
  it('the clipboard format is readable by spreadsheets without loss', () => {
    assert.equal(tabSeparated(rows.slice(0, 2)), '1\ta,"b"\tNULL\n2\t"line\none"\t');
    assert.equal(tabSeparated([['"quoted"', 'tab\there', '\uFEFFlead']]), '"""quoted"""\t"tab\there"\t\uFEFFlead');
  });
});

describe('selected block', () => {
  it('extends in both directions from its start', () => {
    const block = selectedBlock({ row: 5, column: 3 }, { row: 2, column: 4 });
    assert.deepEqual(block, { top: 2, bottom: 5, left: 3, right: 4 });
    assert.deepEqual(
      [isSelected(block, { row: 3, column: 3 }), isSelected(block, { row: 1, column: 3 })],
      [true, false],
    );
  });
});
