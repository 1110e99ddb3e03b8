import type { StepReport } from '../../../protocol/import-progress.ts';
import type { LoadResult, Pull } from '../connectors/connector.ts';
import type { CompiledQuery } from '../query/compiled-query.ts';
import { quoteIdentifier } from '../query/quote.ts';
import type { BuildDatabase } from '../store/duckdb-store.ts';
import type { StagedRelationship } from './build/correlations.ts';
import { type StagedElement, stagedElement } from './build/staged-element.ts';
import { checkTimeColumns } from './check-time-columns.ts';
import { type KeptRows, reusingPull } from './kept-rows.ts';
import { multiplicationWarning } from './multiplied-rows.ts';
import { QueryFailure } from './query-failure.ts';
import type { ImportJob } from './run-import.ts';

/** All that a plan asks for, staged. */
export interface PulledPlan {
  readonly elements: readonly StagedElement[];
  readonly relationships: readonly StagedRelationship[];
  readonly pulls: readonly { readonly name: string; readonly sourceRows: number; readonly stagedRows: number }[];
  readonly warnings: readonly string[];
  readonly steps: readonly StepReport[];
}

/** Pulls the rows of every element and the pairs of every relationship in one snapshot of the source, but those that are kept and the same. */
export async function pullPlan(
  staging: BuildDatabase,
  job: ImportJob,
  keptRows: KeptRows | undefined,
): Promise<PulledPlan> {
  const { connector, plan, signal, progress, slice } = job;
  progress.report('data pull', 'Connecting to the data source');
  const queries = [...plan.elements, ...plan.relationships].map(({ query }) => query);
  const opened = await connector.openPull(staging, {
    signal,
    queries,
    ...slice,
    ...(job.isFull === true && { isFull: true }),
  });
  const pull = keptRows ? reusingPull(opened, keptRows, job.run.versions) : opened;
  const tasks = plan.elements.length + plan.relationships.length;
  const warnings = new Set<string>();
  const pulls: { name: string; sourceRows: number; stagedRows: number }[] = [];
  const steps: StepReport[] = [];

  const load = async (name: string, query: CompiledQuery, table: string, sample?: number): Promise<LoadResult> => {
    const done = pulls.length / tasks;
    progress.report('data pull', name, done, 0);
    const started = performance.now();
    const onRows = throttled((rows) => progress.report('data pull', name, done, rows));
    const options = { signal, onRows, ...(sample === undefined ? {} : { sample }) };
    const loaded = await pull.load(query, table, options).catch((error: unknown) => {
      throw new QueryFailure(error, query, name);
    });
    for (const warning of loaded.warnings) warnings.add(warning);
    const [row] = await staging.query(`SELECT count(*) AS rows FROM ${quoteIdentifier(table)}`);
    pulls.push({ name, sourceRows: loaded.sourceRows, stagedRows: Number(row?.['rows']) });
    const durationMs = Math.round(performance.now() - started);
    const { sourceRows, isUnchanged = false } = loaded;
    steps.push({ name: table, durationMs, rows: sourceRows, ...(isUnchanged && { isUnchanged }) });
    progress.report('data pull', isUnchanged ? `${name}: unchanged` : name, pulls.length / tasks, sourceRows);
    return loaded;
  };

  try {
    for (const element of plan.elements) {
      checkTimeColumns(element, await columnsOf(pull, element.query, element.activityName, signal));
    }
    const loadTable = (query: CompiledQuery, table: string) => pull.load(query, table, { signal });
    const elements: StagedElement[] = [];
    for (const element of plan.elements) {
      const loaded = await load(element.activityName, element.query, element.table, slice.sample);
      elements.push(stagedElement(element, loaded));
      // A sample cannot be compared with the whole.
      if (slice.sample !== undefined) continue;
      const warning = await multiplicationWarning(staging, loadTable, elements.at(-1), signal);
      if (warning !== undefined) warnings.add(warning);
    }
    const relationships: StagedRelationship[] = [];
    for (const relationship of plan.relationships) {
      const loaded = await load(relationship.name, relationship.query, relationship.table);
      relationships.push({ plan: relationship, loaded });
    }
    return { elements, relationships, pulls, warnings: [...warnings], steps };
  } finally {
    await pull.close();
  }
}

async function columnsOf(pull: Pull, query: CompiledQuery, name: string, signal: AbortSignal) {
  return pull.columnsOf(query, { signal }).catch((error: unknown) => {
    throw new QueryFailure(error, query, name);
  });
}

/** At most five reports a second: more cannot be seen. */
function throttled(report: (rows: number) => void): (rows: number) => void {
  let next = 0;
  return (rows) => {
    const now = performance.now();
    if (now < next) return;
    next = now + 200;
    report(rows);
  };
}
