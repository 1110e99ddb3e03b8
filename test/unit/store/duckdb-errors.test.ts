import assert from 'node:assert/strict';
import { readDuckDbError } from '../../../server/src/store/duckdb-errors.ts';

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
  it('is not a value that says so', () => {
    const conversion = `Could not convert string 'File too large' to INT32`;
    assert.equal(readDuckDbError(errorOf('Conversion', conversion)).kind, 'type-mismatch');
    const csv =
      'CSV Error on Line: 2\nOriginal Line: 7,No space left on device\nExpected Number of Columns: 1 Found: 2';
    assert.equal(readDuckDbError(errorOf('Invalid Input', csv)).kind, 'file-malformed');
  });
});
