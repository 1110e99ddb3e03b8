import assert from 'node:assert/strict';
import { dialectNamed } from '../../../server/src/dialects/index.ts';
import { quoteIdentifier, quoteLiteral, quotePath } from '../../../server/src/query/quote.ts';
import { buildElementQuery } from '../../../server/src/query/build-query.ts';
import { catalogOf, graphOf } from './graph-fixture.ts';

describe('quote', () => {
  const identifiers: readonly (readonly [string, string])[] = [
    ['plain', '"plain"'],
    ['Upper Case', '"Upper Case"'],
    ['a"b', '"a""b"'],
    ['"; DROP TABLE x; --', '"""; DROP TABLE x; --"'],
    ["it's", `"it's"`],
    ['back\\slash', '"back\\slash"'],
    ['größe €😀', '"größe €😀"'],
    ['select', '"select"'],
  ];
  for (const [name, expected] of identifiers) {
    it(`quotes the identifier ${name}`, () => assert.equal(quoteIdentifier(name), expected));
  }

  const literals: readonly (readonly [string, string, string])[] = [
    ['plain', "'plain'", "'plain'"],
    ["it's", "'it''s'", "'it''s'"],
    ["'; DROP TABLE x; --", "'''; DROP TABLE x; --'", "'''; DROP TABLE x; --'"],
    ['a\\b', "E'a\\\\b'", "'a\\b'"],
    ["\\'", "E'\\\\'''", "'\\'''"],
    ['', "''", "''"],
    ['line\nbreak', "'line\nbreak'", "'line\nbreak'"],
  ];
  for (const [text, postgresql, duckdb] of literals) {
    it(`quotes the literal ${JSON.stringify(text)}`, () => {
      assert.deepEqual([quoteLiteral(text, 'postgresql'), quoteLiteral(text, 'duckdb')], [postgresql, duckdb]);
    });
  }

  it('quotes each part of a path', () =>
    assert.equal(quotePath(['a.b', 'c"d'], dialectNamed('postgresql')), '"a.b"."c""d"'));

  it('rejects NUL', () => {
    assert.throws(() => quoteIdentifier('a\0b'), RangeError);
    assert.throws(() => quoteLiteral('a\0b', 'postgresql'), RangeError);
    assert.throws(() => quoteLiteral('a\0b', 'duckdb'), RangeError);
  });
});

describe('injection through names', () => {
  const hostile = '" FROM x; DROP TABLE y; --';
  for (const dialect of ['postgresql', 'duckdb'] as const) {
    it(`is prevented (${dialect})`, () => {
      const objects = { [hostile]: { path: ['s"', hostile], columns: [hostile], primaryKey: [hostile] } };
      const { graph } = graphOf([
        { activityName: 'A', dataObject: hostile, startTimestamp: hostile, properties: 'all' },
      ]);
      const [element] = graph.elements;
      assert.ok(element);
      const result = buildElementQuery(graph, element, catalogOf(dialect, objects));
      assert.ok('query' in result);
      const quoted = '""" FROM x; DROP TABLE y; --"';
      const path = dialect === 'postgresql' ? `"s"""."${quoted.slice(1)}` : quoted;
      assert.equal(result.query.sql, `SELECT\n  ${quoted}.${quoted} AS ${quoted}\nFROM ${path} AS ${quoted}`);
    });
  }
});
