import assert from 'node:assert/strict';
import type { LogFileConfig } from '../../../server/src/connectors/log-file/log-file-settings.ts';
import { logFileError } from '../../../server/src/connectors/log-file/log-file-error.ts';
import { queryError } from '../../../server/src/connectors/embedded/query-error.ts';
import type { SourceError } from '../../../server/src/connectors/source-error.ts';
import { DuckDbError, readDuckDbError } from '../../../server/src/store/duckdb-errors.ts';

const errorOf = (exception_type: string, exception_message: string): Error =>
  new Error(JSON.stringify({ exception_type, exception_message }));

describe('errors of DuckDB › a full disk', () => {
  for (const message of [
    'Could not write all bytes to file "x.tmp": No space left on device',
    'failed to offload data block\nThis limit was set by the max_temp_directory_size setting.',
  ]) {
    it(`is ${message.slice(0, 24)}…`, () => {
      assert.equal(readDuckDbError(errorOf('IO', message)).kind, 'disk-full');
    });
  }
  it('is not reported if memory was the limit, although DuckDB mentions disks', () => {
    for (const message of [
      "could not allocate block of size 256.0 KiB (95.3 MiB/95.3 MiB used)\nDatabase is launched in in-memory mode and no temporary directory is specified.\nUnused blocks cannot be offloaded to disk.\n\nLaunch the database with a persistent storage back-end\nOr set SET temp_directory='/path/to/tmp.tmp'",
      "failed to pin block of size 256.0 KiB (95.3 MiB/95.3 MiB used)\n\nPossible solutions:\n* Reducing the number of threads (SET threads=X)\n* Increasing the memory limit (SET memory_limit='...GB')",
    ]) {
      const error = new DuckDbError(readDuckDbError(errorOf('Out of Memory', message)), undefined);
      assert.equal(error.failure.kind, 'out-of-memory');
      const { code, details } = queryError(error, {}, undefined);
      assert.deepEqual(
        [code, details.remedy],
        ['source-failed', 'Close other programs, or filter the rows with where.'],
      );
      const file = { name: 'logs', file: '/data/log.xes' } as LogFileConfig;
      const ofLog = logFileError(file, error) as SourceError;
      assert.deepEqual(
        [ofLog.code, ofLog.details.remedy],
        ['source-failed', 'Close other programs, or use a machine with more memory.'],
      );
    }
  });
  it('is not reported for a value with the same words', () => {
    const conversion = `Could not convert string 'File too large' to INT32`;
    assert.equal(readDuckDbError(errorOf('Conversion', conversion)).kind, 'type-mismatch');
    const csv =
      'CSV Error on Line: 2\nOriginal Line: 7,No space left on device\nExpected Number of Columns: 1 Found: 2';
    assert.equal(readDuckDbError(errorOf('Invalid Input', csv)).kind, 'file-malformed');
  });
});

describe('errors of DuckDB › a field that no object has', () => {
  const message = 'Could not find key "gone" in struct\n\nCandidate Entries: "created", "state"';
  const failureIn = (sql: string) => readDuckDbError(errorOf('Binder', message), sql);

  it('is a missing column with the names that there are, at its place, which DuckDB does not tell', () => {
    for (const name of ['gone', 'GONE', '"gone"']) {
      const sql = `SELECT é.id FROM logs AS é WHERE é.fields.${name} = 'gone'`;
      const { kind, name: field, candidates, position } = failureIn(sql);
      assert.deepEqual([kind, field, candidates], ['column-missing', 'gone', ['created', 'state']]);
      assert.equal(position, sql.indexOf(`.${name}`) + 1);
    }
    const { code, message: said, details } = queryError(new DuckDbError(failureIn('')), {}, undefined);
    assert.deepEqual(
      [code, said, details.remedy],
      ['column-missing', 'An object of the data has no field "gone".', 'There is: created, state.'],
    );
  });

  it('has no place where several could be meant', () => {
    assert.equal(failureIn('SELECT a.gone FROM a WHERE a.fields.gone = 1').position, undefined);
    assert.equal(failureIn('SELECT a.gone_by FROM a').position, undefined);
  });
});
