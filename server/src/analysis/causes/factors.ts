import type { CauseValue } from '../../../../protocol/analysis.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import type { StatementOptions, StoreReader } from '../../store/duckdb-store.ts';
import type { EntityProperty } from './first-values.ts';

const { identifiers, literals } = duckdb;

/** A property by whose values entities are compared. */
export interface Factor {
  readonly property: string;
  /** SQL of the code of its value: an index of `values`, -1 for others, NULL without value. */
  readonly codeSql: string;
  readonly values: readonly CauseValue[];
}

/** Fewer entities say little. */
export const fewestEntities = 20;
/** Values of a text that are compared; the others are rare. */
const mostValues = 50;
/** Numbers with fewer values are compared one by one. */
const fewestNumbers = 10;
const quintiles = [0.2, 0.4, 0.6, 0.8];

/** The properties with at least two parts of values. @param isLate those that are left out */
export async function readFactors(
  store: StoreReader,
  table: string,
  properties: readonly EntityProperty[],
  isLate: readonly boolean[],
  options: StatementOptions,
): Promise<readonly Factor[]> {
  const factors: Factor[] = [];
  for (const [index, property] of properties.entries()) {
    if (isLate[index]) continue;
    const factor = await readFactor(store, table, property, `value_${index}`, options);
    if (factor) factors.push(factor);
  }
  return factors;
}

async function readFactor(
  store: StoreReader,
  table: string,
  property: EntityProperty,
  column: string,
  options: StatementOptions,
): Promise<Factor | undefined> {
  const isNumber = property.type !== 'string' && property.type !== 'boolean';
  if (isNumber) {
    const [row] = await store.query(
      `SELECT count(DISTINCT ${column}) AS n, to_json(quantile_disc(${column}, [${quintiles.join(', ')}])) AS bounds FROM ${table}`,
      options,
    );
    const bounds = JSON.parse(String(row?.['bounds'] ?? '[]')) as readonly number[];
    if (Number(row?.['n']) > fewestNumbers) return inQuintiles(property, column, [...new Set(bounds)]);
  }
  const rows = await store.query(
    `SELECT ${column} AS value, CAST(${column} AS VARCHAR) AS text FROM ${table} WHERE ${column} IS NOT NULL
     GROUP BY 1 HAVING count(*) >= ${fewestEntities} ORDER BY count(*) DESC, 1 LIMIT ${mostValues}`,
    options,
  );
  if (rows.length === 0) return undefined;
  const literal = (row: Readonly<Record<string, unknown>>): string =>
    isNumber ? `CAST(${literals.quote(String(row['text']))} AS DOUBLE)` : literals.quote(String(row['text']));
  const cases = rows.map((row, code) => `WHEN ${column} = ${literal(row)} THEN ${code}`);
  return {
    property: property.name,
    codeSql: `CASE WHEN ${column} IS NULL THEN NULL ${cases.join(' ')} ELSE -1 END`,
    values: rows.map((row) => ({
      property: property.name,
      value: isNumber ? boundText(Number(row['value']), property) : String(row['text']),
    })),
  };
}

/** @param bounds rising */
function inQuintiles(property: EntityProperty, column: string, bounds: readonly number[]): Factor {
  const cases = bounds.map((bound, code) => `WHEN ${column} <= CAST('${Number(bound)}' AS DOUBLE) THEN ${code}`);
  const values = [...bounds, undefined].map((to, code): CauseValue => {
    const from = bounds[code - 1];
    const [low, high] = [from, to].map((bound) => (bound === undefined ? undefined : boundText(bound, property)));
    return {
      property: property.name,
      value:
        low === undefined ? `up to ${high ?? ''}` : high === undefined ? `above ${low}` : `above ${low} to ${high}`,
      ...(from !== undefined && { from: property.type === 'time' ? low : from }),
      ...(to !== undefined && { to: property.type === 'time' ? high : to }),
      where: rangeSql(property, low, high),
    };
  });
  return {
    property: property.name,
    codeSql: `CASE WHEN ${column} IS NULL THEN NULL ${cases.join(' ')} ELSE ${bounds.length} END`,
    values,
  };
}

/** The part of a range above a bound, up to another. Bounds are numbers, or ISO 8601. */
function rangeSql({ name, type }: EntityProperty, low: string | undefined, high: string | undefined): string {
  const column = identifiers.quote(name);
  const bound = (text: string): string => (type === 'time' ? literals.quote(text) : text);
  return [
    ...(low === undefined ? [] : [`${column} > ${bound(low)}`]),
    ...(high === undefined ? [] : [`${column} <= ${bound(high)}`]),
  ].join(' AND ');
}

/** Times are microseconds since 1970. */
function boundText(bound: number, { type }: EntityProperty): string {
  if (type !== 'time') return String(bound);
  const time = new Date(bound / 1000);
  return Number.isNaN(time.getTime()) ? String(bound) : time.toISOString();
}
