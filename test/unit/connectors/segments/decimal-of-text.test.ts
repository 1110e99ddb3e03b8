import assert from 'node:assert/strict';
import { decimalOfText } from '../../../../server/src/connectors/segments/decimal-of-text.ts';
import { openScratch } from '../../../../server/src/store/duckdb-store.ts';

describe('decimals of more than 18 digits', () => {
  it('are converted to the values of a plain cast', async () => {
    const texts = [
      '0',
      '-1',
      '12.5',
      '99999999999999999.99',
      '-99999999999999999.99',
      '123456789012345678.91',
      '0.005',
    ];
    const database = await openScratch();
    try {
      for (const type of ['DECIMAL(20,2)', 'DECIMAL(38,10)', 'DECIMAL(38,2)', 'DECIMAL(19,0)', 'DECIMAL(25,5)']) {
        const values = texts.map((text) => `('${text}')`).join(', ');
        const rows = await database.query(
          `SELECT CAST(${decimalOfText('c1', type)} AS VARCHAR) AS read, CAST(CAST(c1 AS ${type}) AS VARCHAR) AS plain, typeof(${decimalOfText('c1', type)}) AS type FROM (VALUES ${values}) AS t(c1)`,
        );
        for (const { read, plain, type: found } of rows) assert.deepEqual([read, found], [plain, type]);
        assert.equal(rows.length, texts.length);
      }
    } finally {
      await database.close();
    }
  });

  it('are the only types that are converted this way', () => {
    const types = ['DECIMAL(18,2)', 'DECIMAL(38,18)', 'BIGINT', 'VARCHAR', 'DECIMAL(19,2)'];
    assert.deepEqual(
      types.map((type) => decimalOfText('c1', type) !== undefined),
      [false, false, false, false, true],
    );
  });
});
