import type { PropertyValues, TypedProperty } from '../../../protocol/analysis.ts';
import { duckdb } from '../dialects/duckdb.ts';
import type { ValueType } from '../graph-schema/value-type.ts';
import { didYouMean, nearestNames } from '../model/nearest-name.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { subjectSql } from './answer-measures.ts';
import { entityProperties } from './causes/first-values.ts';
import { lastValuesSql, propertiesOfType } from './entity-properties.ts';
import type { ReadTypeFilter } from './filter-entities.ts';
import { QuestionError } from './question-error.ts';
import { classesOf, stepped } from './value-classes.ts';

const { identifiers, literals } = duckdb;

export interface ValuesQuestion {
  readonly filter: ReadTypeFilter;
  readonly property: string;
  /** At most so many classes. */
  readonly bins: number;
  /** A part of the values that are listed. */
  readonly search?: string | undefined;
}

/** Values of a list. */
const mostValues = 100;
/** Fewer different numbers are listed one by one. */
const fewNumbers = 12;

/** The last known values of a property of entities. Rejects with `QuestionError` for an unknown one, or as the store does. */
export async function readPropertyValues(
  store: StoreReader,
  { filter, property, bins, search }: ValuesQuestion,
  options: StatementOptions,
): Promise<PropertyValues> {
  const graph = await judgedGraphTables(store, options);
  refuseUnknown(property, graph);
  const [{ type = 'string' } = {}] = entityProperties([property], graph);
  const kind = kindOf(type);
  const valued = `WITH subject AS MATERIALIZED (${subjectSql(filter)}), valued AS MATERIALIZED (
  SELECT p.${identifiers.quote(property)} AS value FROM (\n${lastValuesSql(graph, [property], 'subject')}\n) AS p
)`;
  const rows = await store.query(
    `${valued}, listed AS (
  SELECT CAST(value AS VARCHAR) AS text, count(*) AS entities, min(value) AS least FROM valued GROUP BY 1
) SELECT text, entities, count(*) OVER () AS all_values FROM listed
${search ? `WHERE contains(lower(text), lower(${literals.quote(search)}))` : ''}
ORDER BY ${kind === 'text' ? 'entities DESC, least' : 'least'} NULLS LAST LIMIT ${mostValues}`,
    options,
  );
  const all = Number(rows[0]?.['all_values'] ?? 0);
  const isMany = kind !== 'text' && all > fewNumbers;
  return {
    property,
    type: kind,
    values: isMany
      ? []
      : rows.map((row) => ({
          value: row['text'] === null ? null : String(row['text']),
          entities: Number(row['entities']),
        })),
    others: isMany ? 0 : all - rows.length,
    classes: isMany ? await readClasses(store, valued, { type, bins }, options) : [],
  };
}

/** The properties of the entities of a type, in the order of their tables. */
export async function readTypedProperties(
  store: StoreReader,
  entityType: string,
  options: StatementOptions,
): Promise<readonly TypedProperty[]> {
  const graph = await judgedGraphTables(store, options);
  const names = await propertiesOfType(store, entityType, graph, options);
  const ofEvents = new Set(graph.properties.flatMap((table) => (table.isOfEvents ? table.properties : [])));
  return entityProperties(names, graph).map(({ name, type }) => ({
    name,
    type: kindOf(type),
    isOfEvents: ofEvents.has(name),
  }));
}

function kindOf(type: ValueType): PropertyValues['type'] {
  if (type === 'time') return 'time';
  return type === 'integer' || type === 'float' ? 'number' : 'text';
}

async function readClasses(
  store: StoreReader,
  valued: string,
  { type, bins }: { readonly type: string; readonly bins: number },
  options: StatementOptions,
): Promise<PropertyValues['classes']> {
  const isTime = type === 'time';
  const number = isTime
    ? 'CASE WHEN isfinite(value) THEN epoch_us(CAST(value AS TIMESTAMP)) / 1000 END'
    : 'CASE WHEN isfinite(CAST(value AS DOUBLE)) THEN CAST(value AS DOUBLE) END';
  const numbers = `${valued}, numbers AS (SELECT ${number} AS n FROM valued)`;
  const [bounds] = await store.query(`${numbers} SELECT min(n) AS low, max(n) AS high FROM numbers`, options);
  const [low, high] = [bounds?.['low'] ?? null, bounds?.['high'] ?? null];
  if (low === null || high === null) return [];
  const kind = isTime ? 'time' : type === 'integer' ? 'integer' : 'number';
  const { start, width, count } = classesOf(Number(low), Number(high), Math.max(1, Math.trunc(bins)), kind);
  const rows = await store.query(
    `${numbers} SELECT CAST(floor((n - ${literals.quote(String(start))}::DOUBLE) / ${literals.quote(String(width))}::DOUBLE) AS INTEGER) AS place, count(*) AS entities
FROM numbers WHERE n IS NOT NULL GROUP BY 1`,
    options,
  );
  const counts = new Map(rows.map((row) => [Number(row['place']), Number(row['entities'])]));
  const bound = (place: number): number => Number((start + stepped(place, width)).toPrecision(14));
  return Array.from({ length: count }, (_, place) => ({
    from: bound(place),
    to: bound(place + 1),
    entities: counts.get(place) ?? 0,
  }));
}

function refuseUnknown(property: string, graph: JudgedGraphTables): void {
  const known = new Set(graph.properties.flatMap(({ properties }) => properties));
  if (known.has(property)) return;
  throw new QuestionError(`The graph has no property "${property}".`, didYouMean(nearestNames(property, known)));
}
