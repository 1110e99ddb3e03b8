import assert from 'node:assert/strict';
import type { Column } from '../../server/src/catalog/catalog.ts';
import { createFetchedTable } from '../../server/src/connectors/fetched/fetched-table.ts';
import { withBuildDatabase } from '../support/build-database.ts';

const column = (name: string, type = 'VARCHAR'): Column => ({
  ...{ name, type, sense: type === 'BIGINT' ? 'integer' : 'text', nullable: true, primaryKey: false },
});

/** Texts that may confuse a reader of lines, CSV or JSON. */
const odd: readonly (string | null)[] = [
  ...['', ' ', '  x ', null, 'null', 'NULL', '\\N', '"', "'", '\\', '\\"', ',', ';', '\t', '#', '[["x"]]', '{"a":1}'],
  ...['\0', 'a\0b', '\\u0000', '\u0001\u001f\x7f', '\r', '\n', 'a\rb', 'a\r\nb', '\u0085', '\u2028', 'a\u2028b\u2029'],
  ...['x\ufeff', '\ufffe', '\uffff', '😀', 'e\u0301', '\\ud800', '1e400', 'true', '12345678901234567890', 'NaN'],
];

/** Lone surrogates, which UTF-8 does not allow, and the texts that arrive: their escapes. */
const halves: readonly (readonly [text: string, kept: string])[] = [
  ['\ud800', '\\ud800'],
  ['cut \ud83d', 'cut \\ud83d'],
  ['\ude00 cut', '\\ude00 cut'],
  ['\udc00\ud800😀', '\\udc00\\ud800😀'],
];

const json: readonly (readonly [text: string, kept: string])[] = [
  [JSON.stringify({ a: 'cut \ud83d' }), '{"a":"cut \\\\ud83d"}'],
  [JSON.stringify({ a: '\\ud83d' }), '{"a":"\\\\ud83d"}'],
  ['{"a":"\\ud83d\\ude00 \\uDE00"}', '{"a":"\\ud83d\\ude00 \\\\uDE00"}'],
];

/** Loads records with the texts as second cells, and returns these in order. */
async function kept(texts: readonly (string | null)[], type = 'VARCHAR'): Promise<readonly unknown[]> {
  return withBuildDatabase(async (database) => {
    const columns = [column('id', 'BIGINT'), column('text', type), column('behind')];
    const table = await createFetchedTable(database, 'notes', { dataObject: 'notes', columns, leads: true });
    const records = texts.map((text, index) => [String(index), text, `behind ${index}`]);
    for (let at = 0; at < records.length; at += 1000) await table.add(records.slice(at, at + 1000));
    await table.flush(undefined);
    const rows = await database.query('SELECT id, CAST(text AS VARCHAR) AS text, behind FROM notes ORDER BY id');
    assert.deepEqual(
      rows.map(({ id, behind }) => [id, behind]),
      texts.map((_, index) => [BigInt(index), `behind ${index}`]),
    );
    return rows.map(({ text }) => text);
  });
}

/** The same for records in pages of a hundred, as a source sends them. */
async function keptAsSent(
  records: readonly { readonly id: string; readonly text: string }[],
  damage: (text: string) => string = (text) => text,
): Promise<readonly unknown[]> {
  return withBuildDatabase(async (database) => {
    const columns = [column('id', 'BIGINT'), column('text')];
    const table = await createFetchedTable(database, 'notes', { dataObject: 'notes', columns, leads: true });
    const shape = { list: 'result', fields: ['id', 'text'] };
    for (let at = 0; at < records.length; at += 100) {
      const part = records.slice(at, at + 100);
      await table.addJson({ text: damage(JSON.stringify({ result: part })), records: part.length }, shape);
      // Others come in between.
      await table.add([]);
    }
    await table.flush(undefined);
    return (await database.query('SELECT text FROM notes ORDER BY id')).map(({ text }) => text);
  });
}

