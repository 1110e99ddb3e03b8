import type { CompiledQuery } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { confineDatabase } from '../../store/sandbox.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { LoadOptions, LoadResult, OperationOptions, Pull, QueryColumn, StagedColumn } from '../connector.ts';
import { SourceError } from '../source-error.ts';
import { queryColumn, staging as stagedAs } from '../embedded/column-types.ts';
import { appendSql, loadSql } from '../embedded/load-sql.ts';
import { mayHaveLongTexts, readTable, refuseRepeatedTexts } from '../embedded/refuse-repeated-texts.ts';
import { locateError } from './locate-error.ts';
import { fileFingerprint } from './fingerprint.ts';
import { hasChanged, type FileSource } from './file-source.ts';
import { type AttachedFile, type InspectedFile, filesOnDisk } from './inspected-file.ts';
import { enginePath } from './reader-call.ts';
import { hasColumns } from '../load-result.ts';
import { isOfParts, stageParts } from './stage-parts.ts';
import { modelPart } from './unify-parts.ts';
import { valueMatchWarnings } from './value-match-warnings.ts';
import { attachFile } from './attach-file.ts';
import { createViewsSql, dropViewSql, filesOf, neededFiles } from './views.ts';

/**
 * Opens the files of a source for an import. The database of the build reads them in place, and is sandboxed to them
 * from here on. Loads run one after another.
 */
