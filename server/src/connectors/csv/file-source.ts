import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { quoteIdentifier } from '../../query/quote.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { openSharedScratch } from '../../store/shared-scratch.ts';
import { type SourceError, errorOfSource, isSourceError } from '../source-error.ts';
import { askColumns } from './ask-columns.ts';
import { isMadeOfText, numberText, tryValueSql, valueFunctionsOf } from './cell-values.ts';
import type { CsvPlan } from './plan-types.ts';
import { numberDigits, numberDigitsSql } from './exact-numbers.ts';
import { optionsOf, type FileOptions, type FileSourceConfig } from './read-settings.ts';
import { fileFormat, isOwnerFile } from './file-format.ts';
import { findFiles } from './find-files.ts';
import { asTexts } from './corrected-types.ts';
import { groupParts } from './parts.ts';
import { needsCopy, readFileSql, readerSql } from './read-plan.ts';
import { sniffedRowsOf } from './sniff-columns.ts';
import type { CsvPart } from './unify-formats.ts';
import { type PartQuestions, modelPart, unifyParts } from './unify-parts.ts';
import { attachFile, planFor } from './attach-file.ts';
import { hasMixedLineEnds } from './mixed-line-ends.ts';
import { castFailurePlace } from './cast-failure-place.ts';
import { damagedParquet } from './damaged-parquet.ts';
import { earlierInspections } from './earlier-inspections.ts';
import { withFolderColumns } from './folder-columns.ts';
import { inspectFile } from './inspect-file.ts';
import { inspectJsonFiles } from './inspect-json.ts';
import { unifyParquet } from './unify-parquet.ts';
import {
  type FileObject,
  type InspectedFile,
  type InspectionOptions,
  type SourceFile,
  type AttachedFile,
  filesOnDisk,
} from './inspected-file.ts';
import { type Workbooks, createWorkbooks } from './workbook/workbooks.ts';

/** The files of a source; each version of a file is inspected once. */
export interface FileSource {
  readonly config: FileSourceConfig;
  readonly workbooks: Workbooks;
  /** All files. Rejects with `file-missing` if there are none, and with `source-config` for conflicting names. */
  list(): Promise<readonly FileObject[]>;
  inspect(file: FileObject, signal?: AbortSignal): Promise<InspectedFile>;
  /**
   * Inspects failed files again: files with mixed line endings, which may appear late, are read through a copy from
   * then on. Resolves to these. Rejects if a more precise error is found.
   */
  learn(files: readonly InspectedFile[], error: unknown, signal?: AbortSignal): Promise<readonly InspectedFile[]>;
  /** The file, and the position, of a value that does not fit its column type, or of damage, for such an error. */
  faultOfFile(attached: readonly AttachedFile[], error: unknown): Promise<SourceError | undefined>;
  /** The first rows of a file as texts in column order; empty if not readable at once. */
  firstRows(file: InspectedFile, signal?: AbortSignal): Promise<readonly (readonly unknown[])[]>;
  /** A temporary folder, deleted when the source is closed. */
  temporaryFolder(): Promise<string>;
  /** Deletes temporary files; idempotent. */
  close(): Promise<void>;
}

