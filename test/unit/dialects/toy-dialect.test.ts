import assert from 'node:assert/strict';
import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import type { StagedColumn } from '../../../server/src/connectors/connector.ts';
import type { Dialect } from '../../../server/src/dialects/dialect.ts';
import { dialectNamed, isDialectName, addDialect } from '../../../server/src/dialects/index.ts';
import { sourceBuildDialect } from '../../../server/src/import/build/build-dialect.ts';
import { compileBuild } from '../../../server/src/import/build/compile-build.ts';
import { elementCountsStep, eventCountsStep, noTimeStep } from '../../../server/src/import/build/count-steps.ts';
import { runStep } from '../../../server/src/import/build/run-record.ts';
import { stagedElement } from '../../../server/src/import/build/staged-element.ts';
import { timeRangeStep } from '../../../server/src/import/checks.ts';
import { baseRowsStep } from '../../../server/src/import/multiplied-rows.ts';
import { planImport } from '../../../server/src/import/plan-import.ts';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { sqlRoles } from '../../../server/src/language/sql/sql-roles.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { resultNames } from '../../../server/src/query/result-names.ts';
import { withCursor } from '../language/marked-text.ts';
import { graphOf } from '../query/graph-fixture.ts';
import { catalog as shopCatalog } from '../language/shop-catalog.ts';
import { toyDialect } from './toy-dialect.ts';

