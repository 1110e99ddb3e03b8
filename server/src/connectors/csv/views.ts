import { basename } from 'node:path';
import type { CompiledQuery, ElementQuery, RelationshipQuery } from '../../query/compiled-query.ts';
import { fileRowColumn } from '../../query/file-row.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import type { TextColumn } from '../../query/text-columns.ts';
import { SourceError } from '../source-error.ts';
import { planFor } from './attach-file.ts';
import { valueFunctionsOf } from './cell-values.ts';
import type { FileSource } from './file-source.ts';
import { folderColumnSql } from './folder-columns.ts';
import { type FileObject, type InspectedFile, type AttachedFile, filesOnDisk } from './inspected-file.ts';
import { objectsWithoutParts } from './parts.ts';
import type { ReadPlan, PlanColumn } from './plan-types.ts';
import { readFileSql } from './read-plan.ts';
import { enginePath } from './reader-call.ts';

export function filesOf(attached: readonly AttachedFile[]): readonly InspectedFile[] {
  return attached.map(({ file }) => file);
}

/** The files that a query needs. Rejects with `object-missing` for an unknown data object, or with the file's error. */
export async function neededFiles(
  source: FileSource,
  query: CompiledQuery,
  signal: AbortSignal | undefined,
): Promise<readonly InspectedFile[]> {
  const files = await source.list();
  const found: InspectedFile[] = [];
  for (const name of query.dataObjects) {
    const file = files.find((each) => each.name === name);
    if (!file) {
      const damaged = files.find((each) => isDamagedWorkbook(each) && name.startsWith(`${each.name}/`));
      if (damaged) await source.inspect(damaged, signal);
      throw objectMissing(source, name, files);
    }
    found.push(await source.inspect(file, signal));
  }
  return found;
}

/** The statements that create views on the files of a query, in order. */
export function createViewsSql(attached: readonly AttachedFile[], query: CompiledQuery): ViewStatements {
  const views = attached.map((each, index) => ({
    title: each.parts
      ? `The parts of ${each.file.name} as a view (files: ${each.parts.length})`
      : `The file ${basename(each.file.path)} as a view`,
    sql: createViewSql(each, {
      fileRow: wantsFileRow(query, index),
      texts: (query.texts ?? []).filter(({ dataObject }) => dataObject === each.file.name),
      used: usedColumns(each.file.plan.columns, query),
    }),
  }));
  const functions = valueFunctionsOf(views.map(({ sql }) => sql).join('\n')).map(({ name, sql }) => ({
    title: `How texts of files become values: ${name}`,
    sql,
  }));
  return { functions, views };
}

/** A workbook that could not be opened, so that its tables are unknown. */
function isDamagedWorkbook({ format, table }: FileObject): boolean {
  return format.kind === 'workbook' && !table;
}

interface ViewStatements {
  /** Functions that the views use. They contain no text of users, so they can be created in one call. */
  readonly functions: readonly ViewStatement[];
  readonly views: readonly ViewStatement[];
}

interface ViewStatement {
  readonly title: string;
  readonly sql: string;
}

/** Additional columns that a query needs of a file. */
export interface ViewNeeds {
  /** The row number in the file. */
  readonly fileRow: boolean;
  readonly texts: readonly TextColumn[];
  /** The names of the columns that it uses; default: all. */
  readonly used?: ReadonlySet<string> | undefined;
}

export function createViewSql(attached: AttachedFile, needs: ViewNeeds): string {
  const rows = attached.parts ? partsSql(attached, attached.parts, needs) : fileSql(attached, needs);
  return `CREATE OR REPLACE TEMP VIEW ${quoteIdentifier(attached.file.name)} AS ${rows}`;
}

const fileRowSql = `row_number() OVER () AS ${quoteIdentifier(fileRowColumn)}`;

