import { duckdbBuild } from '../build/build-dialect.ts';
import type { BuildSource } from '../build/build-source.ts';
import type { StatementsStep } from '../build/plan-statement.ts';
import { mayHaveTies } from '../build/events.ts';
import { graphShape, rowsTable } from '../build/rows.ts';
import type { StagedElement } from '../build/staged-element.ts';
import { attachStoreSql } from '../build/staging-steps.ts';
import { keptName } from '../row-cache.ts';
import {
  countStartsSql,
  countTiesSql,
  createRankedViewSql,
  createRowViewsSql,
  createStartsSql,
  updatePropertiesSql,
} from './changed-properties.ts';
import {
  type ComparedRows,
  changedTable,
  comparedElement,
  comparedTable,
  countChangedSql,
  createChangedSql,
  findChangedSql,
} from './compared-rows.ts';

const { graph } = duckdbBuild;

export const detachStoreSql = `DETACH ${graph}`;
/** Whose graph it is, and the rows of the tables that its steps made. */
export const runOfGraphSql = `SELECT id, CAST(steps AS VARCHAR) AS steps FROM ${graph}.run`;

/** What the import writes at its end. */
export const dropRunSql: readonly string[] = ['run', 'rule', 'rule_violation'].map(
  (table) => `DROP TABLE IF EXISTS ${graph}.${table}`,
);

export function attachLastGraphSql(store?: string): string {
  const [attach] = attachStoreSql(duckdbBuild, store);
  return attach;
}

export const lastGraphName = 'last_graph';

/** Uses the graph of the previous import, for a plan. */
export function lastGraphStep(source: BuildSource): StatementsStep {
  const { elements, entities, relationships } = source;
  const shape = graphShape(elements, { ...source, dialect: duckdbBuild });
  const compared = [
    ...elements.map((element) => comparedElement(element, source.hasRowOrder)),
    ...entities.map(({ plan, columns }) => comparedTable(plan, columns)),
    ...relationships.map(({ plan, loaded }) => comparedTable(plan, loaded.columns)),
  ];
  const title = (what: string, each: { readonly name: string }): string => `${what}: ${each.name}`;
  const views = elements.map((element, index) => ({
    title: title('The rows that are counted later', { name: element.plan.activityName }),
    sql: createRowViewsSql(elements, shape)[index] ?? '',
  }));
  const statements = compared.flatMap((each) => [
    { title: title('Where rows were read again, those that have changed', each), sql: createChangedSql(each) },
    { title: title('The same, of each range of rows', each), sql: findChangedSql(each, keptName(each.table), {}) },
    { title: title('Their number', each), sql: countChangedSql(each) },
    { title: title('They are dropped, if the graph is built anew', each), sql: dropChangedSql(each) },
  ]);
  const dropped = elements.map((element) => ({
    title: title('So is the view of rows', { name: element.plan.activityName }),
    sql: dropRowViewSql(element),
  }));
  const written = elements.flatMap((element) => {
    const update = updatePropertiesSql(element, shape);
    if (update === undefined) return [];
    const name = { name: element.plan.activityName };
    return [
      ...createStartsSql(element, shape).map((sql) => ({ title: title('Events of changed rows', name), sql })),
      ...(mayHaveTies(element, shape)
        ? [{ title: title('Those that the text of their rows orders', name), sql: countTiesSql(element, shape) }]
        : []),
      { title: title('Whether all of them were found', name), sql: countStartsSql(element) },
      { title: title('Changed values', name), sql: update },
    ];
  });
  return {
    name: lastGraphName,
    title:
      'If nothing but values of properties has changed since the previous import, its graph is used again instead of the statements that follow',
    statements: [
      ...views,
      ...statements,
      ...dropped,
      { title: 'The empty store is replaced by a copy of the last one', sql: detachStoreSql },
      { title: 'The copy', sql: attachLastGraphSql() },
      { title: 'Whose graph it is', sql: runOfGraphSql },
      { title: 'The events that are counted later', sql: createRankedViewSql(elements, shape) },
      ...written,
      ...dropRunSql.map((sql) => ({ title: 'What is written anew', sql })),
    ],
  };
}

export function dropChangedSql({ table }: Pick<ComparedRows, 'table'>): string {
  return `DROP TABLE IF EXISTS ${changedTable(table)}`;
}

export function dropRowViewSql(element: StagedElement): string {
  return `DROP VIEW IF EXISTS ${rowsTable(element)}`;
}