/** Reads nothing until a method is called. */
// eslint-disable-next-line max-lines-per-function -- Inspections of files and their parts share one database, its folder and what was learnt.
export function openFileSource(config: FileSourceConfig): FileSource {
  const workbooks = createWorkbooks();
  const inspected = new Map<string, InspectedFile>();
  const inspectedTogether = new Map<string, readonly InspectedFile[]>();
  let scratch: Promise<DuckDbSession> | undefined;
  let folder: Promise<string> | undefined;
  const openSession = async (): Promise<DuckDbSession> => {
    return withValueFunctions(await openSharedScratch());
  };
  const session = (): Promise<DuckDbSession> => {
    const opening = (scratch ??= openSession());
    // A file that is refused before its session is used must not leave an unhandled rejection.
    opening.catch(() => undefined);
    return opening;
  };
  const temporaryFolder = (): Promise<string> => (folder ??= mkdtemp(join(tmpdir(), 'entity-graph-')));
  const inspectOne = async (
    file: SourceFile,
    signal: AbortSignal | undefined,
    inspection: Pick<InspectionOptions, 'parts'> & Pick<FileOptions, 'header' | 'decimal'> = {},
  ): Promise<InspectedFile> => {
    const { parts, ...given } = inspection;
    const asked = JSON.stringify([file.path, file.name, sniffedRowsOf(parts ?? 1), given]);
    const known = inspected.get(asked);
    if (known && !(await hasChanged(known))) return known;
    const found = await inspectFile(file, {
      session: session(),
      options: { ...optionsOf(config, file), ...given },
      temporaryFolder,
      workbooks,
      parts,
      signal,
    });
    inspected.set(asked, found);
    return found;
  };
  /** @param aggregate SQL of an aggregate of the sampled rows, all of whose columns are texts */
  const askSample = async (
    part: InspectedFile,
    aggregate: string,
    parts: number,
    signal: AbortSignal | undefined,
  ): Promise<unknown> => {
    const session = await (scratch ??= openSession());
    const { readFrom } = await attachFile(part, temporaryFolder, { verify: false, signal, workbooks });
    const plan = planFor({ file: part, readFrom });
    const texts = readerSql({ ...plan, columns: asTexts(plan.columns) }, readFrom);
    const sql = `SELECT ${aggregate} AS found FROM (SELECT * FROM ${texts} LIMIT ${sniffedRowsOf(parts)})`;
    const [row] = await session.query(sql, { signal });
    return row?.['found'];
  };
  const questionsOf = (parts: number, signal: AbortSignal | undefined): PartQuestions => ({
    withHeader: async (part) => csvPart(await inspectOne(part, signal, { parts, header: true })),
    withDecimalComma: async (part) => csvPart(await inspectOne(part, signal, { parts, decimal: ',' })),
    hasValues: async (part, column) =>
      (await askSample(part, `count(${quoteIdentifier(column)}) > 0`, parts, signal)) === true,
    digitsOf: async (part, column) =>
      numberDigits(
        await askSample(part, numberDigitsSql(numberText(quoteIdentifier(column.name), part.plan)), parts, signal),
      ),
    optionsOf: (part) => optionsOf(config, part),
    async hasOnlyValues(part, columns) {
      if (columns.length === 0) return true;
      const tests = columns.map((column) => {
        const text = quoteIdentifier(column.name);
        return `count(${text}) = count(${tryValueSql(text, column, part.plan)})`;
      });
      return (await askSample(part, tests.join(' AND '), parts, signal)) === true;
    },
  });
  /** The parts with the same columns. */
  const inspectParts = async (
    file: FileObject,
    parts: readonly SourceFile[],
    signal: AbortSignal | undefined,
  ): Promise<readonly InspectedFile[]> => {
    if (file.format.kind === 'json') return inspectJsonParts(file, parts, signal);
    const earlier = earlierInspections(config, file);
    earlier?.recall(inspected);
    const found: InspectedFile[] = [];
    // A cached inspection has the place of its file, not its part in this data object.
    for (const part of parts) found.push({ ...(await inspectOne(part, signal, { parts: parts.length })), ...part });
    earlier?.keep(inspected);
    if (file.format.kind === 'parquet') {
      return unifyParquet(found, async ({ plan, path }, column) => {
        const read = readerSql(plan, path);
        const [row] = await (
          await session()
        ).query(`SELECT count(${quoteIdentifier(column)}) AS n FROM ${read}`, { signal });
        return Number(row?.['n']) > 0;
      });
    }
    return unifyParts(found.map(csvPart), questionsOf(parts.length, signal));
  };
  /** Names and types are those of the records of all files. */
  const inspectJsonParts = async (
    file: FileObject,
    parts: readonly SourceFile[],
    signal: AbortSignal | undefined,
  ): Promise<readonly InspectedFile[]> => {
    const asked = JSON.stringify([file.name, parts.map(({ path }) => path)]);
    const known = inspectedTogether.get(asked);
    if (known && !(await Promise.all(known.map(hasChanged))).includes(true)) return known;
    const options = optionsOfAll(config, file.name, parts);
    const found = await inspectJsonFiles(parts, { session: session(), options, temporaryFolder, workbooks, signal });
    inspectedTogether.set(asked, found);
    return found;
  };
  return {
    config,
    workbooks,
    list: async () => namedFiles(config, await findFiles(config.folder, config.paths), workbooks),
    async inspect(file, signal) {
      if (!file.parts) return inspectOne(file, signal);
      const unified = await inspectParts(file, file.parts, signal);
      return objectOf(file, await withFolderColumns(unified, (part) => optionsOf(config, part), session(), signal));
    },
    async learn(files, error, signal) {
      const learnt: InspectedFile[] = [];
      for (const file of filesOnDisk(files)) {
        const { plan, path } = file;
        if (plan.kind !== 'csv' || !(await hasMixedLineEnds(path, plan, error, signal))) continue;
        // Changes the inspected plans, not the given ones: types of a part depend on the other parts.
        for (const [asked, known] of inspected) {
          if (known.path !== path || known.plan.kind !== 'csv') continue;
          inspected.set(asked, { ...known, plan: { ...known.plan, mixedLineEnds: true } });
        }
        learnt.push(file);
      }
      return learnt;
    },
    async faultOfFile(attached, error) {
      const session = await (scratch ??= openSession());
      const fault = await castFailurePlace(session, attached, error, workbooks);
      return fault ?? damagedParquet(session, filesOnDisk(attached), error);
    },
    async firstRows(file, signal) {
      const { plan, path } = modelPart(file.parts ?? []) ?? file;
      if (file.firstRows) return file.firstRows;
      // Only queries need a copy.
      if (needsCopy(plan)) return [];
      const session = await (scratch ??= openSession());
      try {
        return plan.kind === 'csv'
          ? await firstCells(session, plan, path, signal)
          : (
              await session.table(`SELECT COLUMNS(*)::VARCHAR FROM (${readFileSql(plan, path)}) LIMIT ${shownRows}`, {
                signal,
              })
            ).rows;
      } catch (error) {
        if (signal?.aborted) throw error;
        // Errors of the file are reported when its rows are read.
        return [];
      }
    },
    temporaryFolder,
    async close() {
      const [session, openFolder] = [scratch, folder];
      scratch = undefined;
      folder = undefined;
      await (await session)?.close();
      if (openFolder) await rm(await openFolder, { recursive: true, force: true });
    },
  };
}