describe('texts of fetched records', () => {
  it('are preserved, including unusual characters', async () => {
    assert.deepEqual(await kept(odd), odd);
  });

  it('are preserved across many lines and segments', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `${odd[index % odd.length]} é😀\u2028`.repeat(40));
    assert.deepEqual(await kept(many), many);
  });

  it('are preserved next to very long texts', async () => {
    const long = ['short', 'é😀\u2028'.repeat(1_000_000), '', 'y'.repeat(17 * 2 ** 20), 'short'];
    assert.ok((await kept(long)).every((text, index) => text === long[index]));
  });

  it('are preserved in raw pages, where an empty text is NULL', async () => {
    const texts = Array.from({ length: 5000 }, (_, index) => `${odd[index % odd.length] ?? ''}`);
    const rows = await keptAsSent(texts.map((text, index) => ({ id: String(index), text })));
    assert.deepEqual(
      rows,
      texts.map((text) => (text === '' ? null : text)),
    );
  });

  it('a damaged page or missing records fail with an explanation', async () => {
    const damaged = { code: 'source-failed', message: /^An answer with records of notes is damaged/ };
    await assert.rejects(
      keptAsSent([{ id: '1', text: 'x' }], (text) => text.replace('"x"', '"x')),
      damaged,
    );
    await assert.rejects(
      keptAsSent([{ id: '1', text: 'x' }], (text) => text.replace('result', 'results')),
      damaged,
    );
    await assert.rejects(keptAsSent([{ id: 'one', text: 'x' }]), {
      code: 'type-mismatch',
      message: 'A record of notes has "one" in id, which is no BIGINT.',
    });
  });

  for (const [what, type, pairs] of [['texts', 'VARCHAR', halves] as const, ['JSON', 'JSON', json] as const]) {
    it(`lone surrogates are kept apart, as their escapes, in ${what}`, async () => {
      assert.deepEqual(
        await kept(
          pairs.map(([text]) => text),
          type,
        ),
        pairs.map(([, shown]) => shown),
      );
    });
  }

  /** One row per text of a type: its value, null if refused. */
  const values: readonly (readonly [type: string, text: string, value: string | null])[] = [
    ['BIGINT', '5', '5'],
    ['BIGINT', '5.0', '5'],
    ['BIGINT', '1970-01-02 00:00:01', '86401'],
    ['BIGINT', '5.5', null],
    ['BIGINT', '5e-1', null],
    ['DOUBLE', '0.1', '0.1'],
    ['DOUBLE', '1e400', null],
    ['DOUBLE', '0.30000000000000004', '0.30000000000000004'],
    ['DOUBLE', '100000000000000000.50', null],
    ['DOUBLE', '90071992547409.93', null],
    ['DOUBLE', '-1.2345678901234567890e5', '-123456.78901234567'],
    ['DECIMAL(38,18)', '1.234567890123456789', '1.234567890123456789'],
    ['VARCHAR', '1.234567890123456789', '1.234567890123456789'],
    ['DECIMAL(20,4)', '1.25000', '1.2500'],
    ['DECIMAL(20,4)', '1.00005', null],
    ['DATE', '2024-02-29', '2024-02-29'],
    ['DATE', '2024-02-29 00:00:00', '2024-02-29'],
    ['DATE', '-0043-03-15', '0044-03-15 (BC)'],
    ['DATE', '2024-02-29 10:00:00', null],
    ['DATE', '0044-03-15 BC', null],
    ['TIME', '10:00:00', '10:00:00'],
    ['TIME', '1970-01-01 10:00:00', '10:00:00'],
    ['TIME', '10:00:00.1234560', '10:00:00.123456'],
    ['TIME', '10:00:00.1234567', null],
    ['TIME', '1970-01-01 10:00:00.1234567', null],
    ['TIME', '10:00:00+02', null],
    ['TIMESTAMP', '2024-02-29 10:00:00', '2024-02-29 10:00:00'],
    ['TIMESTAMP', '2024-02-29 10:00:00.1234560', '2024-02-29 10:00:00.123456'],
    ['TIMESTAMP', '2024-02-29 10:00:00.1234567', null],
    ['TIMESTAMP', '2024-02-29 10:00:00+02', null],
    ['TIMESTAMP', '2024-02-29T10:00:00Z', null],
    ['TIMESTAMP WITH TIME ZONE', '2024-02-29 10:00:00', '2024-02-29 10:00:00+00'],
    ['TIMESTAMP WITH TIME ZONE', '2024-02-29T10:00:00.1234567Z', null],
    ['BOOLEAN', 'true', 'true'],
    ['BOOLEAN', 'maybe', null],
  ];
  for (const [type, text, value] of values) {
    it(`${text} as ${type} ${value === null ? 'is refused, naming the record' : `is ${value}`}`, async () => {
      if (value !== null) return assert.deepEqual(await kept([null, text], type), [null, value]);
      await assert.rejects(kept([null, text], type), {
        code: 'type-mismatch',
        message: `A record of notes has "${text}" in text, which is no ${type}.`,
        ...(type === 'TIMESTAMP' && { details: { remedy: 'A TIMESTAMP has no offset: declare text as TIMESTAMPTZ.' } }),
        ...(text.includes('.1234567') && {
          details: { remedy: 'Graphs have times in microseconds: declare text as VARCHAR.' },
        }),
        ...(type === 'DOUBLE' &&
          text !== '1e400' && {
            details: {
              remedy: 'A DOUBLE has fewer digits: declare text as DECIMAL, such as DECIMAL(38,18), or VARCHAR.',
            },
          }),
      });
      return undefined;
    });
  }
});
