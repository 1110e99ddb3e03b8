import assert from 'node:assert/strict';
import { areaOf, cellOf, columnLetters, rangeOf } from '../../../server/src/connectors/csv/workbook/cell-area.ts';
import { cellNumber } from '../../../server/src/connectors/csv/workbook/cell-number.ts';
import { timeFormatOf } from '../../../server/src/connectors/csv/workbook/number-format.ts';
import { serialTime } from '../../../server/src/connectors/csv/workbook/serial-time.ts';
import { unescapeText } from '../../../server/src/connectors/csv/workbook/text-escapes.ts';

describe('formats of numbers in workbooks', () => {
  const formats: readonly (readonly [code: string, kind: string | undefined])[] = [
    ['General', undefined],
    ['0.00', undefined],
    ['0.00E+00', undefined],
    ['#,##0 [$€-407]', undefined],
    ['[Red]0;[Blue]-0', undefined],
    ['0 "days"', undefined],
    ['0\\d', undefined],
    ['_d0', undefined],
    ['@', undefined],
    ['yyyy-mm-dd', 'date'],
    ['[$-407]d. mmmm yyyy;@', 'date'],
    ['mmm', 'date'],
    ['d', 'date'],
    ['[$-411]ge.m.d', 'date'],
    ['dd.mm.yyyy hh:mm', 'dateTime'],
    ['m/d/yy h:mm AM/PM', 'dateTime'],
    ['hh:mm:ss', 'time'],
    ['mm:ss.0', 'time'],
    ['h "o\'clock"', 'time'],
    ['[h]:mm', 'duration'],
    ['[mm]:ss', 'duration'],
  ];
  for (const [code, kind] of formats) {
    it(`${code} is one of ${kind ?? 'numbers'}`, () => assert.equal(timeFormatOf(code), kind));
  }
});

describe('days of workbooks', () => {
  const days: readonly (readonly [
    days: number,
    format: 'date' | 'time' | 'dateTime' | 'duration',
    text: string | undefined,
    in1904?: true,
  ])[] = [
    [1, 'date', '1900-01-01'],
    [59, 'date', '1900-02-28'],
    [60, 'date', undefined],
    [61, 'date', '1900-03-01'],
    [0, 'date', undefined],
    [-1, 'date', undefined],
    [2958465, 'date', '9999-12-31'],
    [2958466, 'date', undefined],
    [0, 'date', '1904-01-01', true],
    [60, 'date', '1904-03-01', true],
    [-1, 'date', undefined, true],
    [45292, 'dateTime', '2024-01-01 00:00:00'],
    [45292.5, 'date', '2024-01-01 12:00:00'],
    [45292.0000000116, 'dateTime', '2024-01-01 00:00:00.001'],
    [45292.999999999, 'dateTime', '2024-01-02 00:00:00'],
    [45292.0000000579, 'dateTime', '2024-01-01 00:00:00.005'],
    [45292.000005787, 'dateTime', '2024-01-01 00:00:00.5'],
    [0.4375, 'time', '10:30:00'],
    [0, 'time', '00:00:00'],
    [0.9999999999, 'time', '23:59:59.999'],
    [1.5, 'time', '1900-01-01 12:00:00'],
    [0.5, 'dateTime', undefined],
    [1.0625, 'duration', '25:30:00'],
    [-0.0625, 'duration', '-01:30:00'],
  ];
  for (const [number, format, text, in1904 = false] of days) {
    it(`${number} as ${format}${in1904 ? ' from 1904' : ''} is ${text ?? 'no day'}`, () => {
      assert.equal(serialTime(number, format, in1904)?.text, text);
    });
  }
});

describe('numbers of cells', () => {
  const numbers: readonly (readonly [written: string, text: string | undefined])[] = [
    ['5', '5'],
    ['5.0', '5'],
    ['0.1', '0.1'],
    ['1E-3', '0.001'],
    ['1E+20', '100000000000000000000'],
    // As Excel writes 1.1 and 0.1 + 0.2.
    ['1.1000000000000001', '1.1'],
    ['0.30000000000000004', '0.30000000000000004'],
    ['123456789012345.6', '123456789012345.6'],
    ['-0', '0'],
    // No double is written so.
    ['90071992547409.93', '90071992547409.93'],
    ['9007199254740993', '9007199254740993'],
    ['12345678901234567', '12345678901234567'],
    ['1.234567890123456789', '1.234567890123456789'],
    ['1e999', '1e999'],
    ['', undefined],
    ['NaN', undefined],
    ['0x10', undefined],
    ['1_000', undefined],
  ];
  for (const [written, text] of numbers) {
    it(`${written} is ${text ?? 'none'}`, () => assert.equal(cellNumber(written), text));
  }
});

describe('references of workbooks', () => {
  it('name cells and columns', () => {
    assert.deepEqual(
      [cellOf('B7'), cellOf('XFD1048576'), cellOf('XFE1'), cellOf('A0'), cellOf('7')],
      [{ row: 7, column: 1 }, { row: 1_048_576, column: 16_383 }, undefined, undefined, undefined],
    );
    assert.deepEqual([0, 25, 26, 701, 702, 16_383].map(columnLetters), ['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD']);
    assert.deepEqual(areaOf('$B:$C'), { top: 1, bottom: 1_048_576, left: 1, right: 2 });
    assert.deepEqual(areaOf('3:4'), { top: 3, bottom: 4, left: 0, right: 16_383 });
  });

  it('name a range, several, or none', () => {
    const area = { top: 1, bottom: 9, left: 0, right: 2 };
    assert.deepEqual(rangeOf("'It''s, mine'!$A$1:$C$9"), { sheet: "It's, mine", area });
    assert.deepEqual(rangeOf('Sheet1!$A$1:$C$9'), { sheet: 'Sheet1', area });
    assert.equal(rangeOf("Sheet1!$A$1:$B$2,'B, c'!$D$1"), 'several');
    for (const formula of [
      '0.19',
      'OFFSET(Sheet1!$A$1,0,0,5,2)',
      '#REF!',
      '[1]Sheet1!$A$1:$B$2',
      'Sheet1:Sheet2!$A$1',
      '"text"',
    ]) {
      assert.equal(rangeOf(formula), undefined, formula);
    }
  });
});

it('escaped characters of texts in workbooks are those characters', () => {
  assert.equal(unescapeText('a_x000D_\n_x005F_x000D_ _x00e9_ _x12_ _xD83D_'), 'a\r\n_x000D_ é _x12_ _xD83D_');
  assert.equal(unescapeText('_xD83D__xDE00_'), '😀');
});
