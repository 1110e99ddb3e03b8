import assert from 'node:assert/strict';
import { distinctNames } from '../../../server/src/connectors/csv/distinct-names.ts';
import { withFields } from '../../../server/src/connectors/csv/fields-by-case.ts';
import { numberedNames } from '../../../server/src/connectors/csv/format-warnings.ts';

describe('names of columns', () => {
  it('are numbered where SQL cannot tell them apart, with numbers that no other column has', () => {
    assert.deepEqual(distinctNames(['Id', 'id', 'id_1', 'ID', '', 'id_1', 'id_3']), [
      ...['Id', 'id_2', 'id_1', 'ID_4', 'column0', 'id_1_1', 'id_3'],
    ]);
  });

  it('are numbered in a moment, also thousands of equal ones', function () {
    this.timeout(5_000);
    const names = distinctNames(Array.from({ length: 16_384 }, () => 'Report'));
    assert.equal(names.at(-1), 'Report_16383');
  });

  it('that already end in numbers are searched quickly', function () {
    this.timeout(5_000);
    const type = 'VARCHAR';
    const columns = Array.from({ length: 50_000 }, (_, index) => ({ name: `Value_${index}`, type }));
    const given = [{ name: 'Id', type }, ...columns, { name: 'id_1', type }];
    const fields = withFields(given, () => false);
    assert.deepEqual(numberedNames('a.csv', fields), [
      'a.csv: Id and id differ only by case: id is called id_1, also in SQL.',
    ]);
  });
});
