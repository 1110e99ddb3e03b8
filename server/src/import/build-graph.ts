import type { ElementCounts } from '../../../protocol/import-progress.ts';
import type { Connector } from '../connectors/connector.ts';
import type { BuildDatabase } from '../store/duckdb-store.ts';
import {
  type StagedRelationship,
  createCorrelationsSql,
  createDirectlyFollowsSql,
  createRelationsSql,
  mayCorrelateTwice,
} from './build/correlations.ts';
import { createEntitiesSql } from './build/entities.ts';
import { createEventsSql, createRankedSql, createTiesSql, mayHaveTies } from './build/events.ts';
import { createPropertiesSql } from './build/properties.ts';
import { type RowCounts, noTimeSql, rowCountsSql } from './build/row-counts.ts';
import { createRowsSql, graphShape, rowsTable } from './build/rows.ts';
import type { StagedElement } from './build/staged-element.ts';
import { createViewsSql } from './build/views.ts';
import { ImportError } from './import-error.ts';
import type { ProgressReporter } from './progress.ts';
import type { ImportSlice } from './run-import.ts';
import { rowWarnings } from './row-warnings.ts';

interface BuildInput {
  readonly elements: readonly StagedElement[];
  readonly relationships: readonly StagedRelationship[];
  readonly timeZone: string;
  readonly connector: Connector;
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
  readonly slice: ImportSlice;
}

export interface BuiltGraph {
  readonly elements: readonly ElementCounts[];
  /** Events that the rows of the source should give. */
  readonly expectedEvents: number;
  readonly mayCorrelateTwice: boolean;
  readonly warnings: readonly string[];
}

/** Builds the tables of the graph from staged rows. Rejects with an `ImportError` or the database's own error. */
export async function buildGraph(staging: BuildDatabase, input: BuildInput): Promise<BuiltGraph> {
  const { elements, relationships, timeZone, progress, signal, slice } = input;
  const shape = graphShape(elements, timeZone, input.connector.hasRowOrder);
  const steps: readonly (readonly [string, readonly string[]])[] = [
    ['Entities', [createEntitiesSql(elements)]],
    [
      'Order of events',
      elements.filter((element) => mayHaveTies(element, shape)).map((each) => createTiesSql(each, shape)),
    ],
    ['Events', [createRankedSql(elements, shape, slice.since), createEventsSql(elements, shape)]],
    ['Properties', elements.map((element) => createPropertiesSql(element, timeZone))],
    ['Relations', [createRelationsSql(relationships, timeZone)]],
    ['Correlations', [createCorrelationsSql(relationships)]],
    ['Directly-follows', [createDirectlyFollowsSql(relationships)]],
    ['Views', createViewsSql],
  ];
  const run = (sql: string): Promise<void> => staging.run(sql, { signal });

  progress.report('graph build', 'Keys and times');
  for (const element of elements) {
    await refuseTextThatIsNoTime(staging, element);
    await run(createRowsSql(element, shape));
  }
  for (const [index, [message, statements]] of steps.entries()) {
    progress.report('graph build', message, (index + 1) / (steps.length + 1));
    for (const sql of statements) await run(sql);
  }
  return { ...(await countElements(staging, input)), mayCorrelateTwice: mayCorrelateTwice(relationships) };
}

async function countElements(
  staging: BuildDatabase,
  { elements, signal }: BuildInput,
): Promise<Omit<BuiltGraph, 'mayCorrelateTwice'>> {
  const events = await staging.query(
    'SELECT element, count(*) AS events, count(*) FILTER (change) AS changes FROM ranked GROUP BY 1',
    { signal },
  );
  const counts: ElementCounts[] = [];
  const warnings: string[] = [];
  let expectedEvents = 0;
  for (const element of elements) {
    const { plan, rows } = element;
    const found = (await staging.query(rowCountsSql(element), { signal }))[0] ?? {};
    const of = (name: keyof RowCounts): number => Number(found[name] ?? 0);
    const own = events.find((row) => Number(row['element']) === plan.number);
    const rowCounts: RowCounts = {
      withoutKey: of('withoutKey'),
      withoutStart: of('withoutStart'),
      changeBeforeStart: of('changeBeforeStart'),
      infinite: of('infinite'),
      withoutActivity: of('withoutActivity'),
    };
    expectedEvents += rows - rowCounts.withoutKey - rowCounts.withoutStart + Number(own?.['changes'] ?? 0);
    warnings.push(...rowWarnings(element, rowCounts));
    counts.push({
      activityName: plan.activityName,
      rows,
      events: Number(own?.['events'] ?? 0),
      entities: await countEntities(staging, element, elements, signal),
      rowsWithoutStart: rowCounts.withoutStart,
      rowsWithoutKey: rowCounts.withoutKey,
    });
  }
  return { elements: counts, expectedEvents, warnings };
}

/** An element that has its entity type for itself need not be counted again. */
async function countEntities(
  staging: BuildDatabase,
  element: StagedElement,
  all: readonly StagedElement[],
  signal: AbortSignal,
): Promise<number> {
  const { entityType } = element.plan;
  const alone = all.every((other) => other === element || other.plan.entityType !== entityType);
  const onlyType = all.every((other) => other.plan.entityType === entityType);
  const sql =
    alone && onlyType
      ? 'SELECT count(*) AS entities FROM graph.entity'
      : `SELECT count(DISTINCT key) AS entities FROM ${rowsTable(element)}`;
  const [row] = await staging.query(sql, { signal });
  return Number(row?.['entities'] ?? 0);
}

async function refuseTextThatIsNoTime(staging: BuildDatabase, element: StagedElement): Promise<void> {
  for (const role of ['start', 'change'] as const) {
    const sql = noTimeSql(element, role);
    const [row] = sql === undefined ? [] : await staging.query(sql);
    if (!row) continue;
    const { startTimestamp, changeTimestamp } = element.plan.element;
    const column = role === 'start' ? startTimestamp : changeTimestamp;
    const message = `Row ${String(row['row'])} of "${element.plan.activityName}" has "${String(row['value'])}" in ${column?.value ?? role}, which is no timestamp.`;
    throw new ImportError('type-mismatch', message, {
      remedy: 'Choose another column, correct the data, or set timestampFormat when the source is a file.',
      ...(column ? { range: column.range } : {}),
    });
  }
}
