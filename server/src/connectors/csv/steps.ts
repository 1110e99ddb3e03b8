import { basename } from 'node:path';
import type { CompiledQuery, QueryStep } from '../../query/compiled-query.ts';
import type { QueryPurpose } from '../connector.ts';
import { openSharedScratch } from '../../store/shared-scratch.ts';
import { queryColumn } from '../embedded/column-types.ts';
import { locateError } from './locate-error.ts';
import type { FileSource } from './file-source.ts';
import { type InspectedFile, type AttachedFile, filesOnDisk } from './inspected-file.ts';
import { needsCopy } from './read-plan.ts';
import { cappedSql } from '../embedded/preview-sql.ts';
import { loadSql } from '../embedded/load-sql.ts';
import { valueMatchSteps } from './value-match-warnings.ts';
import { attachFile } from './attach-file.ts';
import { createViewsSql, dropViewSql, neededFiles } from './views.ts';

/** The executed statements, except for paths of temporary files. */
export async function querySteps(
  source: FileSource,
  query: CompiledQuery,
  purpose: QueryPurpose,
): Promise<readonly QueryStep[]> {
  const files = await neededFiles(source, query, undefined);
  const shown = files.map(shownFile);
  const { functions, views: ofFiles } = createViewsSql(shown, query);
  const views = [...functions, ...ofFiles].map(({ title, sql }) => step('setup', title, sql));
  const core = step('core', 'Core query', query.sql);
  if (purpose.kind === 'preview') {
    const title = `Executed: the core query, capped at ${purpose.limit} rows (one more tells whether there are more)`;
    return [...views, core, step('wrap', title, cappedSql(query, purpose.limit))];
  }
  const staging = 'Executed: the core query into a table, with casts to the types of a graph';
  const isInParts = source.config.incremental && files.some(({ parts }) => parts);
  const title = isInParts ? `${staging}; one part after the other where each row is made of one of a file` : staging;
  const { table = 'staged' } = purpose;
  return [
    ...views,
    core,
    step('wrap', title, await importSql(source, query, files, table)),
    ...valueMatchSteps(query).map(({ title: each, sql }) => step('setup', each, sql)),
    ...files.map((file) =>
      step('setup', `The view of ${file.parts ? file.name : basename(file.path)} goes`, dropViewSql({ file })),
    ),
  ];
}

/** Staging depends on the result types, which DuckDB determines. */
async function importSql(
  source: FileSource,
  query: CompiledQuery,
  files: readonly InspectedFile[],
  table: string,
): Promise<string> {
  const session = await openSharedScratch();
  try {
    const attached: AttachedFile[] = [];
    for (const file of files)
      attached.push(await attachFile(file, source.temporaryFolder, { verify: false, workbooks: source.workbooks }));
    const { functions, views } = createViewsSql(attached, query);
    await session.runAll(functions.map(({ sql }) => sql));
    for (const { sql } of views) await session.run(sql);
    const columns = await session.describe(query.sql);
    const described = columns.map(({ name, type }) => queryColumn(name, type));
    return loadSql(query, table, described, undefined).sql;
  } catch (error) {
    const attached = filesOnDisk(files).map((file) => ({ file, readFrom: file.path }));
    throw await locateError(error, attached, query, 0, source);
  } finally {
    await session.close();
  }
}

function shownFile(file: InspectedFile): AttachedFile {
  return { file, readFrom: shownPath(file), parts: file.parts?.map(shownFile) };
}

function shownPath(file: InspectedFile): string {
  const { plan, path } = file;
  if (!needsCopy(plan)) return path;
  if (plan.kind === 'workbook') return `<rows of ${file.table?.name ?? 'a table'} in ${path} as lists of texts>`;
  if (plan.kind === 'json') return `<copy of ${path} with long numbers as texts>`;
  return plan.kind === 'csv' && plan.mixedLineEnds
    ? `<copy in which all lines of ${path} end alike>`
    : `<copy in UTF-8 of ${path}>`;
}

function step(role: QueryStep['role'], title: string, text: string): QueryStep {
  return { kind: 'sql', dialect: 'duckdb', role, title, text };
}
