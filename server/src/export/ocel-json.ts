import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { quoteIdentifier, quoteLiteral } from './sql-text.ts';
import type { StoreReader } from '../store/duckdb-store.ts';
import type { ExportFormat } from './export-format.ts';
import { type ElementTable, elementTables } from './element-tables.ts';

/**
 * OCEL 2.0 as JSON (https://www.ocel-standard.org/specification/formats/json/): entities are objects, activities event
 * types, properties attributes of the events, relations and correlations relationships with their qualifiers. Values are
 * strings, as the published schema asks.
 */
export const ocelJson: ExportFormat = {
  name: 'ocel-json',
  singleFile: true,
  async write(store, folder, signal) {
    const file = 'ocel.json';
    const output = createWriteStream(join(folder, file));
    const ended = finished(output);
    try {
      await writeLog(store, (text) => writeAll(output, text), signal);
    } finally {
      output.end();
      await ended;
    }
    return [file];
  },
};

type Write = (text: string) => Promise<void>;

async function writeLog(store: StoreReader, write: Write, signal: AbortSignal): Promise<void> {
  const elements = await elementTables(store);
  const objectId = await objectIdSql(store);
  await write(`{"objectTypes":${JSON.stringify(await objectTypes(store))},\n`);
  await write(`"eventTypes":${JSON.stringify(await eventTypes(store, elements))},\n"objects":[\n`);
  await writeRows(store, objectsSql(objectId), write, signal);
  await write('],\n"events":[\n');
  await writeRows(store, eventsSql(elements, objectId), write, signal);
  await write(']}\n');
}

async function writeRows(store: StoreReader, sql: string, write: Write, signal: AbortSignal): Promise<void> {
  let separator = '';
  for await (const rows of store.stream(sql, { signal })) {
    if (rows.length === 0) continue;
    await write(separator + rows.map((row) => String(row['json'])).join(',\n'));
    separator = ',\n';
  }
  await write('\n');
}

async function writeAll(output: ReturnType<typeof createWriteStream>, text: string): Promise<void> {
  if (!output.write(text)) await once(output, 'drain');
}

/** Type and key make an id that people recognise; should two be written alike, their number tells them apart. */
async function objectIdSql(store: StoreReader): Promise<string> {
  const id = "entity.entity_type || ':' || entity.key";
  const [row] = await store.query(`SELECT count(*) - count(DISTINCT ${id}) AS twice FROM entity`);
  return Number(row?.['twice']) > 0 ? `${id} || '#' || entity.id` : id;
}

async function objectTypes(store: StoreReader): Promise<readonly unknown[]> {
  const rows = await store.query('SELECT DISTINCT entity_type AS name FROM entity ORDER BY 1');
  return rows.map(({ name }) => ({ name, attributes: [] }));
}

/** The attributes of an activity are those of all elements whose events have it. */
async function eventTypes(store: StoreReader, elements: readonly ElementTable[]): Promise<readonly unknown[]> {
  const rows = await store.query('SELECT DISTINCT activity, element FROM event ORDER BY 1, 2');
  const types = new Map<string, Map<string, string>>();
  for (const row of rows) {
    const attributes = types.get(String(row['activity'])) ?? new Map<string, string>();
    types.set(String(row['activity']), attributes);
    const element = elements.find(({ activityName }) => activityName === row['element']);
    for (const { name, ocelType } of element?.properties ?? []) {
      const known = attributes.get(name);
      attributes.set(name, known === undefined || known === ocelType ? ocelType : 'string');
    }
  }
  return [...types].map(([name, attributes]) => ({
    name,
    attributes: [...attributes].map(([attribute, type]) => ({ name: attribute, type })),
  }));
}

function objectsSql(objectId: string): string {
  return `WITH named AS (SELECT id, ${objectId} AS name FROM entity),
    related AS (
      SELECT source_entity_id AS id, list({'objectId': named.name, 'qualifier': relationship} ORDER BY relationship, named.name) AS list
      FROM relation JOIN named ON named.id = relation.target_entity_id GROUP BY 1
    )
    SELECT CAST(to_json({'id': ${objectId}, 'type': entity.entity_type, 'attributes': [], 'relationships': coalesce(related.list, [])}) AS VARCHAR) AS json
    FROM entity LEFT JOIN related ON related.id = entity.id ORDER BY entity.id`;
}

function eventsSql(elements: readonly ElementTable[], objectId: string): string {
  const attributes = elements.map(
    ({ table, properties }) => `SELECT event_id, ${attributeList(properties)} AS list FROM ${table}`,
  );
  return `WITH named AS (SELECT id, ${objectId} AS name FROM entity),
    related AS (
      SELECT event_id, list({'objectId': named.name, 'qualifier': qualifier} ORDER BY entity_id, qualifier) AS list
      FROM event_entity JOIN named ON named.id = event_entity.entity_id GROUP BY 1
    ),
    attributes AS (${attributes.join(' UNION ALL ')})
    SELECT CAST(to_json({'id': 'e' || event.id, 'type': event.activity, 'time': strftime(event.time, '${isoTime}'),
      'attributes': coalesce(attributes.list, []), 'relationships': related.list}) AS VARCHAR) AS json
    FROM event JOIN related ON related.event_id = event.id LEFT JOIN attributes ON attributes.event_id = event.id
    ORDER BY event.id`;
}

const isoTime = '%Y-%m-%dT%H:%M:%S.%fZ';

/** Missing values are left out. */
function attributeList(properties: ElementTable['properties']): string {
  if (properties.length === 0) return 'CAST([] AS STRUCT(name VARCHAR, value VARCHAR)[])';
  const pairs = properties.map(({ name, ocelType }) => {
    const column = quoteIdentifier(name);
    const value =
      ocelType === 'time' ? `strftime(CAST(${column} AS TIMESTAMP), '${isoTime}')` : `CAST(${column} AS VARCHAR)`;
    return `{'name': ${quoteLiteral(name)}, 'value': ${value}}`;
  });
  return `list_filter([${pairs.join(', ')}], lambda pair: pair.value IS NOT NULL)`;
}
