import assert from 'node:assert/strict';
import type { CompiledQuery } from '../../../server/src/query/compiled-query.ts';
import { codePointsToUtf16, fragmentAtFault, mapErrorPosition } from '../../../server/src/query/map-error-position.ts';
import { buildElementQuery, buildRelationshipQuery } from '../../../server/src/query/build-query.ts';
import { catalogOf, graphOf } from './graph-fixture.ts';
import { caseObjects } from './query-cases.ts';

describe('mapErrorPosition', () => {
  const { graph, text } = graphOf(
    [
      {
        activityName: 'A',
        dataObject: 'incident',
        startTimestamp: 'opened_at',
        joins: 'JOIN sys_user AS u ON\n',
        where: `größe😀 = "Two Words" AND x ~~ 'a b' AND`,
      },
    ],
    [{ source: 'A', target: 'A', mappings: [['problem_id', 'sys_id'], 'cross.a = source.nope'] }],
  );
  const catalog = catalogOf('postgresql', caseObjects);
  const element = compiled(buildElementQuery(graph, graph.elements[0] ?? assert.fail(), catalog));
  const relationship = compiled(buildRelationshipQuery(graph, graph.relationships[0] ?? assert.fail(), catalog));
  const placed = (query: CompiledQuery, at: string, shift = 0) => {
    const found = query.sql.indexOf(at);
    assert.ok(found >= 0);
    const range = mapErrorPosition(query, found + shift);
    return range && text.slice(range.start, range.end);
  };

  const cases: readonly (readonly [string, string | undefined, string | undefined])[] = [
    ['a word', placed(element, 'größe'), 'größe'],
    ['the middle of a word', placed(element, 'größe', 2), 'öße'],
    ['a quoted name', placed(element, '"Two Words"'), '"Two Words"'],
    ['a literal', placed(element, "'a b'"), "'a b'"],
    ['an operator', placed(element, '~~'), '~~'],
    ['what follows a filter that ends too early', placed(element, '\n)', 1), 'AND'],
    ['what follows joins that end too early', placed(element, 'WHERE'), 'ON'],
    ['a column of the model', placed(element, '"incident"."opened_at"'), 'opened_at'],
    ['a data object', placed(element, '"public"'), 'incident'],
    ['text of our own', placed(element, 'SELECT'), undefined],
    ['an operator of a mapping', placed(relationship, '= "target"'), 'problem_id sys_id'],
    ['the quoted alias of an expression', placed(relationship, '"cross"'), 'cross'],
    ['an expression', placed(relationship, 'source.nope', 7), 'nope'],
  ];
  for (const [title, found, expected] of cases) it(`maps ${title}`, () => assert.equal(found, expected));

  it('maps the end of the text, and nothing outside', () => {
    const { graph, text } = graphOf([
      { activityName: 'A', dataObject: 'incident', startTimestamp: 'state', joins: 'JOIN x ON' },
    ]);
    const query = compiled(buildElementQuery(graph, graph.elements[0] ?? assert.fail(), catalog));
    const range = mapErrorPosition(query, query.sql.length);
    assert.equal(range && text.slice(range.start, range.end), 'ON');
    assert.equal(mapErrorPosition(query, -1), undefined);
  });

  it('maps through escapes and folded lines', () => {
    // "a \"b c\"" in the YAML: each quote takes two characters there.
    const source = {
      value: 'a "b c" d',
      range: { start: 0, end: 13 },
      sourceOffsets: [1, 2, 3, 5, 6, 7, 8, 10, 11, 12],
    };
    const query = { ...element, sql: 'x a "b c" d', fragments: [{ offset: 2, source }], references: [] };
    assert.deepEqual(mapErrorPosition(query, 4), { start: 3, end: 10 });
    assert.deepEqual(mapErrorPosition(query, 10), { start: 11, end: 12 });
  });

  it('counts code points like PostgreSQL', () => {
    assert.deepEqual(
      [1, 2, 3, 4, 99].map((position) => codePointsToUtf16('a😀b', position)),
      [0, 1, 3, 4, 4],
    );
  });
});

function compiled<Query extends CompiledQuery>(
  result: { readonly query: Query } | { readonly problems: unknown },
): Query {
  assert.ok('query' in result, JSON.stringify(result));
  return result.query;
}

describe('fragmentAtFault', () => {
  const fragment = (offset: number, value: string, start: number) => ({
    offset,
    source: { value, sourceOffsets: [], range: { start, end: start + value.length } },
  });
  const query = { fragments: [fragment(10, 'JOIN b', 100), fragment(30, '(x > 1', 200)] };

  it('an error in generated text comes from the custom SQL before it', () => {
    assert.deepEqual(fragmentAtFault(query, 50), { start: 200, end: 206 });
    assert.deepEqual(fragmentAtFault(query, 20), { start: 100, end: 106 });
    assert.equal(fragmentAtFault(query, 5), undefined);
  });

  it('an error without a position comes from the only custom SQL, if there is one', () => {
    assert.deepEqual(fragmentAtFault({ fragments: query.fragments.slice(1) }, undefined), { start: 200, end: 206 });
    assert.equal(fragmentAtFault(query, undefined), undefined);
    assert.equal(fragmentAtFault({ fragments: [] }, undefined), undefined);
  });
});
