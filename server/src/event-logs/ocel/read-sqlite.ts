import { link, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { doubleQuoted, singleQuoted } from '../../dialects/standard/quoting.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { type SqliteFile, openSqliteFile } from '../../store/sqlite-file.ts';
import { CheckError } from '../check-error.ts';
import { isGzip } from '../log-bytes.ts';
import { type CheckResult, type LogCheck, checkResult } from '../log-check.ts';
import { type LogRows, type LogTable, createLogRows } from './log-tables.ts';
import { fixedTables, sqliteChecks, typeRowChecks } from './sqlite-checks.ts';

/**
 * Reads an SQLite log into `logTables`; returns the results of its schema checks and its own rules. When the fixed
 * tables are missing, nothing is read. Rejects with `CheckError`.
 */
export async function readSqliteLog(
  path: string,
  database: DuckDbSession,
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly results: readonly CheckResult[]; readonly read: boolean }> {
  if (await isGzip(path)) {
    const message = 'The file is an SQLite database compressed with gzip.';
    throw new CheckError('file-malformed', message, { remedy: 'Unpack it: only JSON and XML are read compressed.' });
  }
  const file = await openSqliteFile(await aliasIn(folder, path), 'read');
  try {
    const tables = textsOf(file, "SELECT name FROM sqlite_master WHERE type = 'table'");
    const read = fixedTables.every(({ name, columns }) => hasColumns(file, name, columns));
    const results: CheckResult[] = [];
    const check = async (points: readonly LogCheck[]): Promise<void> => {
      for (const { name, sql } of points) {
        await takeTurns(signal);
        results.push(checkResultOf(file, name, sql));
      }
    };
    await check(sqliteChecks(read));
    if (!read) return { results, read };
    results.push(await referencesResult(file, tables, signal));
    for (const kind of ['event', 'object'] as const) {
      for (const { type, table } of typeTables(file, kind, tables)) {
        const columns = columnsOf(file, table).filter(isAttribute);
        const changedField = columnOrNull(file, table, 'ocel_changed_field');
        const hasTimes = hasColumns(file, table, ['ocel_time']);
        const names = columns.map(({ name }) => name);
        await check(typeRowChecks({ kind, type, table, columns: names, changedField, hasTimes }));
      }
    }
    await readTables(file, tables, database, await createLogRows(folder), signal);
    return { results, read };
  } catch (error) {
    if (signal.aborted || !(error instanceof Error) || error.name !== 'SQLite3Error') throw error;
    throw new CheckError('file-malformed', `SQLite cannot read the file: ${error.message}.`, { cause: error });
  } finally {
    file.close();
  }
}

/**
 * A link to the file in our own folder: SQLite creates its lock next to the given path, and the folder of the file may
 * be read-only. Falls back to the original path.
 */
async function aliasIn(folder: string, path: string): Promise<string> {
  const alias = join(folder, 'checked.sqlite');
  for (const make of [symlink, link]) {
    const made = await make(path, alias).then(
      () => true,
      () => false,
    );
    if (made) return alias;
  }
  return path;
}

/** SQLite runs in this thread: others get their turn between its statements, and a signal ends the work. */
async function takeTurns(signal: AbortSignal): Promise<void> {
  await setImmediate();
  signal.throwIfAborted();
}

function checkResultOf(file: SqliteFile, name: string, sql: string): CheckResult {
  const [count] = file.rows(`SELECT count(*) AS n FROM (${sql})`);
  const violations = Number(count?.['n'] ?? 0);
  const examples = violations === 0 ? [] : textsOf(file, `SELECT example AS name FROM (${sql}) ORDER BY 1 LIMIT 3`);
  return checkResult(name, violations, examples);
}

/**
 * SQLite ignores references to columns that are not keys. The checks of keys and references report them, and the log
 * checks find dangling rows.
 */
async function referencesResult(
  file: SqliteFile,
  tables: readonly string[],
  signal: AbortSignal,
): Promise<CheckResult> {
  const name = 'References lead to rows that exist';
  const broken: CheckResult[] = [];
  for (const table of tables) {
    await takeTurns(signal);
    try {
      const rows = `SELECT "table" || ' row ' || coalesce(rowid, '?') || ' to ' || parent AS example FROM pragma_foreign_key_check(${singleQuoted(table)})`;
      broken.push(checkResultOf(file, name, rows));
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('foreign key mismatch'))) throw error;
    }
  }
  const violations = broken.reduce((sum, each) => sum + each.violations, 0);
  return checkResult(name, violations, broken.flatMap(({ examples }) => examples).toSorted());
}

