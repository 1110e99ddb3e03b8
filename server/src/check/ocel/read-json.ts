import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { type CheckPoint, type CheckResult, checkPoints, checkResult } from '../check-point.ts';
import { type LineFile, createLineFile } from './line-file.ts';
import { createJsonSplitter } from './split-json.ts';

const sections = ['objectTypes', 'eventTypes', 'objects', 'events'] as const;
type Section = (typeof sections)[number];

const columns: Readonly<Record<Section, readonly string[]>> = {
  objectTypes: ['name', 'attributes'],
  eventTypes: ['name', 'attributes'],
  objects: ['id', 'type', 'attributes', 'relationships'],
  events: ['id', 'type', 'time', 'attributes', 'relationships'],
};

/** Reads a JSON log into `logTables`; returns what the published schema of this form asks beside. Rejects with `CheckError`. */
export async function readJsonLog(
  path: string,
  database: DuckDbSession,
  folder: string,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const { keys, files } = await split(path, folder, signal);
  for (const section of sections) {
    const struct = `{${columns[section].map((name) => `${name}: 'JSON'`).join(', ')}}`;
    const source = files[section].readSql(struct).replace(/\)$/, ', ignore_errors = true)');
    await database.run(`CREATE TABLE raw_${section} AS FROM ${source}`, { signal });
    await files[section].remove();
  }
  for (const sql of createTablesSql) await database.run(sql, { signal });
  const missing = sections.filter((section) => !keys.includes(section));
  return [
    checkResult('objectTypes, eventTypes, objects and events are there', missing.length, missing),
    ...(await checkPoints(database, schemaPoints, signal)),
  ];
}

async function split(path: string, folder: string, signal: AbortSignal) {
  const files = {} as Record<Section, LineFile>;
  for (const section of sections) files[section] = await createLineFile(join(folder, `${section}.ndjson`));
  let found: [Section, Buffer][] = [];
  const splitter = createJsonSplitter((key, text) => {
    if (key in files) found.push([key as Section, text]);
  });
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal })) {
    splitter.push(chunk as Buffer);
    for (const [section, text] of found) await files[section].write(text);
    found = [];
  }
  const keys = splitter.end();
  for (const section of sections) await files[section].close();
  return { keys, files };
}

/** The items of an array; nothing when it is none. */
const items = (array: string): string =>
  `unnest(CASE WHEN json_type(${array}) = 'ARRAY' THEN CAST(${array} AS JSON[]) ELSE [] END)`;

const createTablesSql: readonly string[] = [
  ...(['event', 'object'] as const).flatMap((kind) => [
    `${kind === 'event' ? 'CREATE TABLE declared_type AS' : 'INSERT INTO declared_type'}
      SELECT '${kind}' AS kind, name->>'$' AS name FROM raw_${kind}Types`,
    `${kind === 'event' ? 'CREATE TABLE declared_attribute AS' : 'INSERT INTO declared_attribute'}
      SELECT '${kind}' AS kind, type, item->>'name' AS name, item->>'type' AS value_type
      FROM (SELECT name->>'$' AS type, ${items('attributes')} AS item FROM raw_${kind}Types)`,
    `CREATE TABLE ${kind} AS SELECT id->>'$' AS id, type->>'$' AS type${kind === 'event' ? ", time->>'$' AS time" : ''} FROM raw_${kind}s`,
    `CREATE TABLE ${kind}_object AS SELECT source, item->>'objectId' AS target, item->>'qualifier' AS qualifier
      FROM (SELECT id->>'$' AS source, ${items('relationships')} AS item FROM raw_${kind}s)`,
    `CREATE TABLE ${kind}_value AS SELECT owner, item->>'name' AS name, item->>'value' AS value${kind === 'object' ? ", item->>'time' AS time" : ''}
      FROM (SELECT id->>'$' AS owner, ${items('attributes')} AS item FROM raw_${kind}s)`,
  ]),
];

const isText = (value: string): string => `json_type(${value}) IS NOT DISTINCT FROM 'VARCHAR'`;
const isList = (value: string): string => `coalesce(json_type(${value}) = 'ARRAY', true)`;
const shown = (id: string): string => `coalesce(${id}->>'$', 'one without id')`;

/** What cannot be seen any more when all is text in tables. */
const schemaPoints: readonly CheckPoint[] = [
  {
    name: 'Types have a name and a list of attributes with name and type',
    sql: (['event', 'object'] as const)
      .map(
        (kind) => `SELECT '${kind} type ' || ${shown('name')} AS example FROM raw_${kind}Types
          WHERE NOT ${isText('name')} OR json_type(attributes) IS DISTINCT FROM 'ARRAY'
          UNION ALL SELECT '${kind} type ' || type || ': ' || CAST(item AS VARCHAR) FROM
            (SELECT ${shown('name')} AS type, ${items('attributes')} AS item FROM raw_${kind}Types)
          WHERE NOT ${isText("item->'name'")} OR NOT ${isText("item->'type'")}`,
      )
      .join(' UNION ALL '),
  },
  {
    name: 'Events and objects are objects with texts for id and type, and lists for attributes and relationships',
    sql: (['event', 'object'] as const)
      .map(
        (kind) => `SELECT '${kind} ' || ${shown('id')} AS example FROM raw_${kind}s
          WHERE NOT ${isText('id')} OR NOT ${isText('type')} OR NOT ${isList('attributes')} OR NOT ${isList('relationships')}`,
      )
      .join(' UNION ALL '),
  },
  {
    name: 'Relationships have an objectId and a qualifier',
    sql: (['event', 'object'] as const)
      .map(
        (kind) => `SELECT '${kind} ' || id || ': ' || CAST(item AS VARCHAR) AS example FROM
            (SELECT ${shown('id')} AS id, ${items('relationships')} AS item FROM raw_${kind}s)
          WHERE NOT ${isText("item->'objectId'")} OR NOT ${isText("item->'qualifier'")}`,
      )
      .join(' UNION ALL '),
  },
  {
    name: 'Attributes have a name and a text as value, those of objects a time',
    sql: (['event', 'object'] as const)
      .map(
        (kind) => `SELECT '${kind} ' || id || ': ' || CAST(item AS VARCHAR) AS example FROM
            (SELECT ${shown('id')} AS id, ${items('attributes')} AS item FROM raw_${kind}s)
          WHERE NOT ${isText("item->'name'")} OR NOT ${isText("item->'value'")} ${kind === 'object' ? `OR NOT ${isText("item->'time'")}` : ''}`,
      )
      .join(' UNION ALL '),
  },
];
