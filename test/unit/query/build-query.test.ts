import assert from 'node:assert/strict';
import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import type { EntityGraph } from '../../../server/src/model/entity-graph.ts';
import { buildElementQuery, buildRelationshipQuery } from '../../../server/src/query/build-query.ts';
import type { ElementQuery, QueryResult, RelationshipQuery } from '../../../server/src/query/compiled-query.ts';
import { catalogOf, graphOf, type PlainElement, type PlainObject, type PlainRelationship } from './graph-fixture.ts';
import { caseObjects, queryCases } from './query-cases.ts';

describe('buildQuery', () => {
  for (const { title, elements, relationships, sql } of queryCases) {
    for (const dialect of ['postgresql', 'duckdb', 'mysql', 'trino'] as const) {
      it(`${title} (${dialect})`, () => {
        const { graph, text } = graphOf(elements, relationships);
        const query = queryOf(lastOf(graph, catalogOf(dialect, caseObjects)));
        assert.equal(`\n${query.sql}`, sql[dialect]);
        for (const { offset, source } of query.fragments) {
          assert.equal(query.sql.slice(offset, offset + source.value.length), source.value);
          assert.equal(source.sourceOffsets.length, source.value.length + 1);
          const written =
            [...source.value].length === 0 ? '' : text.slice(source.sourceOffsets[0], source.sourceOffsets.at(-1));
          assert.equal(written, source.value);
        }
      });
    }
  }

  it('maps every name and text of the SQL to its YAML range', () => {
    const { graph, text } = graphOf(
      [
        { activityName: 'A', dataObject: 'incident', joins: 'JOIN sys_user u ON true\n' },
        { activityName: 'B', dataObject: 'problem', key: ['category'] },
      ],
      [
        {
          source: 'A',
          target: 'B',
          crossTable: {
            dataObject: 'itsm.task_ci',
            source: [['u.name', '!=', 'task']],
            target: [['ci_item', 'sys_id']],
          },
          mappings: ['cross.task = source.state'],
        },
      ],
    );
    const { sql, references, fragments } = relationshipQuery(graph, catalogOf('postgresql', caseObjects));
    const pairs = references.map(({ offset, length, range }) => [
      sql.slice(offset, offset + length),
      text.slice(range.start, range.end),
    ]);
    assert.deepEqual(pairs, [
      ['"source"."sys_id"', 'incident'],
      ['"target"."category"', 'category'],
      ['"u"."name"', 'u.name'],
      ['"public"."incident"', 'incident'],
      ['"itsm"."task_ci"', 'itsm.task_ci'],
      ['"source"."u.name"', 'u.name'],
      ['<>', 'u.name != task'],
      ['"cross"."task"', 'task'],
      ['"public"."problem"', 'problem'],
      ['"cross"."ci_item"', 'ci_item'],
      ['=', 'ci_item sys_id'],
      ['"target"."sys_id"', 'sys_id'],
      ['"cross"', 'cross'],
      ['"source"."sys_id"', 'incident'],
      ['"target"."category"', 'category'],
    ]);
    assert.deepEqual(
      fragments.map(({ source }) => source.value),
      ['JOIN sys_user u ON true', '.task = source.state'],
    );
  });

  it('returns the role of each result column', () => {
    const { graph } = graphOf([
      {
        activityName: 'Open',
        dataObject: 'incident',
        key: ['number', 'sys_id'],
        startTimestamp: 'opened_at',
        changeTimestamp: 'sys_updated_on',
        sequence: 'sys_mod_count',
        activityColumn: 'state',
        properties: ['state', 'u.name'],
        joins: 'JOIN sys_user u ON true',
      },
    ]);
    const { columns, roles, dataObjects } = elementQuery(graph, catalogOf('duckdb', caseObjects));
    assert.deepEqual(
      { columns, roles, dataObjects },
      {
        columns: ['number', 'sys_id', 'opened_at', 'sys_updated_on', 'sys_mod_count', 'state', 'u.name', '__file_row'],
        roles: {
          key: ['number', 'sys_id'],
          startTimestamp: 'opened_at',
          changeTimestamp: 'sys_updated_on',
          sequence: 'sys_mod_count',
          activityColumn: 'state',
          properties: ['state', 'u.name'],
          rowOrder: '__file_row',
        },
        dataObjects: ['incident', 'sys_user'],
      },
    );
  });

  it('names the keys of both relationship ends, and every file used by the SQL', () => {
    const { graph } = graphOf(
      [
        { activityName: 'A', dataObject: 'incident', key: ['number', 'state'] },
        { activityName: 'B', dataObject: 'problem', where: `sys_id IN (SELECT task FROM "ITSM.task_ci") -- sys_user` },
      ],
      [{ source: 'A', target: 'B', mappings: ["source.category <> 'sys_user'"] }],
    );
    const query = relationshipQuery(graph, catalogOf('duckdb', caseObjects));
    assert.deepEqual(
      [query.columns, query.sourceKey, query.targetKey, query.dataObjects],
      [
        ['source_key_1', 'source_key_2', 'target_key_1'],
        ['source_key_1', 'source_key_2'],
        ['target_key_1'],
        ['incident', 'problem', 'itsm.task_ci'],
      ],
    );
  });

  it('matches a whole name before an alias', () => {
    const objects = { t: { columns: ['u.name', 'id', 'a.b'], primaryKey: ['id'] } };
    const element = {
      ...{ activityName: 'A', dataObject: 't', startTimestamp: 'id', joins: 'JOIN x u ON true JOIN y "u.v" ON true' },
      properties: ['u.name', 'u.other', 'u.v.w', 't.a.b'],
    };
    assert.deepEqual(
      elementQuery(graphOf([element]).graph, catalogOf('postgresql', objects))
        .sql.split('\n')
        .slice(2, 6),
      [
        '  "t"."u.name" AS "u.name",',
        '  "u"."other" AS "u.other",',
        '  "u.v"."w" AS "u.v.w",',
        '  "t"."a.b" AS "t.a.b"',
      ],
    );
  });

  it('keeps result names distinct in the rules of the engine', () => {
    const long = 'x'.repeat(70);
    const objects = { t: { columns: ['id', `${long}1`, `${long}2`], primaryKey: ['id'] } };
    const [postgresql, duckdb] = (['postgresql', 'duckdb'] as const).map((dialect) => {
      const element = {
        ...{ activityName: 'A', dataObject: 't', startTimestamp: 'id', joins: 'JOIN x u ON true JOIN y "U" ON true' },
        properties: [`u.${long}1`, `u.${long}2`, 'u.name', 'U.name'],
      };
      return elementQuery(graphOf([element]).graph, catalogOf(dialect, objects)).roles.properties;
    });
    assert.deepEqual(postgresql, [`u.${'x'.repeat(61)}`, `u.${'x'.repeat(59)}~2`, 'u.name', 'U.name']);
    assert.deepEqual(duckdb, [`u.${long}1`, `u.${long}2`, 'u.name', 'U.name~2']);
  });

  it('resolves names by spelling when the catalog is incomplete', () => {
    const { graph } = graphOf([
      {
        activityName: 'A',
        dataObject: 'ops.case',
        key: ['id'],
        startTimestamp: 'at',
        properties: ['u.name'],
        joins: 'JOIN u',
      },
    ]);
    const [postgresql, duckdb] = (['postgresql', 'duckdb'] as const).map(
      (dialect) => elementQuery(graph, catalogOf(dialect, {}, false)).sql,
    );
    assert.match(postgresql ?? '', /"u"\."name" AS "u\.name"\nFROM "ops"\."case" AS "case"\nJOIN u$/);
    assert.match(duckdb ?? '', /FROM "ops\.case" AS "ops\.case"\nJOIN u$/);
  });

  it('ignores SQL that contains only comments', () => {
    const { graph } = graphOf([
      { activityName: 'A', dataObject: 'incident', startTimestamp: 'state', where: ' -- later\n', joins: '/**/' },
    ]);
    assert.match(
      elementQuery(graph, catalogOf('postgresql', caseObjects)).sql,
      /FROM "public"\."incident" AS "incident"$/,
    );
  });

  for (const { title, elements, relationships, objects, problems } of problemCases()) {
    it(`reports ${title}`, () => {
      const { graph, text } = graphOf(elements, relationships);
      const result = lastOf(graph, catalogOf('duckdb', objects ?? caseObjects));
      assert.ok('problems' in result);
      const found = result.problems.map(({ code, range }) => [code, text.slice(range.start, range.end)]);
      assert.deepEqual(found, problems);
    });
  }
});

