import type { GraphFilter, TypeFilter, ValueCondition } from '../../../protocol/event-graph.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { reasonOf } from '../process-rules/judge-rules.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import { judgedStore } from '../process-rules/judged-store.ts';
import { containmentProblems } from '../query/check-sql.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { namedValuesSql } from '../rule-kinds/named-values-sql.ts';
import { judgedColumn } from '../rule-kinds/property-values-sql.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import type { EntityFilter, ReadTypeFilter } from './filter-entities.ts';
import { QuestionError } from './question-error.ts';
import { refuseUnknownNames } from './refuse-unknown-names.ts';

const { identifiers, literals } = duckdb;

/** Reads the conditions on values of a filter. Rejects with `QuestionError`, or as the store does. */
export async function readFilter(
  store: StoreReader,
  { where = [], values = [], ...filter }: GraphFilter,
  options: StatementOptions,
): Promise<EntityFilter> {
  if (where.length + values.length === 0) return filter;
  for (const sql of where) refuseUncontained(sql);
  const graph = await judgedGraphTables(store, options);
  for (const { property } of values) refuseUnknown(property, graph);
  await refuseUnknownNames(where, filter.entityType, graph, store, options);
  const selected = entitiesWhere(graph, filter.entityType, [...where, ...values.map(valueSql)]);
  await store.describe(selected).catch((error: unknown) => {
    const mistake = judgedStore(store).mistakeOf(error);
    throw mistake ? new QuestionError(`${where.join(' and ')}: ${reasonOf(mistake, graph)}`) : error;
  });
  return { ...filter, selected: [selected] };
}

/** As `readFilter`, of a filter of one type. */
export async function readTypeFilter(
  store: StoreReader,
  filter: TypeFilter,
  options: StatementOptions,
): Promise<ReadTypeFilter> {
  return { ...(await readFilter(store, filter, options)), entityType: filter.entityType };
}

/** SQL that would not stay within its brackets could not be read together with other conditions. */
function refuseUncontained(sql: string): void {
  const range = { start: 0, end: sql.length };
  const sourceOffsets = Array.from({ length: sql.length + 1 }, (_, index) => index);
  const [mistake] = containmentProblems({ value: sql, range, sourceOffsets }, duckdb.name);
  if (mistake) throw new QuestionError(`${sql}: ${mistake.message}`);
}

function refuseUnknown(property: string, graph: JudgedGraphTables): void {
  const known = graph.properties.flatMap(({ properties }) => properties);
  if (!known.includes(property)) {
    throw new QuestionError(reasonOf({ message: '', missingColumn: property }, graph));
  }
}

/** A SELECT of the ids of the entities for which all conditions are true. */
function entitiesWhere(
  graph: JudgedGraphTables,
  entityType: string | undefined,
  conditions: readonly string[],
): string {
  const type = entityType === undefined ? '' : ` WHERE entity_type = ${literals.quote(entityType)}`;
  const all = conditions.map((sql) => `(\n${sql}\n)`).join(' AND ');
  const { values, sql } = namedValuesSql(graph, { of: 'entity', judged: 'candidate', sql: all });
  return `WITH candidate AS (SELECT id AS judged FROM entity${type})
  SELECT ${judgedColumn} FROM (\n${values}\n) AS value WHERE ${sql}`;
}

/** A text is compared as a value of the type of its property. */
function valueSql({ property, values, from, to }: ValueCondition): string {
  const column = identifiers.quote(property);
  const texts = (values ?? []).flatMap((value) => (value === null ? [] : [literals.quote(value)]));
  const isOneOf = [
    ...(texts.length === 0 ? [] : [`CAST(${column} AS VARCHAR) IN (${texts.join(', ')})`]),
    ...(values?.includes(null) ? [`${column} IS NULL`] : []),
  ];
  const conditions = [
    ...(values === undefined ? [] : [isOneOf.length === 0 ? 'false' : `(${isOneOf.join(' OR ')})`]),
    ...(from === undefined ? [] : [`${column} >= ${literals.quote(from)}`]),
    ...(to === undefined ? [] : [`${column} < ${literals.quote(to)}`]),
  ];
  return conditions.length === 0 ? 'true' : conditions.join(' AND ');
}
