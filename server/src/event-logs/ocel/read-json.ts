import { join } from 'node:path';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { type CheckResult, type LogCheck, checkResult, createNotes, runLogChecks } from '../log-check.ts';
import { type LineFile, createLineFile } from '../line-file.ts';
import { logBytes } from '../log-bytes.ts';
import type { JsonKind } from './json-tokens.ts';
import { type Place, createJsonSplitter, manyKeys } from './split-json.ts';

const sections = ['objectTypes', 'eventTypes', 'objects', 'events'] as const;
type Section = (typeof sections)[number];

const columns: Readonly<Record<Section, readonly string[]>> = {
  objectTypes: ['name', 'attributes'],
  eventTypes: ['name', 'attributes'],
  objects: ['id', 'type', 'attributes', 'relationships'],
  events: ['id', 'type', 'time', 'attributes', 'relationships'],
};

/**
 * Reads a JSON log into `logTables`; returns the results of format-specific checks of the published schema. Rejects
 * with `CheckError`.
 */
export async function readJsonLog(
  path: string,
  database: DuckDbSession,
  folder: string,
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const { files, results } = await split(path, folder, signal);
  for (const section of sections) {
    await database.run(rawTableSql(section, files[section]), { signal });
    await files[section].remove();
  }
  for (const sql of createTablesSql) await database.run(sql, { signal });
  return [...results, ...(await runLogChecks(database, schemaPoints, signal))];
}

/** The known members as JSON, which distinguishes null from missing. */
function rawTableSql(section: Section, file: LineFile): string {
  const names = columns[section];
  const paths = names.map((name) => `'$.${name}'`).join(', ');
  const members = names.map((name, index) => `members[${index + 1}] AS ${name}`).join(', ');
  return `CREATE TABLE raw_${section} AS SELECT ${members}
    FROM (SELECT json_extract(json, [${paths}]) AS members FROM ${file.readObjectsSql()})`;
}

async function split(path: string, folder: string, signal: AbortSignal) {
  const files = {} as Record<Section, LineFile>;
  for (const section of sections) files[section] = await createLineFile(join(folder, `${section}.ndjson`));
  const frame = createFrameNotes();
  let found: [Section, Buffer][] = [];
  const splitter = createJsonSplitter({
    ...frame,
    object(key, text) {
      if (isSection(key)) found.push([key, text]);
    },
  });
  for await (const chunk of logBytes(path, 1 << 20, signal)) {
    splitter.push(chunk);
    for (const [section, text] of found) await files[section].write(text);
    found = [];
  }
  const { hasByteOrderMark } = splitter.end();
  for (const section of sections) await files[section].close();
  return { files, results: frame.results(hasByteOrderMark) };
}

function isSection(key: string): key is Section {
  return (sections as readonly string[]).includes(key);
}

/** Reports values other than objects in the lists, which are in no table. */
function createFrameNotes() {
  const keys = new Set<string>();
  const twice = createNotes();
  const noLists = createNotes();
  const noObjects = createNotes();
  const others = createNotes();
  return {
    member(key: string, kind: JsonKind, place: Place): void {
      if (keys.has(key)) twice.add(`${key} ${at(place)}`);
      // Unknown top-level keys of other tools are allowed, in any number.
      if (isSection(key) || keys.size < manyKeys) keys.add(key);
      if (!isSection(key)) others.add(`${key} ${at(place)}`);
      else if (kind !== 'a list') noLists.add(`${key} is ${kind} ${at(place)}`);
    },
    keyAgain(key: string, place: Place): void {
      twice.add(`${key} ${at(place)}`);
    },
    other(key: string, kind: JsonKind, place: Place): void {
      if (isSection(key)) noObjects.add(`${kind} in ${key} ${at(place)}`);
    },
    results(hasByteOrderMark: boolean): readonly CheckResult[] {
      const missing = sections.filter((section) => !keys.has(section));
      return [
        checkResult('The file begins without byte order mark, which JSON must not have', hasByteOrderMark ? 1 : 0, [
          'bytes EF BB BF',
        ]),
        checkResult('objectTypes, eventTypes, objects and events are there', missing.length, missing),
        twice.result('No key of an object is there twice'),
        noLists.result('objectTypes, eventTypes, objects and events are lists'),
        noObjects.result('Their items are objects'),
        // Other tools may have more to say.
        { ...others.result('There are no keys but objectTypes, eventTypes, objects and events'), ok: true },
      ];
    },
  };
}

function at({ line, byte }: Place): string {
  return `(line ${line}, byte ${byte})`;
}

/** The items of an array; empty for other values. */
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

/** Type information that is lost in text-only tables. */
const schemaPoints: readonly LogCheck[] = [
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
    name: 'Attributes have a name and a string value, attributes of objects also a time',
    sql: (['event', 'object'] as const)
      .map(
        (kind) => `SELECT '${kind} ' || id || ': ' || CAST(item AS VARCHAR) AS example FROM
            (SELECT ${shown('id')} AS id, ${items('attributes')} AS item FROM raw_${kind}s)
          WHERE NOT ${isText("item->'name'")} OR NOT ${isText("item->'value'")} ${kind === 'object' ? `OR NOT ${isText("item->'time'")}` : ''}`,
      )
      .join(' UNION ALL '),
  },
];