interface ProblemCase {
  readonly title: string;
  readonly elements: readonly PlainElement[];
  readonly relationships?: readonly PlainRelationship[];
  readonly objects?: Readonly<Record<string, PlainObject>>;
  /** Code, and the text at the range. */
  readonly problems: readonly (readonly [string, string])[];
}

function problemCases(): readonly ProblemCase[] {
  const open = { activityName: 'Open', dataObject: 'incident', startTimestamp: 'opened_at' };
  const solve = { activityName: 'Solve', dataObject: 'problem', startTimestamp: 'opened_at' };
  const ends = { source: 'Open', target: 'Solve' };
  return [
    { title: 'an element without anything', elements: [{}], problems: [['element-unconfigured', 'element 0']] },
    {
      title: 'an element without start',
      elements: [{ activityName: 'Open', dataObject: 'incident' }],
      problems: [['element-unconfigured', 'Open']],
    },
    {
      title: 'an unknown data object',
      elements: [{ ...open, dataObject: 'Incident' }],
      problems: [['unknown-data-object', 'Incident']],
    },
    {
      title: 'every unknown column, wrong case and aliases that are not joined among them',
      elements: [{ ...open, startTimestamp: 'opened', properties: ['Number', 'caller.name', 'a\0b'] }],
      problems: ['opened', 'Number', 'caller.name', 'a\0b'].map((name) => ['unknown-column', name]),
    },
    {
      title: 'an unknown alias',
      elements: [{ ...open, properties: ['caler.name'], joins: 'JOIN sys_user AS caller ON true' }],
      problems: [['unknown-column', 'caler.name']],
    },
    {
      title: 'a missing key',
      elements: [{ ...open, dataObject: 'itsm.task_ci', startTimestamp: 'task' }],
      problems: [['missing-key', 'Open']],
    },
    {
      title: 'all properties of an object whose columns are unknown',
      elements: [{ ...open, key: ['id'], dataObject: 'dark', properties: 'all' }],
      objects: { dark: { columns: [] } },
      problems: [['unknown-data-object', 'all']],
    },
    {
      title: 'SQL that would close an outer parenthesis',
      elements: [{ ...open, joins: "JOIN x ON x.name = 'open", where: '1 = 1) OR (2 = 2' }],
      problems: [
        ['sql-not-contained', "'"],
        ['sql-not-contained', ')'],
      ],
    },
    {
      title: 'SQL that would start another statement',
      elements: [{ ...open, where: 'true; DROP TABLE x' }],
      problems: [['sql-not-contained', ';']],
    },
    {
      title: 'an open parenthesis',
      elements: [{ ...open, where: "f('(') AND (a" }],
      problems: [['sql-not-contained', '(']],
    },
    {
      title: 'a relationship without conditions',
      elements: [open, solve],
      relationships: [ends],
      problems: [['relationship-draft', 'relationship 0']],
    },
    {
      title: 'a relationship without ends',
      elements: [open],
      relationships: [{ name: 'r', mappings: [['a', 'b']] }],
      problems: [['relationship-draft', 'r']],
    },
    {
      title: 'ends that no element has',
      elements: [open],
      relationships: [{ source: 'Open', target: 'Solved', mappings: [['number', 'b']] }],
      problems: [['unknown-activity', 'Solved']],
    },
    {
      title: 'an end without data object',
      elements: [open, { activityName: 'Solve' }],
      relationships: [{ ...ends, mappings: [['number', 'b']] }],
      problems: [['element-unconfigured', 'Solve']],
    },
    {
      title: 'an incomplete cross table',
      elements: [open, solve],
      relationships: [{ ...ends, crossTable: { dataObject: 'itsm.task_ci', source: [['sys_id', 'task']] } }],
      problems: [['incomplete-cross-table', 'cross table']],
    },
    {
      title: 'unknown columns of mappings and cross tables',
      elements: [open, solve],
      relationships: [
        {
          ...ends,
          mappings: [['nmber', 'ptern']],
          crossTable: { dataObject: 'itsm.task_ci', source: [['id', 'tsk']], target: [['ci_item', 'sys_id']] },
        },
      ],
      problems: ['nmber', 'id', 'ptern', 'tsk'].map((name) => ['unknown-column', name]),
    },
    {
      title: 'an unknown cross table',
      elements: [open, solve],
      relationships: [
        { ...ends, crossTable: { dataObject: 'x', source: [['sys_id', 'a']], target: [['b', 'sys_id']] } },
      ],
      problems: [['unknown-data-object', 'x']],
    },
    {
      title: 'columns of different types',
      elements: [open, solve],
      relationships: [
        {
          ...ends,
          mappings: [
            ['priority', 'sys_id'],
            ['opened_at', 'opened_at'],
          ],
        },
      ],
      problems: [['type-mismatch', 'priority sys_id']],
    },
    {
      title: 'a joined column of a different type',
      elements: [{ ...open, joins: 'JOIN Task AS T ON true' }, solve],
      relationships: [{ ...ends, mappings: [['T.weight', 'sys_id']] }],
      objects: { ...caseObjects, task: { columns: [['weight', 'number']] } },
      problems: [['type-mismatch', 'T.weight sys_id']],
    },
    {
      title: 'an expression that would close an outer parenthesis, once for two ends of one element',
      elements: [{ ...open, where: 'a)' }],
      relationships: [{ source: 'Open', target: 'Open', mappings: ['true)', ['sys_id', 'sys_id']] }],
      problems: [
        ['sql-not-contained', ')'],
        ['sql-not-contained', ')'],
      ],
    },
  ];
}

function lastOf(graph: EntityGraph, catalog: Catalog): QueryResult<ElementQuery | RelationshipQuery> {
  const relationship = graph.relationships.at(-1);
  if (relationship) return buildRelationshipQuery(graph, relationship, catalog);
  const element = graph.elements.at(-1);
  assert.ok(element);
  return buildElementQuery(graph, element, catalog);
}

function queryOf<Query extends ElementQuery | RelationshipQuery>(result: QueryResult<Query>): Query {
  assert.ok('query' in result, JSON.stringify(result));
  return result.query;
}

function elementQuery(graph: EntityGraph, catalog: Catalog): ElementQuery {
  const query = queryOf(lastOf(graph, catalog));
  assert.ok(query.kind === 'element');
  return query;
}

function relationshipQuery(graph: EntityGraph, catalog: Catalog): RelationshipQuery {
  const query = queryOf(lastOf(graph, catalog));
  assert.ok(query.kind === 'relationship');
  return query;
}
