import type { MeasureNumbers, MeasureResult } from '../../../protocol/measures.ts';
import type { CountedLimit } from '../measure-kinds/measure-sql.ts';
import {
  type CompleteMeasure,
  isCompleteMeasure,
  measuredSql,
  statisticsSql,
  unitOf,
} from '../measure-kinds/measure-sql.ts';
import { shareLimit, targetResults } from '../measure-kinds/measure-target.ts';
import { type Measure, measureValuesIn } from '../model/measure.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import type { StatementOptions } from '../store/duckdb-store.ts';
import { reasonOf, sqlMistake } from './judge-rules.ts';
import type { JudgedStore } from './judged-store.ts';

/**
 * The numbers of measures over a graph, one measure at a time. Rejects only when the graph cannot be read, or with the
 * reason of the signal.
 */
export async function measureGraphBy(
  measures: readonly Measure[],
  store: JudgedStore,
  options: StatementOptions,
): Promise<readonly MeasureResult[]> {
  if (measures.length === 0) return [];
  const graph = await store.tables(options);
  const results: MeasureResult[] = [];
  for (const measure of measures) {
    options.signal?.throwIfAborted();
    const complete = measurable(measure, graph);
    results.push(
      typeof complete === 'string'
        ? notMeasured(measure, '', complete)
        : await numbersOf(complete, numbersSql(complete, graph), graph, store, options),
    );
  }
  return results;
}

/** The statement that gives the numbers of a measure. */
export function numbersSql(measure: CompleteMeasure, graph: JudgedGraphTables): string {
  return statisticsSql(`(\n${measuredSql(measure, graph)}\n)`, graph, { limits: countedLimits(measure) });
}

/** The limits whose keepers a statement counts: that of the share in the target. */
export function countedLimits(measure: Measure): readonly CountedLimit[] {
  const limit = shareLimit(measure);
  return limit ? [limit] : [];
}

/** Runs a statement of `statisticsSql`. A mistake in the SQL of the measure is a part of the result. */
export async function numbersOf(
  measure: CompleteMeasure,
  sql: string,
  graph: JudgedGraphTables,
  store: Pick<JudgedStore, 'query' | 'mistakeOf'>,
  options: StatementOptions,
): Promise<MeasureResult> {
  try {
    const [row] = await store.query(sql, options);
    return measured(measure, sql, row ?? {});
  } catch (error) {
    const reason = store.mistakeOf(error);
    if (!reason) throw error;
    return notMeasured(measure, sql, reasonOf(reason, graph));
  }
}

/** A measure that a statement can find; else the reason why not. */
export function measurable(measure: Measure, graph: JudgedGraphTables): CompleteMeasure | string {
  const mistake = sqlMistake(measureValuesIn(measure, 'sql'), measure.each, graph);
  if (mistake !== undefined) return mistake;
  if (measure.calendar && !measure.workingTime) return `There is no calendar "${measure.calendar.value}".`;
  return isCompleteMeasure(measure) ? measure : 'It does not say what it measures.';
}

/** The result from a row of `statisticsSql`. */
export function measured(measure: Measure, sql: string, row: Readonly<Record<string, unknown>>): MeasureResult {
  const numbers = numbersIn(row);
  const target = targetResults(measure, numbers, Number(row['within_1'] ?? 0));
  const isMissed = target.some(({ met }) => met === false);
  const isMet = target.length > 0 && target.every(({ met }) => met === true);
  return { ...described(measure), ...numbers, target, met: isMissed ? false : isMet ? true : null, sql };
}

/** The numbers in a row of `statisticsSql`. */
export function numbersIn(row: Readonly<Record<string, unknown>>): MeasureNumbers {
  const number = (name: string): number | null => {
    const value = row[name];
    return value === null || value === undefined ? null : Number(value);
  };
  // Engines add and interpolate in their own order, so the last digits of a double differ.
  const rounded = (name: string): number | null => {
    const value = number(name);
    return value === null ? null : Number(value.toPrecision(14));
  };
  return {
    count: number('count') ?? 0,
    missing: number('missing') ?? 0,
    sum: rounded('sum'),
    mean: rounded('mean'),
    min: number('min'),
    max: number('max'),
    median: rounded('median'),
    p90: rounded('p90'),
  };
}

/** The name of a measure, or its place. */
export function measureName({ name, index }: Measure): string {
  return name?.value ?? `Measure ${index + 1}`;
}

/** The result of a measure that could not be found. */
export function notMeasured(measure: Measure, sql: string, error: string): MeasureResult {
  return { ...described(measure), ...noNumbers, target: [], met: null, sql, error };
}

const noNumbers: MeasureNumbers = {
  count: 0,
  missing: 0,
  sum: null,
  mean: null,
  min: null,
  max: null,
  median: null,
  p90: null,
};

function described(
  measure: Measure,
): Pick<MeasureResult, 'name' | 'severity' | 'entityType' | 'activity' | 'kind' | 'unit' | 'isDefault'> {
  const { severity, each, what } = measure;
  return {
    name: measureName(measure),
    severity,
    entityType: each?.activity ? null : (each?.entityType?.value ?? null),
    activity: each?.activity?.value ?? null,
    kind: what.kind === 'unclear' ? 'sql' : what.kind,
    unit: unitOf(measure),
    isDefault: false,
  };
}