/** Throws `source-config` for options of single parts: JSON files share their types. */
function optionsOfAll(config: FileSourceConfig, name: string, parts: readonly SourceFile[]): FileOptions {
  const [first, ...others] = parts;
  const options = first ? optionsOf(config, first) : config.options;
  const written = JSON.stringify(options);
  const other = others.find((each) => JSON.stringify(optionsOf(config, each)) !== written);
  if (!first || !other) return options;
  const said = `files has other settings for ${basename(other.path)} than for ${basename(first.path)}: both are parts of ${name}, and JSON files.`;
  throw errorOfSource(config.name, 'source-config', said, {
    remedy: 'Give the settings to the data source, or to all parts.',
  });
}

function csvPart(file: InspectedFile): CsvPart {
  const { plan } = file;
  if (plan.kind !== 'csv') throw new Error('Parts are text files.');
  return { ...file, plan };
}

/** The data object that parts are together. */
function objectOf(file: FileObject, parts: readonly InspectedFile[]): InspectedFile {
  const first = modelPart(parts);
  if (!first) throw new Error('A data object has at least one part.');
  const estimates = parts.flatMap(({ rowEstimate }) => rowEstimate ?? []);
  return {
    ...first,
    ...file,
    parts,
    size: parts.reduce((sum, { size }) => sum + size, 0),
    ...(estimates.length === parts.length && { rowEstimate: estimates.reduce((sum, rows) => sum + rows, 0) }),
    warnings: [...new Set(parts.flatMap(({ warnings }) => warnings))],
    proposedTypes: parts.flatMap(({ proposedTypes = [] }) => proposedTypes),
  };
}