describe('a dialect defined by this test', () => {
  const catalog: Catalog = { ...shopCatalog, kind: 'toy', dialect: 'toy' };
  let unregister = (): void => undefined;

  before(() => {
    unregister = addDialect(toyDialect);
  });
  after(() => unregister());

  it('is found by name while registered', () => {
    assert.equal(dialectNamed('toy'), toyDialect);
    unregister();
    assert.equal(isDialectName('toy'), false);
    assert.throws(() => dialectNamed('toy'), /There is no SQL dialect "toy"/);
    unregister = addDialect(toyDialect);
  });

  it('cannot use the name of another dialect', () => {
    assert.throws(() => addDialect(toyDialect), /There is an SQL dialect toy already/);
    assert.throws(() => addDialect({ ...toyDialect, name: 'duckdb' }), /There is an SQL dialect duckdb already/);
    assert.equal(dialectNamed('duckdb').label, 'DuckDB');
  });

  it('does not compile with a missing member', () => {
    const { literals, ...rest } = toyDialect;
    // @ts-expect-error -- the compiler refuses a dialect without literals.
    const incomplete: Dialect = rest;
    assert.ok(literals && incomplete);
  });

  it('prints the queries of a plan', () => {
    const { graph } = graphOf(
      [
        { activityName: 'Order', dataObject: 'orders', startTimestamp: 'placed_at', properties: [] },
        { activityName: 'Join', dataObject: 'customers', key: ['id'], startTimestamp: 'since', properties: [] },
      ],
      [{ source: 'Join', target: 'Order', mappings: [['id', '!=', 'customer_id'], 'cross.x = 1'] }],
    );
    const planned = planImport(graph, catalog);
    assert.ok('plan' in planned, JSON.stringify(planned));
    const [order] = planned.plan.elements;
    const [related] = planned.plan.relationships;
    assert.equal(
      order?.query.sql,
      'SELECT\n  [orders].[id] AS [id],\n  [orders].[placed_at] AS [placed_at]\nFROM [public].[orders] AS [orders]',
    );
    assert.equal(order.query.dialect, 'toy');
    assert.match(related?.query.sql ?? '', /\) AS \[source\]\nJOIN \(/);
    assert.match(related?.query.sql ?? '', /\[source\]\.\[id\] # \[target\]\.\[customer_id\] \/toy\n/);
    assert.match(related?.query.sql ?? '', /\(\n\[cross\]\.x = 1\n\)/);
  });

  it('prints the statements of a build', () => {
    const { graph } = graphOf([
      { activityName: "It's", dataObject: 'orders', startTimestamp: 'placed_at', properties: [] },
    ]);
    const planned = planImport(graph, catalog);
    assert.ok('plan' in planned, JSON.stringify(planned));
    const [plan] = planned.plan.elements;
    assert.ok(plan);
    const columns: readonly StagedColumn[] = [
      { name: 'id', type: 'INT', sense: 'integer', stagedAs: 'c1', stagedType: 'INT' },
      { name: 'placed_at', type: 'TEXT', sense: 'text', stagedAs: 'c2', stagedType: 'TEXT' },
    ];
    const dialect = sourceBuildDialect('toy', ['ekg']);
    const element = stagedElement(plan, { sourceRows: 0, columns, warnings: [] });
    const place = { dialect, timeZone: 'Europe/Berlin' };
    const since = '2024-01-01T00:00:00.000Z';
    const steps = compileBuild({
      ...place,
      elements: [element],
      entities: [],
      relationships: [],
      paths: [],
      hasRowOrder: false,
      since,
    });
    const sql = Object.fromEntries(steps.map((step) => [step.name, step.sql]));
    assert.equal(
      sql['rows_1'],
      'CREATE TOY TABLE rows_1 AS SELECT rowid AS [row], canonical(c1) of INT AS key, ' +
        '(CASE WHEN has_offset(c2) THEN CASE WHEN finite(zoned_text(c2)) THEN zoned_text(c2) END ' +
        'ELSE zoned(CASE WHEN finite(naive_text(c2)) THEN naive_text(c2) END, Europe/Berlin) END) AS start FROM [element_1]',
    );
    assert.match(sql['entity'] ?? '', /^CREATE TABLE \[ekg\]\.entity AS[^]*ORDER BY entity_type BY CHARACTER/);
    assert.match(sql['entity'] ?? '', /text\(N'orders'\) AS entity_type/);
    assert.match(sql['ties_1'] ?? '', /ORDER BY row\(canonical\(c1\) of INT, canonical\(c2\) of TEXT\) BY CHARACTER/);
    assert.match(sql['ties_1'] ?? '', /SELECT staged\.rowid AS \[row\], dense_rank/);
    assert.match(sql['ranked'] ?? '', /LEFT JOIN ties_1 AS ties ON ties\.\[row\] = rows\.\[row\]/);
    assert.match(sql['ranked'] ?? '', /WHERE time >= utc\(2024-01-01T00:00:00\.000Z\)$/);
    assert.match(sql['event'] ?? '', /element_at\(list\(N'It''s'\), element\) AS element/);
    assert.match(sql['properties_1'] ?? '', /JOIN \[element_1\] AS staged ON staged\.rowid = ranked\.\[row\]/);
    for (const table of ['process_map', 'process_map_activity', 'process_map_path'])
      assert.equal(sql[table], undefined);
    const asked = [
      noTimeStep(element, place),
      eventCountsStep(dialect),
      elementCountsStep(element, { elements: [element], entities: [] }, place),
      timeRangeStep(dialect, new Date(0)),
      runStep(dialect),
    ];
    const texts = [...steps, ...asked.flatMap((step) => step?.statements ?? [])].map((each) => each.sql).join('\n');
    assert.doesNotMatch(texts, /"|\bFILTER\b|\bARRAY\b|::|CREATE TEMP|TIMESTAMPTZ|AS JSON/);
    assert.match(texts, /count_if\(key IS NULL\) AS \[withoutKey\],/);
    assert.match(texts, /count_if\(phase > 0\) AS further/);
    assert.match(texts, /json\(N'\{\}'\) AS counts/);
  });

  it('prints the statements that count rows multiplied by joins', () => {
    const joins = 'JOIN lines ON true';
    const { graph } = graphOf([
      { activityName: 'A', dataObject: 'orders', startTimestamp: 'placed_at', properties: [], joins },
      {
        activityName: 'B',
        dataObject: 'orders',
        key: ['customer_id'],
        startTimestamp: 'placed_at',
        properties: [],
        joins,
      },
    ]);
    const planned = planImport(graph, catalog);
    assert.ok('plan' in planned, JSON.stringify(planned));
    const columns: readonly StagedColumn[] = ['c1', 'c2'].map((stagedAs) => ({
      ...{ name: stagedAs, type: 'TEXT', sense: 'text', stagedAs, stagedType: 'TEXT' },
    }));
    const [own, asked] = planned.plan.elements.map((plan) =>
      baseRowsStep(stagedElement(plan, { sourceRows: 0, columns, warnings: [] }), {
        dialect: sourceBuildDialect('toy', ['ekg']),
        timeZone: 'UTC',
      }),
    );
    const isEvent = /WHERE \(CASE WHEN has_offset\(c2\) .*\) IS NOT NULL AND c1 IS NOT NULL$/;
    const [ownSql = '', askedSql = ''] = [own?.sql, asked?.sql];
    assert.ok(ownSql.startsWith('SELECT count_distinct(c1) AS rows, count(*) AS made FROM [element_1] WHERE '), ownSql);
    assert.ok(
      askedSql.startsWith(
        'SELECT (SELECT c1 FROM [element_2_identity]) AS rows, count(*) AS made FROM [element_2] WHERE ',
      ),
      askedSql,
    );
    for (const sql of [ownSql, askedSql]) assert.match(sql, isEvent);
    assert.match(asked?.query?.sql ?? '', /^SELECT count\(\*\) AS \[rows\] FROM \(SELECT DISTINCT \[id\] FROM/);
  });

  it('shortens and distinguishes result column names', () => {
    assert.deepEqual(resultNames(['a long name indeed', 'A LONG NAME INTO', 'b', 'B'], 'toy'), [
      'a long name ',
      'A LONG NAM~2',
      'b',
      'B~2',
    ]);
  });

  it('completion offers its functions, words and quoted names', () => {
    const { text, offset } = withCursor('elements:\n  - dataObject: orders\n    where: <|>\n');
    const proposals = completeEntityGraph({ parsed: parseEntityGraph(text), catalog }, offset);
    const labels = proposals.map(({ label }) => label);
    for (const label of ['toy_function', 'TOYWORD', '[placed_at]', 'lower']) assert.ok(labels.includes(label), label);
    assert.ok(!labels.includes('OVERLAPS') && !labels.includes('GLOB'));
    assert.deepEqual(
      sqlRoles('TOYWORD').map(({ role }) => role),
      ['keyword'],
    );
  });

  it('quick fixes quote similar names in its way', () => {
    const text =
      'version: 1\ndataSource: shop\nelements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n    where: |\n      plced_at = 1\n';
    const problems = validateEntityGraph({
      text,
      parsed: parseEntityGraph(text),
      catalog,
      sqlValidator: ({ statement, tables }) =>
        tables
          ? [
              {
                kind: 'column',
                position: statement.indexOf('plced_at'),
                name: 'plced_at',
                candidates: ['placed_at'],
              },
            ]
          : [],
    });
    const found = problems.find(({ code }) => code === 'unknown-column');
    assert.deepEqual(found?.suggestions, ['[placed_at]'], JSON.stringify(problems));
  });
});
