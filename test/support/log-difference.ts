import { join } from 'node:path';
import { ocelReaders, type OcelForm } from '../../server/src/event-logs/ocel/read-log.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder } from './temporary-folder.ts';

/** What two logs must have in common to be identical: ids, types, times, attributes with their times, and relations. */
const parts = {
  types: 'SELECT kind, name FROM declared_type',
  attributes: 'SELECT kind, type, name, value_type FROM declared_attribute',
  events: 'SELECT id, type, CAST(time AS TIMESTAMPTZ) FROM event',
  objects: 'SELECT id, type FROM object',
  'event values': 'SELECT owner, name, value FROM event_value WHERE value IS NOT NULL',
  'object values': 'SELECT owner, name, value, CAST(time AS TIMESTAMPTZ) FROM object_value WHERE value IS NOT NULL',
  'event relations': 'SELECT source, target, qualifier FROM event_object',
  'object relations': 'SELECT source, target, qualifier FROM object_object',
} as const;

export type LogPart = keyof typeof parts;

/** The rows of a log, part by part, sorted. */
export async function logRows(path: string, form: OcelForm): Promise<Readonly<Record<LogPart, readonly string[]>>> {
  const folder = await folderWith({});
  const database = await openScratch({ temporaryFolder: folder });
  try {
    await ocelReaders[form](path, database, join(folder), new AbortController().signal);
    const rows: [string, readonly string[]][] = [];
    for (const [part, sql] of Object.entries(parts)) {
      const found = await database.table(sql);
      rows.push([part, found.rows.map((row) => row.join(' | ')).toSorted()]);
    }
    return Object.fromEntries(rows) as Record<LogPart, readonly string[]>;
  } finally {
    await database.close();
    await removeFolder(folder);
  }
}

/** Rows that only one of two logs has, some of each part, and the number of rows that were compared. */
export async function logDifference(
  [one, other]: readonly [string, string],
  form: OcelForm,
): Promise<{ readonly differences: readonly string[]; readonly rows: Readonly<Record<LogPart, number>> }> {
  const [first, second] = [await logRows(one, form), await logRows(other, form)];
  const names = Object.keys(parts) as LogPart[];
  const differences = names.flatMap((part) => {
    const [before, after] = [new Set(first[part]), new Set(second[part])];
    const lost = first[part].filter((row) => !after.has(row)).map((row) => `${part}: lost ${row}`);
    const added = second[part].filter((row) => !before.has(row)).map((row) => `${part}: added ${row}`);
    const counts =
      first[part].length === second[part].length
        ? []
        : [`${part}: ${first[part].length} rows, then ${second[part].length}`];
    return [...counts, ...lost.slice(0, 5), ...added.slice(0, 5)];
  });
  const rows = Object.fromEntries(names.map((part) => [part, first[part].length])) as Record<LogPart, number>;
  return { differences, rows };
}