function textsOf(file: SqliteFile, sql: string): readonly string[] {
  return [...file.rows(sql)].map((row) => String(row['name']));
}

interface Column {
  readonly name: string;
  readonly type: string;
}

function columnsOf(file: SqliteFile, table: string): readonly Column[] {
  return [...file.rows('SELECT name, type FROM pragma_table_info(?)', [table])].map((row) => ({
    name: String(row['name']),
    type: String(row['type']).toUpperCase(),
  }));
}

/** Types of OCEL by types of columns; pandas declares days as `DATE`. */
const valueTypes: Readonly<Record<string, string>> = {
  TEXT: 'string',
  TIMESTAMP: 'time',
  DATE: 'date',
  INTEGER: 'integer',
  REAL: 'float',
  BOOLEAN: 'boolean',
};

/**
 * Other names that SQLite stores in the same way, such as `DOUBLE PRECISION` of Rust4PM
 * (https://www.sqlite.org/datatype3.html#affinity_name_examples).
 */
const affinities = [
  { name: /^((TINY|SMALL|MEDIUM|BIG|UNSIGNED BIG )INT|INT[248]?)$/, valueType: 'integer' },
  { name: /^(DOUBLE|DOUBLE PRECISION|FLOAT|FLOAT[48])$/, valueType: 'float' },
  { name: /^(N?(VAR)?CHAR|(VARYING|NATIVE) CHARACTER|CHARACTER|CLOB)( ?\(\d+\))?$/, valueType: 'string' },
  { name: /^(DATETIME|TIMESTAMPTZ|TIMESTAMP WITH(OUT)? TIME ZONE)$/, valueType: 'time' },
  { name: /^BOOL$/, valueType: 'boolean' },
];

/** @param declared the type of a column in capitals @returns itself where it is no type of OCEL */
function valueTypeOf(declared: string): string {
  return valueTypes[declared] ?? affinities.find(({ name }) => name.test(declared))?.valueType ?? declared;
}

