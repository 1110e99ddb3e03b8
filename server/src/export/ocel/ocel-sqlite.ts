import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoreReader } from '../../store/duckdb-store.ts';
import { type SqliteWriter, createSqliteWriter } from '../../store/sqlite-file.ts';
import type { ValueType } from '../../graph-schema/value-type.ts';
import type { ExportFormat } from '../export-format.ts';
import { foldEnds } from '../fold-ends.ts';
import { type IdRange, idRanges, inRange } from '../id-ranges.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import { assertEventTimes } from '../event-times.ts';
import { writeUnsupportedValuesAsTexts } from '../unsupported-values.ts';
import { writableTime } from '../writable-time.ts';
import { type LogShape, readLogShape } from './log-shape.ts';
import { createObjectNames } from './object-names.ts';
import { createObjectValues } from './object-values.ts';
import { rowsOfAll } from './rows-of-all.ts';
import { eventRows } from './text-log.ts';
import { type SqliteType, createTablesSql, sqliteTypes } from './sqlite-tables.ts';

/** OCEL 2.0 as an SQLite database (https://www.ocel-standard.org/specification/formats/relational/). */
export const ocelSqlite: ExportFormat = {
  singleFile: 'graph.sqlite',
  async write(store, folder, signal) {
    const name = 'ocel.sqlite';
    await assertEventTimes(store, { signal });
    await writeUnsupportedValuesAsTexts(store, ['time', 'integer'], { signal });
    const before = await readLogShape(store);
    await createObjectNames(store, { signal });
    await store.run(writtenNamesSql, { signal });
    await createObjectValues(store, before, { signal });
    const endTime = await foldEnds(store, { signal });
    const shape = endTime === undefined ? before : await readLogShape(store, endTime);
    const file = await createSqliteWriter(join(folder, name));
    try {
      await fill({ store, file, shape, signal });
    } finally {
      file.close();
    }
    // SQLite creates files readable by their owner only; an export gets normal permissions.
    await chmod(join(folder, name), 0o666 & ~process.umask());
    return [name];
  },
};

interface Log {
  readonly store: StoreReader;
  readonly file: SqliteWriter;
  readonly shape: LogShape;
  readonly signal: AbortSignal;
}

/** Names are escaped once, because they occur many times. */
const writtenNamesSql = `CREATE TEMP TABLE written_name AS SELECT id, ${cellJson('name', 'string')} AS name FROM object_name`;

/** Number of rows transferred as one text from DuckDB to SQLite. */
const rangeWeight = 50_000;

async function fill(log: Log): Promise<void> {
  const { file, shape } = log;
  const types = sqliteTypes(shape);
  for (const sql of createTablesSql(types)) file.run(sql);
  file.run('BEGIN');
  for (const type of types) {
    insertText(
      log,
      `INSERT INTO ${type.kind}_map_type`,
      ['i', 't'],
      JSON.stringify([{ i: type.name, t: type.suffix }]),
    );
  }
  await fillObjects(log, types);
  await fillEvents(log, types);
  file.run('COMMIT');
}

async function fillObjects(log: Log, types: readonly SqliteType[]): Promise<void> {
  for (const type of types.filter(({ kind }) => kind === 'object')) {
    const own = `entity_type = ${embeddedLiteral(type.name)}`;
    const values = log.shape.objectTypes.find(({ name }) => name === type.name)?.valuesTable;
    const changes = values === undefined ? '' : ` UNION ALL SELECT entity_id FROM ${values}`;
    const rows = `SELECT id FROM entity WHERE ${own}${changes}`;
    for (const range of await idRanges(log.store, rows, rangeWeight, { signal: log.signal })) {
      const objects = `SELECT ${rowOf({ i: 'name', t: cellJson('entity_type', 'string') })}
        FROM entity JOIN written_name USING (id) WHERE ${own} AND ${inRange('id', range)}`;
      await insert(log, 'INSERT INTO object', ['i', 't'], objects);
      const columns = ['i', 't', ...type.columns.map(({ key }) => key), 'c'];
      const into = `INSERT INTO ${quoteIdentifier(type.table)}`;
      await insert(log, into, columns, firstValuesSql(type, own, values, range));
      if (values !== undefined) await insert(log, into, columns, changesSql(type, values, range));
    }
  }
  const relations = 'SELECT source_entity_id AS id FROM relation';
  for (const range of await idRanges(log.store, relations, rangeWeight, { signal: log.signal })) {
    const rows = `SELECT ${rowOf({ s: 'source.name', t: 'target.name', q: cellJson('relationship', 'string') })}
      FROM relation JOIN written_name AS source ON source.id = source_entity_id JOIN written_name AS target ON target.id = target_entity_id
      WHERE ${inRange('source_entity_id', range)}`;
    await insert(log, 'INSERT INTO object_object', ['s', 't', 'q'], rows);
  }
}

/** One row per object, even without attributes: readers take their objects from these rows. */
function firstValuesSql({ columns }: SqliteType, own: string, values: string | undefined, range: IdRange): string {
  const cells = columns.map(({ key, type, valueColumn }) => [key, cellJson(`held.${valueColumn}`, type)] as const);
  const held = values === undefined ? '' : `LEFT JOIN ${values} AS held ON held.entity_id = entity.id AND held.first`;
  return `SELECT ${rowOf({ i: 'written_name.name', t: '\'"1970-01-01 00:00:00"\'', ...Object.fromEntries(cells) })}
    FROM entity JOIN written_name ON written_name.id = entity.id ${held} WHERE ${own} AND ${inRange('entity.id', range)}`;
}

