import assert from 'node:assert/strict';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { fileQuery, withCsvFiles } from '../support/csv-source.ts';

const query = fileQuery('SELECT i, length(t) AS n FROM a', ['a']);

/** The identifiers and lengths of the texts of a file `a`, as staged by an import and as shown by a preview. */
async function lengthsOf(text: string): Promise<readonly (readonly unknown[])[]> {
  return withCsvFiles({ 'a.csv': text }, {}, (connector) =>
    withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      await pull.load(query, 'staged', {});
      await pull.close();
      const { rows } = await staging.table('SELECT * FROM staged WHERE c2 > 10 ORDER BY rowid');
      const shown = await connector.preview(fileQuery('SELECT i, length(t) AS n FROM a WHERE length(t) > 10', ['a']), {
        limit: rows.length + 1,
      });
      assert.deepEqual(shown.rows, rows);
      return rows;
    }),
  );
}

const short = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `${from + index},"word"\n`).join('');

describe('CSV › values of several megabytes', () => {
  it('are read in the first lines of a file', async () => {
    const text = `i,t\n1,x\n2,${'x'.repeat(5_000_000)}\n3,x\n`;
    assert.deepEqual(await lengthsOf(text), [['2', '5000000']]);
  });

  it('are read behind the lines that types are recognised from', async () => {
    const text = `i,t\n${short(1, 110_000)}110001,"${'y\n'.repeat(1_500_000)}"\n${short(110_002, 10)}`;
    assert.deepEqual(await lengthsOf(text), [['110001', '3000000']]);
  });

  it('are read in a file that mixes line ends', async () => {
    const text = `i,t\r\n1,"x"\r\n2,"${'x'.repeat(3_000_000)}"\n3,"x"\r\n`;
    assert.deepEqual(await lengthsOf(text), [['2', '3000000']]);
  });

  const faults = [
    ['a line longer than 16 MB', `i,t\n1,x\n2,${'x'.repeat(17_000_000)}\n`, /longer than 16 MB/],
    [
      'a quote that is never closed',
      `i,t\n${short(1, 10)}11,"${'z,\n'.repeat(600_000)}`,
      /a quote that is never closed/,
    ],
  ] as const;
  for (const [title, text, message] of faults) {
    it(`${title} is an error with its line`, async () => {
      const failed = await lengthsOf(text).catch((error: unknown) => error);
      assert.ok(isSourceError(failed));
      assert.match(failed.message, message);
      assert.match(failed.message, /^a\.csv, line \d+: /);
    });
  }
});