function fileSql({ file, readFrom }: AttachedFile, { fileRow, texts, used }: ViewNeeds): string {
  const extra = [
    ...(file.folderColumns ?? []).map(folderColumnSql),
    ...texts.map(({ column, as }) => `${quoteIdentifier(column)} AS ${quoteIdentifier(as)}`),
    ...(fileRow ? [fileRowSql] : []),
  ];
  return readFileSql(planFor({ file, readFrom }), readFrom, { extraColumns: extra, used });
}

/** The rows of all parts, one part after the other. */
function partsSql({ file }: AttachedFile, parts: readonly AttachedFile[], { fileRow, texts, used }: ViewNeeds): string {
  const namesOf = ({ columns }: ReadPlan): readonly string[] =>
    columns.flatMap(({ name }) => (used?.has(name) === false ? [] : [name]));
  const names = namesOf(file.plan);
  const further = (file.folderColumns ?? []).map(({ name }) => name);
  const list = [...names, ...further, ...texts.map(({ as }) => as)].map(quoteIdentifier).join(', ');
  const rows = parts.map((part) => {
    const sql = fileSql(part, { fileRow: false, texts, used });
    const isInOrder = namesOf(part.file.plan).every((name, index) => name === names[index]);
    return isInOrder ? sql : `SELECT ${list} FROM (${sql})`;
  });
  const all = rows.join('\nUNION ALL ');
  return fileRow ? `SELECT *, ${fileRowSql} FROM (${all})` : all;
}

export function dropViewSql({ file }: Pick<AttachedFile, 'file'>): string {
  return `DROP VIEW IF EXISTS temp.${quoteIdentifier(file.name)}`;
}

/** Whether the view of a query's `index`-th file needs row numbers: for the element's own file on request. */
function wantsFileRow(query: CompiledQuery, index: number): boolean {
  return index === 0 && 'roles' in query && (query as ElementQuery).roles.rowOrder !== undefined;
}

/** Readable paths of a sandboxed database: each file, also under its escaped name for DuckDB's readers. */
export function readablePaths(attached: readonly AttachedFile[]): readonly string[] {
  return [...new Set(filesOnDisk(attached).flatMap(({ readFrom }) => [enginePath(readFrom), readFrom]))];
}

function objectMissing(source: FileSource, name: string, files: readonly FileObject[]): SourceError {
  const missing = objectsWithoutParts(source.config, files).find((each) => each.name === name);
  const said = `Data source ${source.config.name} has no file for the data object ${name}`;
  const remedy = `Its data objects are: ${files.map((file) => file.name).join(', ')}.`;
  return new SourceError('object-missing', missing ? `${said}. ${missing.reason}` : `${said}.`, { remedy });
}

/** DuckDB plans all columns of a view for each statement that uses it, which counts where there are more. */
const few = 100;

/**
 * The columns of a data object that a query may use, or none if that is not known: its own SQL names each of them in
 * quotes, while custom SQL may use `*`, or a whole row.
 */
function usedColumns(
  columns: readonly PlanColumn[],
  query: CompiledQuery & Partial<Pick<RelationshipQuery, 'valueMatches'>>,
): ReadonlySet<string> | undefined {
  if (columns.length <= few || query.fragments.length > 0) return undefined;
  const { sql, texts = [], valueMatches = [] } = query;
  const names = new Set([
    ...[sql, ...valueMatches.map((match) => match.sql)].flatMap(quotedNames),
    ...texts.map(({ column }) => column.toLowerCase()),
  ]);
  const used = columns.flatMap(({ name }) => (names.has(name.toLowerCase()) ? [name] : []));
  return new Set(used.length > 0 ? used : columns.slice(0, 1).map(({ name }) => name));
}

/** The quoted identifiers of a statement in lower case. */
function quotedNames(sql: string): readonly string[] {
  const tokens = sql.matchAll(/'(?:[^']|'')*'|"((?:[^"]|"")*)"/g);
  return [...tokens].flatMap(([, name]) => name?.replaceAll('""', '"').toLowerCase() ?? []);
}
