import type { MeasureResult } from '../../../protocol/measures.ts';
import { declaredColumns } from '../graph-schema/table-names.ts';
import { type CompleteMeasure, measuredSql, statisticsSql } from '../measure-kinds/measure-sql.ts';
import { defaultMeasures, defaultNumbersSql } from '../measure-kinds/default-measures.ts';
import type { Measure } from '../model/measure.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import type { StatementOptions } from '../store/duckdb-store.ts';
import { reasonOf } from './judge-rules.ts';
import type { JudgedStore } from './judged-store.ts';
import { countedLimits, measurable, notMeasured, numbersIn, numbersOf } from './measure-graph.ts';

/** The statements that create and fill the tables of measures. */
interface MeasureTablesSql {
  readonly createValues: string;
  /** @param number of the measure, from 1 */
  insertValues(measure: CompleteMeasure, number: number): string;
  /** Selects the numbers of the values. */
  numbers(measure: CompleteMeasure, number: number): string;
  readonly createMeasures: string;
  insertMeasures(rows: string): string;
}

export function measureTablesSql(graph: JudgedGraphTables): MeasureTablesSql {
  const [value, measure] = [graph.table('measure_value'), graph.table('measure')];
  return {
    createValues: `CREATE TABLE ${value} (${declaredColumns('measure_value')})`,
    insertValues: (each, number) =>
      `INSERT INTO ${value} SELECT ${number} AS measure, entity_id, event_id, value FROM (\n${measuredSql(each, graph)}\n) AS found`,
    numbers: (each, number) =>
      statisticsSql(`(SELECT value FROM ${value} WHERE measure = ${number})`, graph, { limits: countedLimits(each) }),
    createMeasures: `CREATE TABLE ${measure} (${declaredColumns('measure')})`,
    insertMeasures: (rows) => `INSERT INTO ${measure} VALUES ${rows}`,
  };
}

/**
 * Writes the tables `measure` and `measure_value` of an unpublished graph. Resolves to the results of the measures of
 * the file; one whose SQL fails has that as its error. Rejects only if the graph cannot be read or written, or with the
 * reason of the signal.
 */
export async function recordMeasures(
  measures: readonly Measure[],
  graph: JudgedGraphTables,
  store: Pick<JudgedStore, 'query' | 'mistakeOf'>,
  options: StatementOptions,
): Promise<readonly MeasureResult[]> {
  const sql = measureTablesSql(graph);
  await store.query(sql.createValues, options);
  const results: MeasureResult[] = [];
  for (const [index, measure] of measures.entries()) {
    options.signal?.throwIfAborted();
    results.push(await recorded(measure, index + 1, graph, store, options));
  }
  options.signal?.throwIfAborted();
  const defaults = (await store.query(defaultNumbersSql(graph), options)).map(defaultResult);
  const rows = [...results, ...defaults].map((result, index) => `(${rowOf(result, index + 1, graph).join(', ')})`);
  await store.query(sql.createMeasures, options);
  await store.query(sql.insertMeasures(rows.join(', ')), options);
  return results;
}

/** @param row of `defaultNumbersSql` */
function defaultResult(row: Readonly<Record<string, unknown>>): MeasureResult {
  const [name = '', measure] = Object.entries(defaultMeasures)[Number(row['number']) - 1] ?? [];
  const { kind = 'count', unit = 'count' } = measure ?? {};
  return {
    name,
    severity: 'warning',
    entityType: String(row['entity_type']),
    activity: null,
    kind,
    unit: unit === 'ms' ? 'ms' : 'number',
    isDefault: true,
    ...numbersIn(row),
    target: [],
    met: null,
    sql: '',
  };
}

async function recorded(
  measure: Measure,
  number: number,
  graph: JudgedGraphTables,
  store: Pick<JudgedStore, 'query' | 'mistakeOf'>,
  options: StatementOptions,
): Promise<MeasureResult> {
  const complete = measurable(measure, graph);
  if (typeof complete === 'string') return notMeasured(measure, '', complete);
  const tables = measureTablesSql(graph);
  const insert = tables.insertValues(complete, number);
  try {
    await store.query(insert, options);
  } catch (error) {
    const reason = store.mistakeOf(error);
    if (!reason) throw error;
    return notMeasured(measure, insert, reasonOf(reason, graph));
  }
  return numbersOf(complete, tables.numbers(complete, number), graph, store, options);
}

function rowOf(result: MeasureResult, number: number, { dialect: { literals } }: JudgedGraphTables): readonly string[] {
  const { name, entityType, activity, kind, isDefault, severity, count, missing, met, error } = result;
  const { sum, mean, min, max, median, p90 } = result;
  const text = (value: string | null | undefined): string =>
    value === undefined || value === null ? 'NULL' : literals.quote(value.replaceAll('\0', ''));
  const float = (value: number | null): string =>
    value === null ? 'NULL' : Number.isFinite(value) ? value.toExponential() : 'NULL';
  return [
    String(number),
    ...[name, entityType, activity, kind].map(text),
    String(isDefault),
    text(isDefault ? undefined : severity),
    String(count),
    String(missing),
    ...[sum, mean, min, max, median, p90].map(float),
    String(met),
    text(error),
  ];
}
