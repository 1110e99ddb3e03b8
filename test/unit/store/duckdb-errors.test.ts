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
