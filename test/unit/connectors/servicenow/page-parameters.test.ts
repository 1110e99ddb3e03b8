import assert from 'node:assert/strict';
import { pageParameters } from '../../../../server/src/connectors/servicenow/records/page-parameters.ts';

const many = Array.from({ length: 300 }, (_, index) => `u_column_${index}`);

/** One row per fields of a read: the requested ones, undefined for all. */
const cases: readonly (readonly [what: string, fields: readonly string[], named: readonly string[] | undefined])[] = [
  ['few', ['number'], ['sys_id', 'number']],
  ['the key itself', ['number', 'sys_id'], ['sys_id', 'number']],
  ['more than fit into an address', many, undefined],
  ['many, some behind references', [...many, 'caller_id.name'], ['sys_id', ...many, 'caller_id.name']],
];

describe('page parameters', () => {
  for (const [what, fields, named] of cases) {
    it(`contain the field names: ${what}`, () => {
      const read = { table: 'incident', branches: [], fields, displayValue: 'false', pageSize: 10 } as const;
      assert.deepEqual(pageParameters(read, { limit: 10 }).fields, named);
    });
  }
});
