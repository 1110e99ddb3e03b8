import { embeddedLiteral, quoteIdentifier } from '../../query/quote.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { SourceError } from '../source-error.ts';
import { tryValueSql, valueSql } from './cell-values.ts';
import { withDeclaredTypes } from './declared-types.ts';
import { type FolderColumn, type FolderValue, folderType } from './hive-folders.ts';
import type { InspectedFile } from './inspected-file.ts';
import { foldedName } from './json-types.ts';
import type { JsonPlan, PlanColumn } from './plan-types.ts';
import type { FileOptions } from './read-settings.ts';

/**
 * The parts with columns for the values in the names of their folders; of columns that the files have themselves, those
 * of the files count. Rejects with `source-config` where a value does not have its declared type, and for two types.
 */
export async function withFolderColumns(
  unread: readonly InspectedFile[],
  optionsOf: (part: InspectedFile) => FileOptions,
  session: Promise<DuckDbSession>,
  signal: AbortSignal | undefined,
): Promise<readonly InspectedFile[]> {
  const parts = unread.map((part) => withoutNulls(part, optionsOf(part)));
  const [first] = parts;
  if (!first?.folders) return parts;
  const own = new Set(first.plan.columns.map(({ name }) => foldedName(name)));
  const detected = first.folders
    .filter(({ name }) => !own.has(foldedName(name)))
    .map(({ name }): PlanColumn => ({ name, type: folderType(parts.map((part) => valueOf(part, name))) }));
  if (detected.length === 0) return parts;
  const options = { types: typesOf(parts, new Set(detected.map(({ name }) => name)), optionsOf) };
  const wishes = { options, signal, path: first.path, readFrom: first.path, reader: 'read_csv' } as const;
  const columns = await withDeclaredTypes(detected, { ...wishes, session: await session });
  for (const column of columns) if (column.isDeclared) await checkValues(column, parts, await session, signal);
  return parts.map((part) => ({
    ...part,
    folderColumns: columns.map((column): FolderColumn => ({ ...column, value: valueOf(part, column.name) })),
  }));
}

/** What means a missing value in text files with columns does so in the names of their folders, too. */
function withoutNulls(part: InspectedFile, { nullValues = [] }: FileOptions): InspectedFile {
  if (part.plan.kind !== 'csv' || !part.folders) return part;
  const folders = part.folders.map((each) =>
    each.value !== null && nullValues.includes(each.value) ? { ...each, value: null } : each,
  );
  return { ...part, folders };
}

/** The declared types of columns of folders, which are those of all parts. */
function typesOf(
  parts: readonly InspectedFile[],
  names: ReadonlySet<string>,
  optionsOf: (part: InspectedFile) => FileOptions,
): Readonly<Record<string, string>> {
  const found = new Map<string, string>();
  for (const part of parts) {
    for (const [name, type] of Object.entries(optionsOf(part).types ?? {})) {
      if (!names.has(name)) continue;
      const other = found.get(name) ?? type;
      if (other !== type) {
        throw new SourceError(
          'source-config',
          `types names ${other} and ${type} for ${name}, which is one column of all files in the folders ${name}=….`,
          { file: part.path, remedy: `Set types: { "${name}": … } once, for the data source.` },
        );
      }
      found.set(name, type);
    }
  }
  return Object.fromEntries(found);
}

/** SQL of a value with its name. */
export function folderColumnSql(column: FolderColumn): string {
  const value =
    column.value === null ? `CAST(NULL AS ${column.type})` : valueSql(embeddedLiteral(column.value), column, asWritten);
  return `${value} AS ${quoteIdentifier(column.name)}`;
}

/** Values in folder names are in ISO 8601 only. */
const asWritten: JsonPlan = { kind: 'json', lines: false, isOfRecords: true, columns: [] };

function valueOf({ folders = [] }: { readonly folders?: readonly FolderValue[] }, column: string): string | null {
  return folders.find(({ name }) => name === column)?.value ?? null;
}

async function checkValues(
  column: PlanColumn,
  parts: readonly InspectedFile[],
  session: DuckDbSession,
  signal: AbortSignal | undefined,
): Promise<void> {
  const texts = [...new Set(parts.flatMap((part) => valueOf(part, column.name) ?? []))];
  if (texts.length === 0) return;
  const list = texts.map((text) => embeddedLiteral(text)).join(', ');
  const [refused] = await session.query(
    `SELECT x FROM (SELECT unnest([${list}]) AS x) WHERE ${tryValueSql('x', column, asWritten)} IS NULL LIMIT 1`,
    { signal },
  );
  if (!refused) return;
  const text = String(refused['x']);
  const part = parts.find((each) => valueOf(each, column.name) === text);
  throw new SourceError(
    'source-config',
    `types names ${column.type} for ${column.name}, and the folder ${column.name}=${text} has another value.`,
    { ...(part && { file: part.path }), remedy: `Set types: { "${column.name}": VARCHAR }, or rename the folder.` },
  );
}
