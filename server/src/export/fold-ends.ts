import { storedTables } from '../graph-schema/stored-tables.ts';
import { quoteIdentifier } from '../query/quote.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { type ElementTable, elementTables } from './element-tables.ts';

/** Whether a graph has ends of activities (docs/semantics.md#58-end-events). */
export async function hasEnds(store: StoreReader, options: StatementOptions): Promise<boolean> {
  return (await storedTables(store, options)).some(({ schema }) => schema === 'service_time');
}

/**
 * Makes one event of each start and its end, for forms whose events have one time: views and tables in front of those of
 * the store leave ends out, add their correlations to those of their starts, and have their time as a property. Values
 * of an end come before those of its start.
 * @returns the name of the property with the times of ends; undefined for graphs without ends
 */
export async function foldEnds(store: StoreReader, options: StatementOptions): Promise<string | undefined> {
  if (!(await hasEnds(store, options))) return undefined;
  const [row] = await store.query('SELECT current_database() AS name', options);
  const stored = `${quoteIdentifier(String(row?.['name']))}.main`;
  const elements = await elementTables(store);
  const endTime = freeName('end_time', elements);
  const ending = await store.query(`SELECT DISTINCT element FROM ${stored}.event WHERE lifecycle = 'end'`, options);
  for (const element of elements) {
    if (ending.some((each) => each['element'] === element.activityName)) {
      await foldProperties(store, element, { stored, endTime }, options);
    }
  }
  await store.run(
    `CREATE TEMP VIEW event_entity AS SELECT DISTINCT coalesce(service.start_event_id, held.event_id) AS event_id, held.entity_id, held.qualifier
     FROM ${stored}.event_entity AS held LEFT JOIN ${stored}.service_time AS service ON service.end_event_id = held.event_id`,
    options,
  );
  await store.run(`CREATE TEMP VIEW event AS SELECT * FROM ${stored}.event WHERE lifecycle <> 'end'`, options);
  return endTime;
}

/** A view may stand in front of the table already (`unsupported-values.ts`), so that a table takes its place. */
async function foldProperties(
  store: StoreReader,
  { table, properties }: ElementTable,
  { stored, endTime }: { readonly stored: string; readonly endTime: string },
  options: StatementOptions,
): Promise<void> {
  const values = properties.map(({ name }) => {
    const column = quoteIdentifier(name);
    return `coalesce(ended.${column}, held.${column}) AS ${column}`;
  });
  const name = quoteIdentifier(table);
  const folded = quoteIdentifier(`folded_${table}`);
  await store.run(
    `CREATE TEMP TABLE ${folded} AS SELECT ${['held.event_id', ...values, `event.time AS ${quoteIdentifier(endTime)}`].join(', ')}
     FROM ${name} AS held LEFT JOIN ${stored}.service_time AS service ON service.start_event_id = held.event_id
       LEFT JOIN ${name} AS ended ON ended.event_id = service.end_event_id
       LEFT JOIN ${stored}.event AS event ON event.id = service.end_event_id
     WHERE held.event_id NOT IN (SELECT end_event_id FROM ${stored}.service_time)`,
    options,
  );
  await store.run(`DROP VIEW IF EXISTS temp.${name}`, options);
  await store.run(`ALTER TABLE temp.${folded} RENAME TO ${name}`, options);
}

function freeName(wanted: string, elements: readonly ElementTable[]): string {
  const taken = new Set(elements.flatMap(({ properties }) => properties.map(({ name }) => name.toLowerCase())));
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}_${number}`;
  return name;
}