/** Creates the functions of values when the first query uses them: creating all takes as long as inspecting a small file. */
function withValueFunctions(session: DuckDbSession): DuckDbSession {
  const known = new Set<string>();
  let created = Promise.resolve();
  // One after the other: a query that comes meanwhile waits for the functions that an earlier one creates.
  const create = (sql: string): Promise<void> => {
    const earlier = created;
    return (created = (async () => {
      await earlier.catch(() => undefined);
      const missing = valueFunctionsOf(sql).filter(({ name }) => !known.has(name));
      await session.runAll(missing.map((each) => each.sql));
      for (const { name } of missing) known.add(name);
    })());
  };
  return {
    ...session,
    async query(sql, options) {
      await create(sql);
      return session.query(sql, options);
    },
    async table(sql, options) {
      await create(sql);
      return session.table(sql, options);
    },
  };
}

/** Number of example rows. */
const shownRows = 20;

/** The first values of a CSV file as texts, in column order; null for texts that are no values of their column. */
async function firstCells(
  session: DuckDbSession,
  plan: CsvPlan,
  path: string,
  signal: AbortSignal | undefined,
): Promise<readonly (readonly unknown[])[]> {
  const texts = readerSql({ ...plan, columns: asTexts(plan.columns) }, path);
  const questions = plan.columns.map((column) => {
    const value = (text: string): string => (isMadeOfText(column, plan) ? tryValueSql(text, column, plan) : text);
    return { column, aggregate: (text: string) => `to_json(list(CAST(${value(text)} AS VARCHAR) ORDER BY r))` };
  });
  const found = await askColumns(session, `(SELECT * FROM ${texts} LIMIT ${shownRows})`, questions, signal);
  const columns = plan.columns.map((column) => JSON.parse(String(found.get(column) ?? '[]')) as readonly unknown[]);
  return Array.from({ length: columns[0]?.length ?? 0 }, (_, row) => columns.map((cells) => cells[row]));
}

/** Whether a file has changed since its inspection. Not for data objects in parts. */
export async function hasChanged(file: InspectedFile): Promise<boolean> {
  const now = await stat(file.path).catch(() => undefined);
  return (
    now?.mtimeMs !== file.modified || now.size !== file.size || now.ctimeMs !== file.changed || now.ino !== file.inode
  );
}

async function namedFiles(
  config: FileSourceConfig,
  paths: readonly string[],
  workbooks: Workbooks,
): Promise<readonly FileObject[]> {
  if (paths.length === 0) {
    const said = `no file in ${config.folder} matches ${config.paths.join(', ')}.`;
    throw errorOfSource(config.name, 'file-missing', said, {
      remedy: 'Correct path in the data sources file, or put the files there.',
    });
  }
  const found: SourceFile[] = [];
  for (const path of paths) {
    if (isOwnerFile(path)) continue;
    const { objectName, format } = fileFormat(path);
    const file = { name: objectName, path, format };
    found.push(...(format.kind === 'workbook' ? await tablesOf(file, workbooks) : [file]));
  }
  const files = groupParts(config, found);
  const seen = new Map<string, SourceFile>();
  for (const file of files) {
    // SQL names that differ by case only are equal.
    const key = file.name.toLowerCase();
    const other = seen.get(key);
    if (other) throw nameCollision(config, other, file);
    seen.set(key, file);
  }
  return files;
}

/** The tables of a workbook; the file itself, whose inspection gives the reason, if it has none or is damaged. */
async function tablesOf(file: SourceFile, workbooks: Workbooks): Promise<readonly SourceFile[]> {
  const tables = await workbooks.tables(file.path).catch((error: unknown) => {
    if (isSourceError(error)) return [];
    throw error;
  });
  return tables.length === 0 ? [file] : tables.map((table) => ({ ...file, name: `${file.name}/${table.name}`, table }));
}

function nameCollision(config: FileSourceConfig, one: SourceFile, other: SourceFile): SourceError {
  const what =
    one.name === other.name
      ? `are both the data object ${one.name}`
      : 'give data objects whose names differ only by case';
  return errorOfSource(config.name, 'source-config', `${one.path} and ${other.path} ${what}.`, {
    file: other.path,
    remedy: 'Rename one of the files, or let path leave one out.',
  });
}
