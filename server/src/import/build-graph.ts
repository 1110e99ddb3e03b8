import type { ElementCounts, StepReport } from '../../../protocol/import-progress.ts';
import type { Connector } from '../connectors/connector.ts';
import type { BuildDialect } from './build/build-dialect.ts';
import { type BuildStep, compileBuild } from './build/compile-build.ts';
import { type StagedRelationship, mayCorrelateTwice } from './build/correlations.ts';
import { type RowCounts, noTimeSql, rowCountsSql } from './build/row-counts.ts';
import { rowsTable } from './build/rows.ts';
import type { StagedElement } from './build/staged-element.ts';
import type { TimePlace } from './build/utc-time.ts';
import type { QueriedDatabase } from './checks.ts';
import { ImportError } from './import-error.ts';
import type { ProgressReporter } from './progress.ts';
import type { ImportSlice } from './run-import.ts';
import { rowWarnings } from './row-warnings.ts';

/** The database in which a graph is built: DuckDB, or a session of the source. */
export interface BuildSession extends QueriedDatabase {
  /** Resolves to the rows that the statement has made, where the database says so at no cost. */
  run(sql: string, options?: { readonly signal?: AbortSignal }): Promise<unknown>;
}

interface BuildWork {
  readonly dialect: BuildDialect;
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
  readonly steps: readonly StepReport[];
}

/** Builds the tables of the graph from staged rows. Rejects with an `ImportError` or the database's own error. */
export async function buildGraph(staging: BuildSession, work: BuildWork): Promise<BuiltGraph> {
  const { elements, relationships, progress, signal, slice } = work;
  const { since } = slice;
  const { hasRowOrder } = work.connector;
  const plan = compileBuild({ ...work, hasRowOrder, ...(since === undefined ? {} : { since }) });
  for (const element of elements) {
    progress.report('graph build', `Times of ${element.plan.activityName}`);
    await refuseTextThatIsNoTime(staging, element, work);
  }
  const steps: StepReport[] = [];
  for (const [index, step] of plan.entries()) {
    progress.report('graph build', step.title, index / plan.length);
    steps.push(await runStep(staging, step, signal));
  }
  return { ...(await countElements(staging, work)), mayCorrelateTwice: mayCorrelateTwice(relationships), steps };
}

/** Runs a statement of a plan and says how long it took. Rejects with the database's own error. */
export async function runStep(
  staging: BuildSession,
  { name, sql, table }: BuildStep,
  signal: AbortSignal,
): Promise<StepReport> {
  const started = performance.now();
  const made = await staging.run(sql, { signal });
  const durationMs = Math.round(performance.now() - started);
  if (table === undefined) return { name, durationMs };
  if (typeof made === 'number') return { name, durationMs, rows: made };
  const [row] = await staging.query(`SELECT count(*) AS rows FROM ${table}`, { signal });
  return { name, durationMs, rows: Number(row?.['rows'] ?? 0) };
}

async function countElements(
  staging: BuildSession,
  work: BuildWork,
): Promise<Omit<BuiltGraph, 'mayCorrelateTwice' | 'steps'>> {
  const { elements, signal } = work;
  const events = await staging.query(
    'SELECT element, count(*) AS events, count(*) FILTER (WHERE change) AS changes FROM ranked GROUP BY 1',
    { signal },
  );
  const counts: ElementCounts[] = [];
  const warnings: string[] = [];
  let expectedEvents = 0;
  for (const element of elements) {
    const { plan, rows } = element;
    const found = (await staging.query(rowCountsSql(element, work), { signal }))[0] ?? {};
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
      entities: await countEntities(staging, element, work),
      rowsWithoutStart: rowCounts.withoutStart,
      rowsWithoutKey: rowCounts.withoutKey,
    });
  }
  return { elements: counts, expectedEvents, warnings };
}

/** An element that has its entity type for itself need not be counted again. */
async function countEntities(
  staging: BuildSession,
  element: StagedElement,
  { elements: all, dialect, signal }: BuildWork,
): Promise<number> {
  const { entityType } = element.plan;
  const alone = all.every((other) => other === element || other.plan.entityType !== entityType);
  const onlyType = all.every((other) => other.plan.entityType === entityType);
  const sql =
    alone && onlyType
      ? `SELECT count(*) AS entities FROM ${dialect.graph}.entity`
      : `SELECT count(DISTINCT key) AS entities FROM ${rowsTable(element)}`;
  const [row] = await staging.query(sql, { signal });
  return Number(row?.['entities'] ?? 0);
}

async function refuseTextThatIsNoTime(
  staging: BuildSession,
  element: StagedElement,
  place: TimePlace & Pick<BuildWork, 'signal'>,
): Promise<void> {
  for (const role of ['start', 'change'] as const) {
    const sql = noTimeSql(element, role, place);
    const [row] = sql === undefined ? [] : await staging.query(sql, { signal: place.signal });
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
