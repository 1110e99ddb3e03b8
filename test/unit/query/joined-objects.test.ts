import assert from 'node:assert/strict';
import { joinedObjects, joinedUnder } from '../../../server/src/query/joined-objects.ts';
import { catalogOf } from './graph-fixture.ts';

describe('joinedObjects', () => {
  const objects = {
    user: { columns: [] },
    'ops.case': { path: ['ops', 'case'], columns: [] },
    'Big One': { columns: [] },
  };
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['JOIN user ON true', ['user=user'], ['user=user']],
    ['left join USER AS U ON true', ['u=user'], ['u=user']],
    ['JOIN "USER" u USING (id)', [], ['u=user']],
    ['JOIN "Big One" "B" ON true join user -- x\n u on true', ['B=Big One', 'u=user'], ['b=Big One', 'u=user']],
    ['JOIN ops.case c ON true', ['c=ops.case'], []],
    ['JOIN public.user LEFT JOIN nowhere ON true', ['user=user'], []],
    ['JOIN "ops.case" ON true', ['ops.case=ops.case'], ['ops.case=ops.case']],
    ["JOIN (SELECT 'JOIN user' AS a) AS user ON true", [], []],
    ['JOIN', [], []],
  ];
  for (const [joins, ...expected] of cases) {
    it(`parses ${joins}`, () => {
      (['postgresql', 'duckdb'] as const).forEach((dialect, index) => {
        const found = joinedObjects(joins, catalogOf(dialect, objects)).map(
          ({ alias, object }) => `${alias}=${object.name}`,
        );
        assert.deepEqual(found, expected[index], dialect);
      });
    });
  }

  for (const [joins, alias, expected] of [
    ['LEFT JOIN user AS u ON true', 'u', 'user'],
    ['JOIN user u USING (id)', 'u', 'user'],
    ['JOIN user ON (true)', 'user', 'user'],
    ['JOIN user AS u (a, b) ON true', 'u', undefined],
    ['JOIN (SELECT 1 FROM x JOIN user u ON true) AS u ON true', 'u', undefined],
    ['JOIN user u ON true JOIN "Big One" u ON true', 'u', undefined],
    ['JOIN nowhere u ON true', 'u', undefined],
  ] as const) {
    it(`columns of ${alias} in ${joins} are certain: ${expected ?? 'no'}`, () => {
      assert.equal(joinedUnder(alias, joins, catalogOf('postgresql', objects))?.name, expected);
    });
  }
});
