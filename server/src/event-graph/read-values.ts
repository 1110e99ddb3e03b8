import type { EntityValues, ValueChange } from '../../../protocol/event-graph.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { isoTime } from './iso-time.ts';
import { historySql, valuesTables } from './value-history.ts';

/** A page can show no more in a readable way, and the SQL has one column for each. */
const maxProperties = 200;

/** The values of an entity over time. @param lastEvent values of later events, and later values, are left out */
export async function readValues(
  store: StoreReader,
  entity: number,
  lastEvent: number | undefined,
  options: StatementOptions,
): Promise<EntityValues> {
  const tables = await valuesTables(store, entity, options);
  const names = [...new Set(tables.flatMap(({ properties }) => [...properties.keys()]))].slice(0, maxProperties);
  if (names.length === 0) return { properties: [], changes: [] };
  const shown = names.flatMap((_, index) =>
    ['old', 'new'].map((side) => `CAST(${side}_${index + 1} AS VARCHAR) AS ${side}_${index + 1}`),
  );
  const different = names.map(
    (_, index) => `old_${index + 1} IS DISTINCT FROM new_${index + 1} AS differs_${index + 1}`,
  );
  const rows = await store.query(
    `SELECT event_id, CASE WHEN event_id IS NULL THEN CAST(time AS VARCHAR) END AS since, ${[...shown, ...different].join(', ')} FROM (\n${historySql(tables, names, { entity, lastEvent })}\n) AS history ORDER BY time NULLS FIRST, event_id`,
    options,
  );
  const changes = rows.flatMap((row) => {
    const since = isoTime(row['since']);
    return names.flatMap((property, index): ValueChange[] => {
      if (row[`differs_${index + 1}`] !== true) return [];
      const [before, after] = [row[`old_${index + 1}`], row[`new_${index + 1}`]];
      return [
        {
          property,
          after: String(after),
          event: row['event_id'] === null ? undefined : Number(row['event_id']),
          time: since,
          before: before === null || before === undefined ? undefined : String(before),
        },
      ];
    });
  });
  return {
    properties: names.map((name) => ({ name, changes: changes.filter(({ property }) => property === name).length })),
    changes,
  };
}