/** One row per changed attribute. */
function changesSql({ columns }: SqliteType, values: string, range: IdRange): string {
  const rows = columns.map(({ key, name, type, valueColumn }) => {
    const value = cellJson(valueColumn, type);
    const cells = rowOf({ i: 'name', t: 'stamp', [key]: value, c: embeddedLiteral(JSON.stringify(name)) });
    return `CASE WHEN ${valueColumn} IS NOT NULL THEN ${cells} END`;
  });
  return `SELECT text FROM (
      SELECT nullif(concat_ws(',', ${rows.join(', ')}), '') AS text
      FROM (SELECT *, ${cellJson('time', 'time')} AS stamp
        FROM ${values} JOIN written_name ON written_name.id = entity_id WHERE NOT first AND ${inRange('entity_id', range)})
    ) WHERE text IS NOT NULL`;
}

async function fillEvents(log: Log, types: readonly SqliteType[]): Promise<void> {
  const eventTypes = types.filter(({ kind }) => kind === 'event');
  for (const range of await idRanges(log.store, eventRows, rangeWeight, { signal: log.signal })) {
    const own = `FROM event WHERE ${inRange('id', range)}`;
    // Inserted in the order of their ids.
    const events = `SELECT ${rowOf({ i: eventJson('id'), t: cellJson('activity', 'string') })}, id ${own}`;
    await insert(log, 'INSERT INTO event', ['i', 't'], events, 'place');
    const related = `SELECT ${rowOf({ e: eventJson('event_id'), o: 'name', q: cellJson('qualifier', 'string') })}
      FROM event_entity JOIN written_name ON id = entity_id WHERE ${inRange('event_id', range)}`;
    await insert(log, 'INSERT INTO event_object', ['e', 'o', 'q'], related);
    const options = { signal: log.signal };
    const held = await rowsOfAll(log.store, 'held_cells', eventCells(log.shape, range), options);
    const texts = await log.store.query(eventValuesSql(held, range), options);
    for (const { activity, text } of texts) {
      const type = eventTypes.find(({ name }) => name === activity);
      if (type)
        insertText(
          log,
          `INSERT INTO ${quoteIdentifier(type.table)}`,
          ['i', 't', ...type.columns.map(({ key }) => key)],
          String(text),
        );
    }
  }
}

/**
 * For each element, a query of its properties by event, to be appended to other cells; attributes have the keys of
 * `sqliteTypes`, for any activity.
 */
function eventCells({ elements, eventAttributes }: LogShape, range: IdRange): readonly string[] {
  return elements.map(({ table, properties }) => {
    const cells = properties.flatMap(({ name, valueType }) => [
      `',"a${eventAttributes.indexOf(name)}":'`,
      `coalesce(${cellJson(quoteIdentifier(name), valueType)}, 'null')`,
    ]);
    return `SELECT event_id, concat(${["''", ...cells].join(', ')}) AS cells FROM ${quoteIdentifier(table)} WHERE ${inRange('event_id', range)}`;
  });
}

/** One row per activity with all its events of a range. */
function eventValuesSql(held: string, range: IdRange): string {
  const [id, time] = [eventJson('event.id'), cellJson('event.time', 'time')];
  return `SELECT activity, '[' || array_to_string(list(concat('{"i":', ${id}, ',"t":', ${time}, held.cells, '}') ORDER BY event.id), ',') || ']' AS text
    FROM event JOIN (${held}) AS held ON held.event_id = event.id WHERE ${inRange('event.id', range)} GROUP BY 1`;
}

/** SQL of a row as a JSON object, of the SQL of its values; NULL is a missing value. */
function rowOf(cells: Readonly<Record<string, string>>): string {
  const parts = Object.entries(cells).map(
    ([key, json], index) => `'${index === 0 ? '{' : ','}"${key}":', coalesce(${json}, 'null')`,
  );
  return `concat(${parts.join(', ')}, '}')`;
}

/** SQL of the id of an event, which needs no escapes. */
function eventJson(id: string): string {
  return `'"e' || ${id} || '"'`;
}

async function insert(
  log: Log,
  into: string,
  keys: readonly string[],
  rowsSql: string,
  order?: 'place',
): Promise<void> {
  const [columns, sorted] = order === undefined ? ['text', ''] : [`text, ${order}`, ` ORDER BY ${order}`];
  const sql = `SELECT '[' || array_to_string(list(text${sorted}), ',') || ']' AS text FROM (${rowsSql}) AS rows(${columns})`;
  const [found] = await log.store.query(sql, { signal: log.signal });
  if (found && found['text'] !== null) insertText(log, into, keys, String(found['text']));
}

function insertText({ file, signal }: Log, into: string, keys: readonly string[], text: string): void {
  signal.throwIfAborted();
  const cells = keys.map((key) => `value ->> '$.${key}'`);
  file.run(`${into} SELECT ${cells.join(', ')} FROM json_each(given_rows())`, text);
}

/**
 * SQL of a value as a JSON value that SQLite stores with the declared type; NULL for missing values and times out of
 * range.
 */
function cellJson(expression: string, type: ValueType): string {
  switch (type) {
    case 'boolean':
      return `CASE WHEN ${expression} THEN '1' WHEN NOT ${expression} THEN '0' END`;
    case 'integer':
      return `CAST(${expression} AS VARCHAR)`;
    case 'float':
      // JSON has no infinity: SQLite stores it as text.
      return `CASE WHEN isfinite(CAST(${expression} AS DOUBLE)) THEN CAST(${expression} AS VARCHAR) ELSE to_json(CAST(${expression} AS VARCHAR)) END`;
    case 'time':
      return `to_json(strftime(${writableTime(expression)}, '%Y-%m-%d %H:%M:%S.%f'))`;
    case 'string':
      // SQLite texts end at NUL.
      return `to_json(replace(CAST(${expression} AS VARCHAR), chr(0), ''))`;
  }
}
