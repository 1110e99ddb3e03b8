import assert from 'node:assert/strict';
import { buildElementQuery } from '../../../server/src/query/build-query.ts';
import type { ElementQuery } from '../../../server/src/query/compiled-query.ts';
import { jointQuery } from '../../../server/src/query/joint-query.ts';
import { type PlainElement, catalogOf, graphOf } from './graph-fixture.ts';
import { caseObjects } from './query-cases.ts';

const open: PlainElement = {
  activityName: 'Open',
  dataObject: 'incident',
  key: ['sys_id'],
  startTimestamp: 'opened_at',
  where: "state = 'open' -- only these",
};

function queryOf(element: PlainElement): ElementQuery {
  const { graph } = graphOf([{ ...open, ...element }]);
  const built = buildElementQuery(graph, graph.elements[0]!, catalogOf('postgresql', caseObjects));
  assert.ok('query' in built, JSON.stringify(built));
  return built.query;
}

describe('jointQuery', () => {
  it('reads the rows of several conditions, and all of their columns, once', () => {
    const queries = [
      queryOf({}),
      queryOf({ key: ['state'], where: "state = 'closed'" }),
      queryOf({ properties: ['state'] }),
    ];
    const joint = jointQuery(queries);
    assert.equal(
      `\n${joint?.query.sql}`,
      `
SELECT
  "incident"."sys_id" AS "sys_id",
  "incident"."opened_at" AS "opened_at",
  "incident"."state" AS "state",
  (
CASE WHEN (
state = 'open' -- only these
) THEN 1 ELSE 0 END
) AS "in_1",
  (
CASE WHEN (
state = 'closed'
) THEN 1 ELSE 0 END
) AS "in_2",
  (
CASE WHEN (
state = 'open' -- only these
) THEN 1 ELSE 0 END
) AS "in_3"
FROM "public"."incident" AS "incident"
WHERE (
(
state = 'open' -- only these
) OR (
state = 'closed'
)
)`,
    );
    assert.deepEqual(
      joint?.parts.map(({ of, columns, flag }) => [queries.findIndex((each) => each === of), columns, flag]),
      [
        [0, [0, 1], 3],
        [1, [2, 1], 4],
        [2, [0, 1, 2], 5],
      ],
    );
  });

  it('reads all rows where one query has no condition', () => {
    const { where: _, ...all } = open;
    const { graph } = graphOf([all]);
    const built = buildElementQuery(graph, graph.elements[0]!, catalogOf('postgresql', caseObjects));
    assert.ok('query' in built);
    const sql = jointQuery([queryOf({}), built.query])?.query.sql ?? '';
    assert.doesNotMatch(sql, /WHERE/);
    assert.match(sql, /\(\n1\n\) AS "in_2"/);
  });

  it('is none for other joins or another data object', () => {
    assert.equal(jointQuery([queryOf({}), queryOf({ joins: 'JOIN sys_user u ON true' })]), undefined);
    assert.equal(jointQuery([queryOf({}), queryOf({ dataObject: 'problem', where: '1 = 1' })]), undefined);
    assert.equal(jointQuery([queryOf({})]), undefined);
  });
});
