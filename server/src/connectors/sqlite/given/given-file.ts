import type { Column, DataObject } from '../../../catalog/catalog.ts';
import { quoteIdentifier } from '../../../query/quote.ts';
import { type SqliteFile, type SqliteValue, openSqliteFile } from '../../../store/sqlite-file.ts';
import type { GivenData } from '../../given/given-data.ts';
import { GivenRowsError } from '../../given/given-rows.ts';
import { storageOf } from '../column-type.ts';
import type { TimeStorage } from '../read-settings.ts';
import { givenCells } from './given-cells.ts';

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
