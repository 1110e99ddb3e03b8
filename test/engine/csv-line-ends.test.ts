import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { type CsvSourceOptions, fileQuery, withCsvFiles } from '../support/csv-source.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

const query = fileQuery('SELECT * FROM a', ['a']);

/** The rows of the file `a`, as staged by an import and as shown by a preview. */
async function rowsOf(files: Files, options: CsvSourceOptions = {}): Promise<unknown> {
  return withCsvFiles(files, options, (connector) =>
    withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      await pull.load(query, 'staged', {});
      await pull.close();
      const staged = await staging.table('SELECT COLUMNS(*)::VARCHAR FROM staged ORDER BY rowid');
      const { rows } = await connector.preview(query, { limit: staged.rows.length });
      const shown = rows.map((row) => row.map((cell) => (cell === null ? null : String(cell))));
      assert.deepEqual(shown, staged.rows);
      return staged.rows;
    }),
  );
}

const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

/** One row per file with mixed line ends, and its rows. */
const mixed: readonly (readonly [title: string, files: Files, rows: unknown])[] = [
  ['LF, then CR LF', { 'a.csv': 'i,t\n1,x\r\n2,y\n3,z\r\n' }, [['1', 'x'], ['2', 'y'], ['3', 'z']]], // prettier-ignore
  ['CR LF, then LF', { 'a.csv': 'i,t\r\n1,x\r\n2,y\n' }, [['1', 'x'], ['2', 'y']]], // prettier-ignore
  ['quoted fields', { 'a.csv': 'i,t\n1,"x"\r\n2,"y"\n' }, [['1', 'x'], ['2', 'y']]], // prettier-ignore
  [
    'line ends in quotes stay unchanged',
    { 'a.csv': 'i,t\r\n1,"a\r\nb"\n2,"c\nd"\r\n3,"e\rf"\n4,"g""\r\n,""h"\r\n' },
    [['1', 'a\r\nb'], ['2', 'c\nd'], ['3', 'e\rf'], ['4', 'g"\r\n,"h']], // prettier-ignore
  ],
  ['empty lines', { 'a.csv': 'i,t\n\r\n1,x\r\n\n2,y\n' }, [['1', 'x'], ['2', 'y']]], // prettier-ignore
  ['compressed', { 'a.csv.gz': gzipSync('i,t\n1,"x"\r\n2,y\n') }, [['1', 'x'], ['2', 'y']]], // prettier-ignore
  ['UTF-16', { 'a.csv': utf16('i,t\n1,"é"\r\n2,y\n') }, [['1', 'é'], ['2', 'y']]], // prettier-ignore
  ['windows-1252', { 'a.csv': Buffer.from('i,t\n1,"é"\r\n2,y\n', 'latin1') }, [['1', 'é'], ['2', 'y']]], // prettier-ignore
  ['behind a byte order mark', { 'a.csv': '\ufeff"i",t\n1,"x"\r\n2,y\n' }, [['1', 'x'], ['2', 'y']]], // prettier-ignore
];

describe('CSV line endings', () => {
  for (const [title, files, rows] of mixed) {
    it(`LF and CRLF may be mixed in one file › ${title}`, async () => assert.deepEqual(await rowsOf(files), rows));
  }

  it('may change late in a file', async () => {
    const lines = (from: number): readonly string[] =>
      Array.from({ length: 110_000 }, (_, index) => `${from + index},"t"`);
    const text = `i,t\n${lines(0).join('\n')}\n${lines(110_000).join('\r\n')}\r\n`;
    await withCsvFiles({ 'a.csv': text }, {}, (connector) =>
      withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        await pull.load(query, 'staged', {});
        await pull.close();
        const { rows } = await staging.table(
          "SELECT count(*), count(DISTINCT c1), max(c1), bool_and(c2 = 't') FROM staged",
        );
        assert.deepEqual(rows, [['220000', '220000', '219999', true]]);
      }),
    );
  });

  it('a lone carriage return that may be a line ending or data is named as the reason of a failure', async () => {
    await assert.rejects(rowsOf({ 'a.csv': 'i,t\n1,"x"\r2,"y"\n3,z\r\n' }), (error) => {
      assert.ok(isSourceError(error), String(error));
      assert.deepEqual(
        [error.code, error.message, error.details.line],
        [
          'file-malformed',
          'a.csv, line 2: a carriage return (CR) alone, where other lines end with LF (first line 1) and CR LF (first line 4): it may end the line or belong to a value.',
          2,
        ],
      );
      assert.match(error.details.remedy ?? '', /one kind of line ends/);
      return true;
    });
  });

  it('are not named as the cause of other errors', async () => {
    await assert.rejects(
      rowsOf({ 'a.csv': 'i,t\n1,x\r\n2,"y\n3,z\n' }),
      /a\.csv, line 3: a quote that is never closed/,
    );
    await assert.rejects(
      rowsOf({ 'a.csv': 'i,t\n1,x\r\n2,y,z\n3,z\n' }),
      /a\.csv, line 3: expected 2 columns, found 3/,
    );
  });
});
