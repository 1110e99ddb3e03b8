import type { Column, DataObject } from '../../../catalog/catalog.ts';
import { quoteIdentifier } from '../../../query/quote.ts';
import { type SqliteFile, type SqliteValue, openSqliteFile } from '../../../store/sqlite-file.ts';
import type { GivenData } from '../../given/given-data.ts';
import { GivenRowsError } from '../../given/given-rows.ts';
import { storageOf } from '../column-type.ts';
import type { TimeStorage } from '../read-settings.ts';
import type { WrittenValue } from '../../../catalog/written-value.ts';
import { jsonOf } from '../../../dialects/standard/written-value.ts';
import { givenTimeReader } from '../../given/given-time.ts';

/**
 * Writes a database file with the data objects of the source and the given rows. Resolves to how each column stores its
 * times, by `table.column`. Rejects with `GivenRowsError` for rows that SQLite refuses.
 * @param settings how columns store times by the settings of the source.
 */
export async function writeGivenFile(
  path: string,
  data: GivenData,
  settings: ReadonlyMap<string, TimeStorage>,
): Promise<ReadonlyMap<string, TimeStorage>> {
  const times = new Map<string, TimeStorage>();
  const file = await openSqliteFile(path, 'create');
  try {
    file.run('BEGIN');
    for (const object of data.catalog.objects) {
      const columns = object.columns.map((column) => {
        const key = `${object.name}.${column.name}`.toLowerCase();
        const storage = settings.get(key) ?? storageOf(column.type) ?? storageOfSense[column.sense] ?? 'none';
        times.set(key, storage);
        return { ...column, storage };
      });
      writeObject(file, { ...object, columns }, data);
    }
    file.run('COMMIT');
  } finally {
    file.close();
  }
  return times;
}

type StoredObject = Omit<DataObject, 'columns'> & {
  readonly columns: readonly (Column & { readonly storage: TimeStorage })[];
};

/** Storage for a declared type such as DATETIME, which is otherwise derived from the values. */
const storageOfSense: Readonly<Partial<Record<Column['sense'], TimeStorage>>> = { timestamp: 'text', date: 'date' };

function writeObject(
  file: SqliteFile,
  { name, path, columns, primaryKey }: StoredObject,
  { objects, timeZone }: GivenData,
): void {
  const table = quoteIdentifier(path.at(-1) ?? name);
  // A column of times has no affinity: SQLite returns values as they were written.
  const declared = columns.map(({ name: column, type, storage }) =>
    `${quoteIdentifier(column)} ${storage === 'none' ? quoteIdentifier(type) : ''}`.trim(),
  );
  const keys = primaryKey.length > 0 ? [`PRIMARY KEY (${primaryKey.map(quoteIdentifier).join(', ')})`] : [];
  file.run(`CREATE TABLE ${table} (${[...declared, ...keys].join(', ')})`);
  const rows = objects.find(({ dataObject }) => dataObject === name)?.rows ?? [];
  const cells = columns.map((column) =>
    givenCells(
      rows.map((row) => row.get(column.name) ?? { kind: 'null', text: '' }),
      column,
      column.storage,
      timeZone,
    ),
  );
  const insert = `INSERT INTO ${table} VALUES (${columns.map(() => '?').join(', ')})`;
  try {
    for (const index of rows.keys()) {
      file.run(
        insert,
        cells.map((column): SqliteValue => column[index] ?? null),
      );
    }
  } catch (error) {
    throw new GivenRowsError(name, error);
  }
}

/**
 * The written values of a column as SQLite stores them. Times without offset are in the time zone of the source.
 */
function givenCells(
  values: readonly WrittenValue[],
  { sense }: Pick<Column, 'sense'>,
  storage: TimeStorage,
  timeZone: string,
): readonly SqliteValue[] {
  const toUtc = givenTimeReader(timeZone).utc;
  return values.map((value) => {
    const { kind, text } = value;
    if (kind === 'null') return null;
    switch (storage) {
      case 'none':
        return plainCell(value, sense);
      case 'date':
      case 'text':
        return text;
      default:
        return numbers[storage](Date.parse(toUtc(text)));
    }
  });
}

function plainCell(value: WrittenValue, sense: Column['sense']): SqliteValue {
  const { kind, text } = value;
  if (sense === 'json') return jsonOf(value);
  if (sense === 'boolean' || kind === 'boolean') return /^(?:true|1)$/i.test(text) ? 1 : 0;
  // In a text column, digits stay as written.
  const isNumber = sense === 'integer' || sense === 'number' || (sense === 'other' && kind === 'number');
  if (!isNumber || text.trim() === '' || !Number.isFinite(Number(text))) return text;
  return /^[+-]?\d+$/.test(text) ? BigInt(text) : Number(text);
}

/** Numbers for times in milliseconds since 1970. */
const numbers = {
  'unix-seconds': (milliseconds: number): number => milliseconds / 1000,
  'unix-milliseconds': (milliseconds: number): number => milliseconds,
  'julian-days': (milliseconds: number): number => milliseconds / 86_400_000 + 2_440_587.5,
} as const;