async function readTables(
  file: SqliteFile,
  tables: readonly string[],
  database: DuckDbSession,
  rows: LogRows,
  signal: AbortSignal,
): Promise<void> {
  const copy = async (table: LogTable, sql: string, values: readonly string[] = []): Promise<void> => {
    let count = 0;
    for (const row of file.rows(sql, values)) {
      if (++count % 1000 === 0) await takeTurns(signal);
      await rows.add(table, String(row['line']));
    }
  };
  const line = (cells: Readonly<Record<string, string>>): string =>
    `json_object(${Object.entries(cells)
      .map(([name, sql]) => `'${name}', CAST(${sql} AS TEXT)`)
      .join(', ')}) AS line`;

  for (const kind of ['event', 'object'] as const) {
    await copy('declared_type', `SELECT ${line({ kind: `'${kind}'`, name: 'ocel_type' })} FROM ${kind}_map_type`);
    const [from, to] = kind === 'event' ? ['ocel_event_id', 'ocel_object_id'] : ['ocel_source_id', 'ocel_target_id'];
    await copy(
      `${kind}_object`,
      `SELECT ${line({ source: from, target: to, qualifier: 'ocel_qualifier' })} FROM ${kind}_object`,
    );
    const read = new Set<string>();
    for (const { type, table } of typeTables(file, kind, tables)) {
      const quoted = doubleQuoted(table);
      // Two types may share a table.
      const isFirst = !read.has(table);
      read.add(table);
      for (const { name, type: declared } of columnsOf(file, table).filter(isAttribute)) {
        const valueType = valueTypeOf(declared);
        await rows.add('declared_attribute', JSON.stringify({ kind, type, name, value_type: valueType }));
        if (!isFirst) continue;
        const value = { owner: 'ocel_id', name: singleQuoted(name), value: exactText(doubleQuoted(name)) };
        const held = `FROM ${quoted} WHERE ${doubleQuoted(name)} IS NOT NULL`;
        if (kind === 'event') await copy('event_value', `SELECT ${line(value)} ${held}`);
        else {
          const changed = columnOrNull(file, table, 'ocel_changed_field');
          const mine = `AND (${changed} IS NULL OR ${changed} = ${singleQuoted(name)} COLLATE NOCASE)`;
          const time = columnOrNull(file, table, 'ocel_time');
          // pm4py writes the first values of objects without a time, and without that column where nothing changes.
          const since = `CASE WHEN ${changed} IS NULL THEN coalesce(${time}, '${firstTime}') ELSE ${time} END`;
          await copy('object_value', `SELECT ${line({ ...value, time: since })} ${held} ${mine}`);
        }
      }
      if (kind === 'event') {
        const own = `SELECT ${line({ id: 'event.ocel_id', type: 'event.ocel_type', time: 'held.ocel_time' })}
          FROM event LEFT JOIN ${quoted} AS held ON held.ocel_id = event.ocel_id WHERE event.ocel_type = ?`;
        await copy('event', own, [type]);
      }
    }
  }
  await copy('object', `SELECT ${line({ id: 'ocel_id', type: 'ocel_type' })} FROM object`);
  // Events of an unknown type, or of an unreadable table, still exist.
  const known = typeTables(file, 'event', tables).map(({ type }) => singleQuoted(type));
  const others = `ocel_type IS NULL OR ocel_type NOT IN (${known.join(', ')})`;
  await copy('event', `SELECT ${line({ id: 'ocel_id', type: 'ocel_type', time: 'NULL' })} FROM event WHERE ${others}`);
  // An index would give them in the order of their ids.
  await copy('event_order', `SELECT ${line({ id: 'ocel_id' })} FROM event NOT INDEXED`);
  await rows.load(database, signal);
  await database.run(orderEventsSql, { signal });
}

/** The table of all events has their order, which the tables of the types lose. */
const orderEventsSql = `CREATE OR REPLACE TABLE event AS SELECT event.* FROM event
  LEFT JOIN (SELECT id, min(rowid) AS place FROM event_order GROUP BY id) AS ordered USING (id) ORDER BY place`;

/** SQLite rounds floating-point numbers to 15 digits when it makes them texts. */
function exactText(value: string): string {
  return `CASE typeof(${value}) WHEN 'real' THEN printf('%!.17g', ${value}) ELSE ${value} END`;
}

/** The time of values that hold from the start. */
const firstTime = '1970-01-01 00:00:00';

/** A missing table has no columns. */
function hasColumns(file: SqliteFile, table: string, wanted: readonly string[]): boolean {
  const own = columnsOf(file, table).map(({ name }) => name.toLowerCase());
  return wanted.every((name) => own.includes(name));
}

function columnOrNull(file: SqliteFile, table: string, name: string): string {
  return hasColumns(file, table, [name]) ? name : 'NULL';
}

/** The types of a kind with a name and a readable table. SQLite ignores case in names. Values of objects need no time. */
function typeTables(file: SqliteFile, kind: 'event' | 'object', tables: readonly string[]) {
  const named = new Map(tables.map((table) => [table.toLowerCase(), table]));
  const needed = kind === 'event' ? ['ocel_id', 'ocel_time'] : ['ocel_id'];
  return [
    ...file.rows(`SELECT ocel_type AS type, ocel_type_map AS suffix FROM ${kind}_map_type WHERE ocel_type IS NOT NULL`),
  ].flatMap((row) => {
    const table = named.get(`${kind}_${String(row['suffix'])}`.toLowerCase());
    return table !== undefined && hasColumns(file, table, needed) ? [{ type: String(row['type']), table }] : [];
  });
}

function isAttribute({ name }: Column): boolean {
  return !['ocel_id', 'ocel_time', 'ocel_changed_field'].includes(name.toLowerCase());
}
