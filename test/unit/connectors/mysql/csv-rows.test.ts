import assert from 'node:assert/strict';
import type { ColumnSense } from '../../../../server/src/catalog/catalog.ts';
import { columnTypeOf } from '../../../../server/src/connectors/mysql/column-type.ts';
import { csvRows } from '../../../../server/src/connectors/mysql/csv-rows.ts';
import type { ResultColumn } from '../../../../server/src/connectors/mysql/result-columns.ts';

const column = (type: string): ResultColumn => {
  const columnType = columnTypeOf(type);
  const sense: ColumnSense = columnType.sense;
  return { name: type, type, sense, columnType };
};

/** A row of the text protocol, whose lengths are written in as many bytes as they need. */
function rowOf(values: readonly (string | Buffer | null)[]): Buffer {
  return Buffer.concat(
    values.map((value) => {
      if (value === null) return Buffer.of(0xfb);
      const bytes = Buffer.from(value as string);
      return Buffer.concat([lengthOf(bytes.length), bytes]);
    }),
  );
}

function lengthOf(length: number): Buffer {
  if (length < 251) return Buffer.of(length);
  if (length < 0x10000) return Buffer.of(0xfc, length & 0xff, length >> 8);
  return Buffer.of(0xfd, length & 0xff, (length >> 8) & 0xff, length >> 16);
}

function printed(types: readonly string[], values: readonly (string | Buffer | null)[]) {
  const csv = csvRows(types.map(column));
  const row = rowOf(values);
  const packet = Buffer.concat([Buffer.from('before'), row, Buffer.from('"after"')]);
  csv.add(packet, 6, row.length);
  return { text: csv.take().toString('utf8'), csv };
}

describe('rows of MySQL as CSV', () => {
  const cases: readonly (readonly [string, readonly (string | Buffer | null)[], readonly string[], string])[] = [
    ['NULL and an empty text differ', [null, ''], ['text', 'text'], ',""'],
    [
      'numbers are copied',
      ['-12.50', '18446744073709551615'],
      ['decimal(5,2)', 'bigint unsigned'],
      '-12.50,18446744073709551615',
    ],
    ['quotes are doubled', ['a"b', '"', 'x,\n'], ['text', 'text', 'text'], '"a""b","""","x,\n"'],
    ['one column has a second', [null], ['int'], ',0'],
    ['bytes are hexadecimal', [Buffer.of(0, 255), ''], ['blob', 'blob'], '"00ff",""'],
    ['bits are a number', [Buffer.of(2, 1), ''], ['bit(10)', 'bit(1)'], '513,0'],
    [
      'zero dates are NULL',
      ['2024-01-02', '0000-00-00', '2024-00-01 10:00:00'],
      ['date', 'date', 'datetime'],
      '2024-01-02,,',
    ],
    ['invalid UTF-8 is replaced', [Buffer.of(0x61, 0xff)], ['text'], '"a\uFFFD",0'],
  ];
  for (const [title, values, types, line] of cases) {
    it(title, () => assert.equal(printed(types, values).text, `${line}\n`));
  }

  it('long values are copied, with their quotes doubled', () => {
    for (const length of [64, 65, 250, 251, 70_000, 300_000]) {
      const text = 'ö"x'.repeat(length).slice(0, length);
      const { text: line, csv } = printed(['text', 'int'], [text, '1']);
      assert.equal(line, `"${text.replaceAll('"', '""')}",1\n`);
      assert.deepEqual([csv.counter.rows(), csv.counter.longestRow()], [1, Buffer.byteLength(line)]);
    }
  });

  it('zero dates are counted by column', () => {
    const csv = csvRows([column('date')]);
    for (const value of ['0000-00-00', '2024-01-01', '2024-01-00']) {
      const row = rowOf([value]);
      csv.add(row, 0, row.length);
    }
    assert.deepEqual([...csv.zeroDates], [['date', 2]]);
    assert.equal(csv.take().toString(), ',0\n2024-01-01,0\n,0\n');
    assert.equal(csv.take().length, 0);
  });
});
