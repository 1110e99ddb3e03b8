import { basename, join } from 'node:path';
import type { CompiledQuery, ElementQuery } from '../../query/compiled-query.ts';
import { fileRowColumn } from '../../query/file-row.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import type { TextColumn } from '../../query/text-columns.ts';
import { fileReadError } from '../file-read-error.ts';
import { SourceError } from '../source-error.ts';
import { valueFunctionsOf } from './cell-values.ts';
import { type TextOptions, writeUtf8Copy } from './encodings.ts';
import type { FileSource } from './file-source.ts';
import type { InspectedFile, SourceFile, AttachedFile } from './inspected-file.ts';
import { withOneLineEnd } from './mixed-line-ends.ts';
import type { ReadPlan } from './plan-types.ts';
import { enginePath, needsCopy, plainUtf8, readFileSql } from './read-plan.ts';
import { verifyCompressed } from './read-sample.ts';

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
    if (!file) throw objectMissing(source, name, files);
    found.push(await source.inspect(file, signal));
  }
  return found;
}

/**
 * Prepares a file for DuckDB: other encodings are converted in `folder`. `verify` reads compressed files to their
 * checksum.
 */
export async function attachFile(
  file: InspectedFile,
  folder: () => Promise<string>,
  options: { readonly verify: boolean; readonly signal?: AbortSignal | undefined },
): Promise<AttachedFile> {
  const { plan, path } = file;
  if (plan.kind !== 'csv') return { file, readFrom: path };
  if (needsCopy(plan)) {
    const copy = join(await folder(), `${file.name} in UTF-8.csv`);
    const text: TextOptions = { encoding: plan.encoding, gzip: plan.gzip, signal: options.signal };
    try {
      await writeUtf8Copy(path, copy, text, plan.mixedLineEnds ? (pieces) => withOneLineEnd(pieces, plan) : undefined);
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      throw fileReadError(path, error);
    }
    return { file, readFrom: copy };
  }
  // DuckDB reads a truncated compressed file without an error.
  if (plan.gzip && options.verify) await verifyCompressed(path, options.signal);
  return { file, readFrom: path };
}

/** The statements that create views on the files of a query, in order. */
export function createViewsSql(attached: readonly AttachedFile[], query: CompiledQuery): ViewStatements {
  const views = attached.map((each, index) => ({
    title: `The file ${basename(each.file.path)} as a view`,
    sql: createViewSql(each, {
      fileRow: wantsFileRow(query, index),
      texts: (query.texts ?? []).filter(({ dataObject }) => dataObject === each.file.name),
    }),
  }));
  const functions = valueFunctionsOf(views.map(({ sql }) => sql).join('\n')).map(({ name, sql }) => ({
    title: `How texts of files become values: ${name}`,
    sql,
  }));
  return { functions, views };
}

export interface ViewStatements {
  /** Functions that the views use. Nothing in them is of users, so that they can be created in one call. */
  readonly functions: readonly ViewStatement[];
  readonly views: readonly ViewStatement[];
}

export interface ViewStatement {
  readonly title: string;
  readonly sql: string;
}

/** Additional columns that a query needs of a file. */
export interface ViewNeeds {
  /** The row number in the file. */
  readonly fileRow: boolean;
  readonly texts: readonly TextColumn[];
}

export function createViewSql({ file, readFrom }: AttachedFile, { fileRow, texts }: ViewNeeds): string {
  const extra = [
    ...texts.map(({ column, as }) => `${quoteIdentifier(column)} AS ${quoteIdentifier(as)}`),
    ...(fileRow ? [`row_number() OVER () AS ${quoteIdentifier(fileRowColumn)}`] : []),
  ];
  return `CREATE OR REPLACE TEMP VIEW ${quoteIdentifier(file.name)} AS ${readFileSql(planFor({ file, readFrom }), readFrom, extra)}`;
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
  return [...new Set(attached.flatMap(({ readFrom }) => [enginePath(readFrom), readFrom]))];
}

function planFor({ file, readFrom }: AttachedFile): ReadPlan {
  const { plan } = file;
  return plan.kind === 'csv' && readFrom !== file.path ? { ...plan, ...plainUtf8 } : plan;
}

function objectMissing(source: FileSource, name: string, files: readonly SourceFile[]): SourceError {
  return new SourceError(
    'object-missing',
    `Data source ${source.config.name} has no file for the data object ${name}.`,
    {
      remedy: `Its data objects are: ${files.map((file) => file.name).join(', ')}.`,
    },
  );
}
