import assert from 'node:assert/strict';
import { fileFormat } from '../../../server/src/connectors/csv/file-format.ts';
import { readerSql, readFileSql } from '../../../server/src/connectors/csv/read-plan.ts';

/** One row per path: the data object's name, the kind, and whether it is compressed. */
const formats: readonly (readonly [path: string, name: string, kind: string, gzip: boolean])[] = [
  ['/x/trail.csv', 'trail', 'csv', false],
  ['/x/trail.CSV.GZ', 'trail', 'csv', true],
  ['/x/trail.2020.csv.gz', 'trail.2020', 'csv', true],
  ['/x/trail.tsv', 'trail', 'csv', false],
  ['/x/trail.tsv.gz', 'trail', 'csv', true],
  ['/x/trail.parquet', 'trail', 'parquet', false],
  ['/x/trail.json', 'trail', 'json', false],
  ['/x/trail.jsonl', 'trail', 'json', false],
  ['/x/trail.ndjson', 'trail', 'json', false],
  ['/x/trail.json.gz', 'trail', 'json', true],
  ['/x/trail.jsonl.gz', 'trail', 'json', true],
  ['/x/trail.NDJSON.GZ', 'trail', 'json', true],
  ['/x/trail.txt', 'trail', 'csv', false],
  ['/x/trail', 'trail', 'csv', false],
  ['/x/.csv', '.csv', 'csv', false],
];

describe('names of data objects of files', () => {
  for (const [path, name, kind, gzip] of formats) {
    it(path, () => {
      const { objectName, format } = fileFormat(path);
      assert.deepEqual([objectName, format.kind, format.gzip], [name, kind, gzip]);
    });
  }

  it('are quoted literally in SQL', () => {
    const plan = { kind: 'parquet', columns: [] } as const;
    assert.equal(readerSql(plan, "/x/it's [1] a?*.parquet"), "read_parquet('/x/it''s [[]1] a[?][*].parquet')");
  });

  it('have no columns for names of folders', () => {
    const plan = { kind: 'parquet', columns: [] } as const;
    const expected = "read_parquet('/x/dt=1/a.parquet', hive_partitioning = false)";
    assert.equal(readerSql(plan, '/x/dt=1/a.parquet'), expected);
    assert.equal(readerSql(plan, '/x/a=1.parquet'), "read_parquet('/x/a=1.parquet')");
  });

  it('column names are quoted literally in SQL', () => {
    const columns = [{ name: `it's "x"`, type: 'TIMESTAMP' }];
    assert.equal(
      readFileSql({ kind: 'json', lines: true, isOfRecords: true, columns }, '/x/a.jsonl', {
        extraColumns: ['1 AS "y"'],
      }),
      `SELECT checked(time_without_zone("it's ""x"""), "it's ""x""", 'TIMESTAMP') AS "it's ""x""", 1 AS "y" FROM (SELECT * FROM read_json('/x/a.jsonl', format = 'newline_delimited', records = true, columns = {'it''s "x"': 'VARCHAR'}))`,
    );
  });
});
