import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { CappedRows } from '../../store/capped-rows.ts';
import { type DuckDbSession, openScratch } from '../../store/duckdb-store.ts';
import { lockDatabase } from '../../store/sandbox.ts';
import type { CastFailure, Preview, PreviewOptions, QueryColumn } from '../connector.ts';
import { withPreviewTimeout } from '../preview-timeout.ts';
import { isSourceError } from '../source-error.ts';
import { isMadeOfText, tryValueSql } from './cell-values.ts';
import { queryColumn } from '../embedded/column-types.ts';
import { cappedSql, lenientSql, type TryCast, withCastFailures, wrapPrefix } from '../embedded/preview-sql.ts';
import { inUtc } from '../embedded/times-in-utc.ts';
import { locateError } from './locate-error.ts';
import type { FileSource } from './file-source.ts';
import type { AttachedFile } from './inspected-file.ts';
import { attachFile } from './attach-file.ts';
import { createViewSql, createViewsSql, neededFiles, readablePaths, type ViewNeeds } from './views.ts';

const noNeeds: ViewNeeds = { fileRow: false, texts: [] };

/**
 * Runs a query over files in a sandboxed in-memory database. Rejects with a
 * `SourceError`, such as `statement-timeout`.
 */
export async function preview(source: FileSource, query: CompiledQuery, options: PreviewOptions): Promise<Preview> {
  const started = performance.now();
  return withPreviewTimeout(options, source.config.statementTimeoutMs, async (signal) => {
    const { columns, rows, castFailures, ...end } = await runOnFiles(source, query, options, signal);
    return {
      columns,
      rows: inUtc(rows, columns, query, source.config.timeZone),
      ...end,
      durationMs: Math.round(performance.now() - started),
      ...(castFailures?.length && { castFailures }),
    };
  });
}

interface Answer extends CappedRows {
  readonly columns: readonly QueryColumn[];
  readonly castFailures?: readonly CastFailure[];
}

async function runOnFiles(
  source: FileSource,
  query: CompiledQuery,
  options: PreviewOptions,
  signal: AbortSignal,
): Promise<Answer> {
  for (;;) {
    const files = await neededFiles(source, query, signal);
    const attached: AttachedFile[] = [];
    for (const file of files)
      attached.push(
        await attachFile(file, source.temporaryFolder, { verify: false, signal, workbooks: source.workbooks }),
      );
    try {
      return await runConfined(source, attached, query, options, signal);
    } catch (error) {
      if ((await source.learn(files, error, signal)).length === 0) throw error;
    }
  }
}

async function runConfined(
  source: FileSource,
  attached: readonly AttachedFile[],
  query: CompiledQuery,
  { limit, keepCastFailures = false }: PreviewOptions,
  signal: AbortSignal,
): Promise<Answer> {
  const session = await openScratch({ temporaryFolder: await source.temporaryFolder() });
  const failed = (offset: number) => async (error: unknown) => {
    throw signal.aborted ? signal.reason : await locateError(error, attached, query, offset, source);
  };
  try {
    const { functions, views } = createViewsSql(attached, query);
    await session.runAll(functions.map(({ sql }) => sql));
    for (const { sql } of views) await session.run(sql, { signal }).catch(failed(Infinity));
    await lockDatabase(session, { files: readablePaths(attached), folders: [] });
    const described = await session.describe(query.sql).catch(failed(0));
    const columns = described.map(({ name, type }) => queryColumn(name, type));
    try {
      const { columns: _, ...first } = await session
        .firstRows(cappedSql(query, limit), limit, { signal })
        .catch(failed(wrapPrefix.length));
      return { ...first, columns };
    } catch (error) {
      const [file] = attached;
      // The parts of a data object may have different time formats.
      if (!keepCastFailures || !file || file.parts || !isSourceError(error) || error.code !== 'file-malformed')
        throw error;
      // Errors other than invalid values are reported unchanged.
      const lenient = await readTexts(session, file, query, columns, limit, signal).catch(() => undefined);
      if (!lenient || signal.aborted) throw signal.aborted ? signal.reason : error;
      return lenient;
    }
  } finally {
    await session.close();
  }
}

/** Reads the columns of a file as text, and converts each value. */
async function readTexts(
  session: DuckDbSession,
  attached: AttachedFile,
  query: CompiledQuery,
  columns: readonly QueryColumn[],
  limit: number,
  signal: AbortSignal,
): Promise<Answer> {
  const { plan } = attached.file;
  const casts = plan.columns.map((column): TryCast =>
    isMadeOfText(column, plan) ? (text) => tryValueSql(text, column, plan) : undefined,
  );
  const texts = plan.columns.map((column, index) => (casts[index] ? { ...column, type: 'VARCHAR' } : column));
  await session.run(
    createViewSql({ ...attached, file: { ...attached.file, plan: { ...plan, columns: texts } } }, noNeeds),
  );
  const first = await session.firstRows(lenientSql(query, casts, limit), limit, { signal });
  return { ...first, columns, ...withCastFailures(first.rows, columns.length) };
}
