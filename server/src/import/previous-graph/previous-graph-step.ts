import { duckdbBuild } from '../build/build-dialect.ts';
import type { BuildSource } from '../build/build-source.ts';
import { mayHaveTies } from '../build/events.ts';
import type { StatementsStep } from '../build/plan-statement.ts';
import { graphShape, rowsTable } from '../build/rows.ts';
import { cachedName } from '../row-cache/row-cache-tables.ts';
import {
  countStartsSql,
  countTiesSql,
  createRankedViewSql,
  createRowViewsSql,
  createStartsSql,
  updateValuesSql,
} from './changed-properties.ts';
import { countChangedPairsSql } from './compared-pairs.ts';
import {
  addedTable,
  changedTable,
  comparedElement,
  comparedMasterData,
  comparedPairs,
  countChangedSql,
  createChangedSql,
  createNoneAddedSql,
  findChangedSql,
  separateAddedSql,
} from './compared-rows.ts';
import {
  attachCopySql,
  attachGraphSql,
  blocksOfCopySql,
  closeCopySql,
  detachGraphSql,
  dropRewrittenSql,
  readTablesSql,
  runOfCopySql,
} from './graph-copy.ts';
import { newRowsQuestions, newRowsStatements } from './new-rows-plan.ts';
import { dropScratchSql, scratchRelationsSql } from './scratch-relations.ts';

export const previousGraphName = 'previous_graph';

/** Uses the graph of the previous import, for a plan. */
export function previousGraphStep(source: BuildSource): StatementsStep {
  const { elements, entities, relationships } = source;
  const shape = graphShape(elements, { ...source, dialect: duckdbBuild });
  const rows = [
    ...elements.map((element) => comparedElement(element, source.hasRowOrder)),
    ...entities.map(({ plan, columns }) => comparedMasterData(plan, columns)),
  ];
  const pairs = relationships.map(({ plan, loaded }) => comparedPairs(plan, loaded.columns));
  const title = (what: string, each: { readonly name: string }): string => `${what}: ${each.name}`;
  const views = createRowViewsSql(elements, shape).map((sql, index) => ({
    title: title('The rows that are counted later', { name: elements[index]?.plan.activityName ?? '' }),
    sql,
  }));
  const oldRows = elements.flatMap((element) => [
    { title: 'Where another element has new rows', sql: createNoneAddedSql(element.plan.table) },
    ...createRowViewsSql([element], shape, () => true).map((sql) => ({ title: 'Rows without the new ones', sql })),
  ]);
  const compared = [
    ...rows.flatMap((each) => [
      { title: title('Where rows were read again, those that have changed', each), sql: createChangedSql(each) },
      { title: title('The same, of each range of rows', each), sql: findChangedSql(each, cachedName(each.table), {}) },
      { title: title('Their number', each), sql: countChangedSql(each) },
      ...separateAddedSql(each).map((sql) => ({ title: title('Those that are new', each), sql })),
    ]),
    ...pairs.map((each) => ({
      title: title('Where pairs were read again, those that there are more or fewer of', each),
      sql: countChangedPairsSql(each, cachedName(each.table)),
    })),
  ];
  const written = elements.flatMap((element) => {
    const updates = updateValuesSql(element, shape, new Set(element.properties.map(({ stagedAs }) => stagedAs)));
    if (updates.length === 0) return [];
    const name = { name: element.plan.activityName };
    return [
      ...createStartsSql(element, shape).map((sql) => ({ title: title('Events of changed rows', name), sql })),
      { title: title('Whether all of them were found', name), sql: countStartsSql(element) },
      ...updates.map((sql) => ({ title: title('Changed values, only in columns that have any', name), sql })),
    ];
  });
  const ties = elements
    .filter((element) => mayHaveTies(element, shape))
    .map((element) => ({
      title: title('Changed rows whose text orders equal events', { name: element.plan.activityName }),
      sql: countTiesSql(element, shape),
    }));
  const scratch = [
    ...rows.flatMap(({ table }) => [
      { kind: 'TABLE', name: changedTable(table) } as const,
      { kind: 'TABLE', name: addedTable(table) } as const,
    ]),
    ...elements.map((element) => ({ kind: 'VIEW', name: rowsTable(element) }) as const),
  ];
  return {
    name: previousGraphName,
    title:
      'If nothing but values of properties has changed since the previous import, and rows are new, its graph is used again instead of statements that follow',
    statements: [
      { title: 'What there is before', sql: scratchRelationsSql },
      ...compared,
      ...views,
      ...oldRows,
      ...ties,
      ...scratch.map((each) => ({ title: 'Dropped, if the graph is built anew', sql: dropScratchSql(each) })),
      { title: 'A copy of the graph, beside the empty store', sql: attachCopySql() },
      { title: 'Whose graph it is', sql: runOfCopySql },
      { title: 'How much of its file is in use', sql: blocksOfCopySql },
      ...newRowsQuestions(source),
      ...readTablesSql(source).map(({ name, sql }) => ({ title: `Whether all of it can be read: ${name}`, sql })),
      ...written,
      ...dropRewrittenSql.map((sql) => ({ title: 'What is written anew', sql })),
      ...newRowsStatements(source),
      ...closeCopySql.map((sql) => ({ title: 'The copy is complete', sql })),
      { title: 'It takes the place of the empty store', sql: detachGraphSql },
      { title: 'The graph', sql: attachGraphSql() },
      { title: 'The events that are counted later', sql: createRankedViewSql(elements, shape) },
    ],
  };
}