// eslint-disable-next-line max-lines-per-function -- What is learnt of a file in one load (types, copies, changes) counts for all later ones.
export async function openPull(source: FileSource, staging: StagingDatabase, options: OperationOptions): Promise<Pull> {
  options.signal?.throwIfAborted();
  const files = await source.list();
  await confine(
    staging,
    filesOnDisk(files).map((file) => file.path),
  );
  /** By path, because a part may have the name of another data object. */
  const attached = new Map<string, Promise<AttachedFile>>();
  const known: Known = { functions: new Set(), columns: new Map() };
  const attachOne: AttachFile = (file, signal) => {
    const place = attachedAs(file);
    const known = attached.get(place);
    const pending =
      known ??
      attachFile(file, async () => staging.temporaryFolder, { verify: true, signal, workbooks: source.workbooks });
    attached.set(place, pending);
    return pending;
  };
  const attach = async (
    query: CompiledQuery,
    signal: AbortSignal | undefined,
    wants: (part: InspectedFile, parts: readonly InspectedFile[]) => boolean,
  ): Promise<readonly AttachedFile[]> => {
    const found: AttachedFile[] = [];
    for (const file of await neededFiles(source, query, signal)) {
      const { parts } = file;
      if (!parts) {
        found.push(await attachOne(file, signal));
        continue;
      }
      const read: AttachedFile[] = [];
      for (const part of parts) if (wants(part, parts)) read.push(await attachOne(part, signal));
      found.push({ file, readFrom: file.path, parts: read });
    }
    return found;
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  /**
   * Lets the source inspect `files` again after an error, and forgets the copies of changed ones. Rethrows the error if
   * none has changed.
   */
  const mayLearn = async (
    files: readonly InspectedFile[],
    error: unknown,
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    const learnt = await source.learn(files, error, signal);
    if (learnt.length === 0) throw error;
    for (const file of learnt) attached.delete(attachedAs(file));
  };
  const onFiles = async <T>(
    query: CompiledQuery,
    signal: AbortSignal | undefined,
    run: (work: Work) => Promise<T>,
    wants: (part: InspectedFile, parts: readonly InspectedFile[]) => boolean = () => true,
  ): Promise<T> => {
    for (;;) {
      const work: Work = { source, staging, query, attached: await attach(query, signal, wants), known, signal };
      try {
        return await withViews(work, () => run(work));
      } catch (error) {
        await mayLearn(filesOf(filesOnDisk(work.attached)), error, signal);
      }
    }
  };
  const columns = (query: CompiledQuery, signal: AbortSignal | undefined): Promise<readonly QueryColumn[]> =>
    onFiles(query, signal, columnsOf, (part, parts) => part === modelPart(parts));
  const loadParts = async (query: CompiledQuery, table: string, options: LoadOptions): Promise<LoadResult> => {
    const { signal, cached, onRows } = options;
    for (;;) {
      const described = await columns(query, signal);
      const staged = described.map(stagedColumn);
      const [file] = await neededFiles(source, query, signal);
      let reading: InspectedFile | undefined;
      try {
        const loaded = await stageParts({
          staging,
          table,
          parts: file?.parts ?? [],
          cached: cached && hasColumns(cached, staged) ? cached : undefined,
          onRows,
          signal,
          async read(part, isFirst) {
            reading = part;
            const each = await attachOne(part, signal);
            const attachedPart: AttachedFile = { file: file ?? part, readFrom: each.readFrom, parts: [each] };
            const work: Work = { source, staging, query, attached: [attachedPart], known, signal };
            await withViews(work, async () => {
              const { sql, coreOffset } = isFirst
                ? loadSql(query, table, described, undefined)
                : appendSql(query, table, described);
              await attemptLoad(work, sql, coreOffset, described.length);
            });
            if (await hasChanged(part)) throw changedMeanwhile(part.path);
          },
        });
        return { ...loaded, columns: staged, warnings: file?.warnings ?? [] };
      } catch (error) {
        await staging.run(`DROP TABLE IF EXISTS ${quoteIdentifier(table)}`);
        await mayLearn(reading ? [reading] : [], error, signal);
      }
    }
  };
  return {
    columnsOf: (query, { signal }) => inTurn(async () => (await columns(query, signal)).map(stagedColumn)),
    load: (query, table, loadOptions) =>
      inTurn(async () => {
        const { signal, sample } = loadOptions;
        const readsParts =
          source.config.incremental && sample === undefined && (await isOfParts(source, query, staging));
        return readsParts
          ? loadParts(query, table, loadOptions)
          : onFiles(query, signal, (work) => load(work, table, loadOptions));
      }),
    ...(source.config.incremental && {
      fingerprint: (query, { signal }) => inTurn(() => fileFingerprint(source, query, staging, signal)),
    }),
    async close() {
      await last;
    },
  };
}

/** A file, or a table of it. */
function attachedAs({ path, table }: InspectedFile): string {
  return table ? `${path}/${table.name}` : path;
}

type AttachFile = (file: InspectedFile, signal: AbortSignal | undefined) => Promise<AttachedFile>;

interface Work {
  readonly source: FileSource;
  readonly staging: StagingDatabase;
  readonly query: CompiledQuery;
  readonly attached: readonly AttachedFile[];
  readonly known: Known;
  readonly signal: AbortSignal | undefined;
}

/** Facts about the database and the files that later queries of an import reuse. */
interface Known {
  /** The statements of functions that exist in the database. */
  readonly functions: Set<string>;
  /** The columns of queries by their text, and the files for which they hold. */
  readonly columns: Map<
    string,
    { readonly attached: readonly AttachedFile[]; readonly columns: readonly QueryColumn[] }
  >;
}

/** Views exist during one query only, because their names could conflict with tables of the graph. */
async function withViews<T>(work: Work, run: () => Promise<T>): Promise<T> {
  try {
    const { functions, views } = createViewsSql(work.attached, work.query);
    const missing = functions.map(({ sql }) => sql).filter((sql) => !work.known.functions.has(sql));
    await work.staging.runAll(missing);
    for (const sql of missing) work.known.functions.add(sql);
    for (const { sql } of views) await attempt(work, sql, Infinity);
    return await run();
  } finally {
    // A failure here must not hide the original one.
    for (const file of work.attached) await work.staging.run(dropViewSql(file)).catch(() => undefined);
  }
}

const describePrefix = 'DESCRIBE ';

/** Columns depend on how a file is read, which is decided when it is attached. */
async function columnsOf(work: Work): Promise<readonly QueryColumn[]> {
  const { known, query, attached } = work;
  const found = known.columns.get(query.sql);
  if (found?.attached.every((each, index) => each === attached[index])) return found.columns;
  const rows = await attempt(work, `${describePrefix}${work.query.sql}`, describePrefix.length);
  const columns = rows.map((row) => queryColumn(String(row['column_name']), String(row['column_type'])));
  known.columns.set(query.sql, { attached, columns });
  return columns;
}

async function load(work: Work, table: string, { onRows, sample }: LoadOptions): Promise<LoadResult> {
  const columns = await columnsOf(work);
  if (sample === undefined) await refuseLongTexts(work, columns);
  const { sql, coreOffset } = loadSql(work.query, table, columns, sample);
  const stopReporting = reportRows(work, onRows);
  let made: Awaited<ReturnType<typeof attempt>>;
  try {
    made = await attemptLoad(work, sql, coreOffset, columns.length);
  } finally {
    stopReporting();
  }
  for (const { file } of filesOnDisk(work.attached)) if (await hasChanged(file)) throw changedMeanwhile(file.path);
  const sourceRows = Number(made[0]?.['Count'] ?? 0);
  onRows?.(sourceRows);
  const ask = (matchSql: string) => attempt(work, matchSql, Infinity);
  const unmatched = sample === undefined ? await valueMatchWarnings(work.query, ask) : [];
  return {
    sourceRows,
    columns: columns.map((column, index) => stagedColumn(column, index)),
    warnings: [...work.attached.flatMap(({ file }) => file.warnings), ...unmatched],
  };
}

async function refuseLongTexts({ staging, query, attached }: Work, columns: readonly QueryColumn[]): Promise<void> {
  if (attached.length < 2) return;
  const long = attached.filter(({ file }) =>
    (file.parts ?? [file]).some(({ size, rowEstimate }) => mayHaveLongTexts(size, rowEstimate ?? 0)),
  );
  const reads = await Promise.all(long.map(({ file }) => readTable(staging, file.name)));
  await refuseRepeatedTexts(staging, query, reads, columns);
}

/** DuckDB looks for common subexpressions in a time that grows with the square of the number of columns. */
const mostOptimized = 1000;

async function attemptLoad(work: Work, sql: string, coreOffset: number, columns: number) {
  if (columns <= mostOptimized) return attempt(work, sql, coreOffset);
  await work.staging.run("SET disabled_optimizers = 'common_subexpressions'");
  try {
    return await attempt(work, sql, coreOffset);
  } finally {
    await work.staging.run('RESET disabled_optimizers');
  }
}

async function attempt(work: Work, sql: string, coreOffset: number) {
  const { staging, signal, source, attached, query } = work;
  try {
    return await staging.query(sql, { signal });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw await locateError(error, attached, query, coreOffset, source);
  }
}

function stagedColumn(column: QueryColumn, index: number): StagedColumn {
  return { ...column, stagedAs: `c${index + 1}`, stagedType: stagedAs('', column.type).stagedType };
}

/** DuckDB reports its progress, not rows, so the row estimate of the query's file is used. */
function reportRows({ staging, attached }: Work, onRows: LoadOptions['onRows']): () => void {
  const estimate = attached[0]?.file.rowEstimate;
  if (!onRows || estimate === undefined) return () => undefined;
  const timer = setInterval(() => {
    const fraction = staging.progress();
    if (fraction !== undefined && fraction > 0) onRows(Math.round(fraction * estimate));
  }, 250);
  return () => clearInterval(timer);
}

async function confine(staging: StagingDatabase, paths: readonly string[]): Promise<void> {
  const files = [...new Set(paths.flatMap((path) => [path, enginePath(path)]))];
  if (staging.confine) return staging.confine({ files, folders: [staging.temporaryFolder] });
  const [setting] = await staging.query("SELECT current_setting('enable_external_access') AS open");
  if (setting?.['open'] === false) return;
  await confineDatabase(staging, { files, folders: [staging.temporaryFolder] });
}

function changedMeanwhile(path: string): SourceError {
  return new SourceError('source-failed', `${path} changed while it was being read.`, {
    file: path,
    remedy: 'Import again once the file is complete.',
  });
}
