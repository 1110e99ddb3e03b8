import type { CatalogContent, Column, DataObject, ForeignKey } from '../../catalog/catalog.ts';
import { sampleValues } from '../../catalog/sample-values.ts';
import { quoteIdentifier, quoteLiteral } from '../../query/quote.ts';
import type { SqliteCell } from '../../store/sqlite-reader/sqlite-reader.ts';
import type { OperationOptions } from '../connector.ts';
import type { SqliteConfig } from './read-settings.ts';
import { firstRowsInTime, lateRowsWarning } from '../preview-timeout.ts';
import { fileFailure } from './errors.ts';
import { openSession, resultColumns, type Session } from './session.ts';

/** The catalog of an SQLite file. A view that cannot be read becomes a warning. Rejects with a `SourceError`. */
export async function introspect(
  config: SqliteConfig,
  { signal, onProgress }: OperationOptions,
): Promise<CatalogContent> {
  let session = await openSession(config, signal);
  try {
    const found: DataObject[] = [];
    const warnings: string[] = [];
    for (const [name, type, withoutRowid] of await rowsOf(session, objectsSql, signal)) {
      onProgress?.(String(name));
      try {
        if (type !== 'view') {
          found.push(await describe(session, String(name), { isWithoutRowid: withoutRowid === 1 }, signal));
          continue;
        }
        const opened = session;
        const read = await firstRowsInTime(signal, config.statementTimeoutMs, (either) =>
          describe(opened, String(name), { isView: true }, either),
        );
        if (read) {
          found.push(read);
          continue;
        }
        // What was not in time has ended the process of the reader.
        opened.reader.close();
        session = await openSession(config, signal);
        found.push(await describe(session, String(name), { isView: true, isLate: true }, signal));
        warnings.push(lateRowsWarning(String(name), config.name));
      } catch (error) {
        signal?.throwIfAborted();
        if (type === 'table') throw error;
        const reason = error instanceof Error ? error.message : String(error);
        warnings.push(`${String(name)} of ${config.name} is left out, because it cannot be read: ${reason}.`);
      }
    }
    const objects = found.map((object) => withReferences(object, found));
    return {
      objects,
      complete: true,
      readAt: new Date().toISOString(),
      warnings: [...warnings, ...unknownTimes(config, objects)],
    };
  } catch (error) {
    throw fileFailure(error, config.path);
  } finally {
    session.reader.close();
  }
}

const objectsSql = `SELECT name, type, wr FROM pragma_table_list
  WHERE schema = 'main' AND type IN ('table', 'view', 'virtual') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name`;

/** Number of example rows. */
const shownRows = 20;

interface DescribedAs {
  readonly isView?: boolean;
  readonly isWithoutRowid?: boolean;
  /** Its rows take too long. */
  readonly isLate?: boolean;
}

async function describe(
  session: Session,
  name: string,
  { isView = false, isWithoutRowid = false, isLate = false }: DescribedAs,
  signal: AbortSignal | undefined,
): Promise<DataObject> {
  const literal = quoteLiteral(name, 'sqlite');
  const all = `SELECT * FROM ${quoteIdentifier(name)}`;
  const types = await resultColumns(session, { sql: all }, signal, { byValues: !isLate });
  const declared = await rowsOf(
    session,
    `SELECT name, "notnull", pk FROM pragma_table_xinfo(${literal}) WHERE hidden <> 1 ORDER BY cid`,
    signal,
  );
  const samples = isLate ? [] : await rowsOf(session, `${all} LIMIT ${shownRows}`, signal);
  const primaryKey = declared
    .filter(([, , place]) => Number(place) > 0)
    .toSorted((left, right) => Number(left[2]) - Number(right[2]))
    .map(([column]) => String(column));
  const foreignKeys = await readForeignKeys(session, literal, signal);
  const columns = types.map((type, index): Column => {
    const isKey = primaryKey.includes(type.name);
    const said = type.times?.isGuess
      ? { comment: `Read as ${type.type}, guessed from the first values. Set times.${name}.${type.name} to change it.` }
      : {};
    return {
      name: type.name,
      type: type.type,
      sense: type.sense,
      ...said,
      ...(type.timeForm !== undefined && { timeForm: type.timeForm }),
      // A primary key of SQLite may be NULL, except for rowids.
      nullable: declared[index]?.[1] !== 1 && !isKey,
      primaryKey: isKey,
      ...sampleValues(
        type.name,
        samples.map((row) => row[index]),
      ),
    };
  });
  const estimate = isView || isWithoutRowid ? undefined : await largestRowid(session, name, signal);
  return {
    name,
    kind: isView ? 'view' : 'table',
    path: [name],
    file: session.config.path,
    columns,
    primaryKey,
    foreignKeys,
    statistics: { columnCount: columns.length, ...(estimate !== undefined && { rowEstimate: estimate }) },
  };
}

async function readForeignKeys(
  session: Session,
  literal: string,
  signal: AbortSignal | undefined,
): Promise<readonly ForeignKey[]> {
  const rows = await rowsOf(
    session,
    `SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(${literal}) ORDER BY id, seq`,
    signal,
  );
  const keys = new Map<SqliteCell, { dataObject: string; columns: string[]; targets: string[] }>();
  for (const [id = null, table, from, to] of rows) {
    const key = keys.get(id) ?? { dataObject: String(table), columns: [], targets: [] };
    key.columns.push(String(from));
    if (to !== null) key.targets.push(String(to));
    keys.set(id, key);
  }
  return [...keys.values()].map(({ dataObject, columns, targets }) => ({
    name: columns.join(', '),
    columns,
    references: { dataObject, columns: targets },
  }));
}

/** A foreign key without columns refers to the primary key; names may differ by case. */
function withReferences(object: DataObject, objects: readonly DataObject[]): DataObject {
  const foreignKeys = object.foreignKeys.flatMap((key): readonly ForeignKey[] => {
    const target = objects.find(({ name }) => name.toLowerCase() === key.references.dataObject.toLowerCase());
    if (!target) return [];
    const columns = key.references.columns.length > 0 ? key.references.columns : target.primaryKey;
    return [{ ...key, references: { dataObject: target.name, columns } }];
  });
  const columns = object.columns.map((column) => {
    const [reference] = foreignKeys.flatMap(({ columns: from, references }) => {
      const to = references.columns[from.findIndex((name) => name.toLowerCase() === column.name.toLowerCase())];
      return to === undefined ? [] : [{ dataObject: references.dataObject, column: to }];
    });
    return reference ? { ...column, references: reference } : column;
  });
  return { ...object, columns, foreignKeys };
}

/** Found without reading the table. */
async function largestRowid(
  session: Session,
  name: string,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  const rows = await rowsOf(session, `SELECT max(rowid) FROM ${quoteIdentifier(name)}`, signal).catch(() => []);
  const [largest = null] = rows[0] ?? [];
  return typeof largest === 'number' && largest >= 0 ? largest : undefined;
}

function unknownTimes(config: SqliteConfig, objects: readonly DataObject[]): readonly string[] {
  const known = new Set(
    objects.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`.toLowerCase())),
  );
  return [...config.times.keys()]
    .filter((column) => !known.has(column))
    .map((column) => `Data source ${config.name}: times.${column} names no column of the file.`);
}

async function rowsOf(
  { reader }: Session,
  sql: string,
  signal: AbortSignal | undefined,
): Promise<readonly (readonly SqliteCell[])[]> {
  return (await reader.request('rows', { sql, limit: 1_000_000 }, signal)).rows;
}
