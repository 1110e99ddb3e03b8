import assert from 'node:assert/strict';
import { optionsOf, readFileSourceConfig } from '../../../server/src/connectors/csv/read-settings.ts';

const source = { name: 'files', timeZone: 'UTC', folder: '/x' };

/** One row per wrong setting: the settings beside `path`, and the message. */
const wrong: readonly (readonly [settings: Record<string, unknown>, message: string])[] = [
  [{ path: undefined }, 'path must be a path, a glob such as data/*.csv, or a list of them'],
  [{ path: ['a', 1] }, 'path must be a path, a glob such as data/*.csv, or a list of them'],
  [{ header: 'yes' }, 'header must be true or false'],
  [{ delimiter: '' }, 'delimiter must be one to four characters'],
  [{ quote: '""' }, 'quote must be one character, or empty for none'],
  [{ nullValues: '?' }, 'nullValues must be a list of texts'],
  [{ decimal: ';' }, 'decimal must be "." or ","'],
  [{ types: { a: 1 } }, 'types must be a mapping from columns to types'],
  [{ statementTimeout: 'soon' }, 'statementTimeout must be a duration such as 500ms, 30s or 2m'],
  [{ parts: 'a-*.csv' }, 'parts must be a mapping from data objects to the files that they consist of'],
  [
    { parts: { orders: [1] } },
    'parts.orders must be the name of a file, a pattern such as orders-*.csv, or a list of them',
  ],
  [{ files: ['a.csv'] }, 'files must be a mapping from file names to options'],
  [
    { files: { 'a.csv': { encoding: 1 } } },
    'files.a.csv.encoding must be the name of an encoding, such as utf-8 or windows-1252',
  ],
];

describe('file source settings', () => {
  it('are read, with overrides over defaults', () => {
    const config = readFileSourceConfig(source, {
      kind: 'csv',
      path: 'data/*.csv',
      nullValues: ['?'],
      delimiter: ',',
      statementTimeout: '30s',
      files: { 'trail.csv': { delimiter: ';', encoding: 'latin-1' }, 'b.csv': null },
    });
    assert.deepEqual([config.paths, config.statementTimeoutMs], [['data/*.csv'], 30_000]);
    assert.deepEqual(optionsOf(config, { path: 'trail.csv' }), {
      nullValues: ['?'],
      delimiter: ';',
      encoding: 'latin-1',
    });
    assert.deepEqual(optionsOf(config, { path: 'other.csv' }), { nullValues: ['?'], delimiter: ',' });
  });

  for (const [settings, message] of wrong) {
    it(`report: ${JSON.stringify(settings)}`, () => {
      assert.throws(() => readFileSourceConfig(source, { path: 'data/*.csv', ...settings }), {
        code: 'source-config',
        message: `Data source files: ${message}.`,
      });
    });
  }
});
