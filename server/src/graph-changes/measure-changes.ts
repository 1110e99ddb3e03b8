import { type MeasuredNumbers, type NamedChange, measureNumberNames } from '../../../protocol/graph-changes.ts';
import type { MeasureResult } from '../../../protocol/measures.ts';
import type { DuckDbSession, StatementOptions } from '../store/duckdb-store.ts';
import { type Side, sides } from './pair-events.ts';

/** The units of the measures of a graph by name; undefined for a graph that has no table of them. */
export type MeasuredSides = Readonly<Record<Side, ReadonlyMap<string, MeasureResult['unit']> | undefined>>;

/** The measures of the file of one graph. */
function measuresSql(side: Side, measured: MeasuredSides): string {
  return measured[side]
    ? `SELECT * FROM ${side}.measure WHERE NOT is_default`
    : 'SELECT NULL::VARCHAR AS name, NULL::BOOLEAN AS met, 0 AS count WHERE false';
}

/** Measures that miss their target in only one graph: `name`, `kind`. */
export function measureChangesSql(measured: MeasuredSides): string {
  const held = `(${measuresSql('before', measured)}) AS b FULL JOIN (${measuresSql('after', measured)}) AS a ON a.name = b.name`;
  return `CREATE TEMP VIEW measure_change AS
    SELECT a.name, CASE WHEN a.met THEN 'mended' ELSE 'broken' END AS kind FROM ${held} WHERE a.met <> coalesce(b.met, true)`;
}

/** How many values each measure has: `name`, `n`. */
export function measureSizesSql(side: Side, measured: MeasuredSides): string {
  return `SELECT name, count AS n FROM (${measuresSql(side, measured)})`;
}

/** The numbers of all measures by name. */
export async function measuredNumbers(
  both: DuckDbSession,
  measured: MeasuredSides,
  options: StatementOptions,
): Promise<ReadonlyMap<string, NonNullable<NamedChange['measured']>>> {
  const found = new Map<string, NonNullable<NamedChange['measured']>>();
  for (const side of sides) {
    const units = measured[side];
    if (!units) continue;
    for (const row of await both.query(measuresSql(side, measured), options)) {
      const name = String(row['name']);
      const numbers = Object.fromEntries(
        measureNumberNames.map((number) => [number, row[number] === null ? null : Number(row[number])]),
      ) as Pick<MeasuredNumbers, (typeof measureNumberNames)[number]>;
      const { met, error } = row;
      const unit = units.get(name) ?? 'number';
      const all = {
        ...numbers,
        unit,
        met: typeof met === 'boolean' ? met : null,
        error: typeof error === 'string' ? error : null,
      };
      found.set(name, { ...found.get(name), [side]: all });
    }
  }
  return found;
}

/** The expectations of rows of one graph: `name`, `broken` rows, `holds`. */
function expectationsSql(side: Side): string {
  const text = (field: string): string => `expectation->>'$.${field}'`;
  return `SELECT concat_ws(' · ', ${text('element')}, concat_ws(' ', ${text('expectation')}, nullif(array_to_string(CAST(expectation->'$.columns' AS VARCHAR[]), ', '), ''))) AS name,
      sum(CAST(${text('broken')} AS BIGINT)) AS broken, bool_and(CAST(${text('holds')} AS BOOLEAN)) AS holds
    FROM (SELECT unnest(CAST(counts->'$.expectations' AS JSON[])) AS expectation FROM ${side}.run) GROUP BY 1`;
}

/** Expectations that hold in only one graph: `name`, `kind`. */
export const expectationChangesSql = `CREATE TEMP VIEW expectation_change AS
  SELECT a.name, CASE WHEN a.holds THEN 'mended' ELSE 'broken' END AS kind
  FROM (${expectationsSql('before')}) AS b FULL JOIN (${expectationsSql('after')}) AS a ON a.name = b.name
  WHERE a.holds <> coalesce(b.holds, true)`;

/** How many rows break each expectation: `name`, `n`. */
export function expectationSizesSql(side: Side): string {
  return `SELECT name, broken AS n FROM (${expectationsSql(side)})`;
}
