import { basename, resolve } from 'node:path';
import type { Catalog } from '../../catalog/catalog.ts';
import { type SourceError, isSourceError } from '../../connectors/source-error.ts';
import { thisProgram } from '../../files/facts-file.ts';
import { createEntryCache } from '../../language/checks/entry-cache.ts';
import { withCatalogAge } from '../../language/catalog-knowledge.ts';
import { type GraphValidation, validateDataSources, validateInTime } from '../../language/validation/validate-graph.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { dataSourceNames } from '../../model/data-sources-used.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import { createLineIndex } from '../../model/line-index.ts';
import { parseDataSources } from '../../model/parse-data-sources.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { isTestFile } from '../../project/list-entity-files.ts';
import { problemsOfTests } from '../graph-tests/problems-of-tests.ts';
import { findSourceUses } from '../../project/find-source-uses.ts';
import { sourcesFileNames } from '../../project/find-sources.ts';
import {
  type ProjectContext,
  type SourcesFile,
  describeSource,
  findSources,
  sourcesAbove,
  readGraphFile,
} from '../../project/open-project.ts';
import { readGraphText } from '../../project/parse-in-slices.ts';
import { createTimeSlices } from '../../project/time-slices.ts';
import { sqlValidatorsOf } from '../../sql/sql-validator-of.ts';
import { checkOnline } from './check-online.ts';
import { openDuckDbValidator } from './duckdb-validator.ts';
import { type EarlierAnswers, earlierAnswers } from './earlier-answers.ts';
import { connect, openKnownCatalog } from './known-catalog.ts';

export interface ValidatedFile {
  readonly path: string;
  readonly text: string;
  readonly problems: readonly Problem[];
  /** What could not be validated and why, and settings of its data sources without effect; no problems of the file. */
  readonly notes: readonly string[];
}

/**
 * Diagnostics of one entity graph, sources file or file of tests on disk. `online` reads the catalog from the source; otherwise the
 * cached catalog is used, and local files are read. Rejects when `signal` is aborted.
 */
export async function validateFile(
  path: string,
  projectContext: ProjectContext,
  options: { readonly online: boolean; readonly signal?: AbortSignal | undefined },
): Promise<ValidatedFile> {
  const file = await readGraphFile(path, projectContext);
  if ((sourcesFileNames as readonly string[]).includes(basename(path))) {
    const usedSources = await findSourceUses(resolve(path), projectContext);
    const { catalogs, notes } = await catalogsOf(resolve(path), file.text, projectContext, options);
    return { ...file, problems: validateDataSources({ text: file.text, usedSources, catalogs }), notes };
  }
  if (isTestFile(path)) return { ...file, problems: await problemsOfTests(file, projectContext), notes: [] };
  const sourcesFile = await findSources(path, projectContext);
  const parsed = await readGraphText(file.text);
  options.signal?.throwIfAborted();
  const known = await openKnownCatalog(parsed, sourcesFile, projectContext, options);
  try {
    const { catalog } = known;
    const above = sourcesFile ? undefined : await sourcesAbove(path, projectContext);
    const ofGraph = await diagnosed(
      file.text,
      parsed,
      { sourcesFile, above, catalog },
      earlierAnswers(file.path, thisProgram, projectContext.environment),
      options.signal,
    );
    const problems = [...ofGraph, ...(sourcesFile ? unusableSources(parsed.graph, sourcesFile) : [])];
    const asked: Problem[] = [];
    if (options.online && catalog) {
      for (const { name, connection } of known.connections) {
        asked.push(...(await checkOnline(parsed, catalog, name, connection, problems, options)));
      }
    }
    return { ...file, problems: withCatalogAge(merged(problems, asked), catalog, Date.now()), notes: known.notes };
  } finally {
    await known.close();
  }
}

/** Data sources of a graph whose settings have errors, so that no import can read them: at the place that names them. */
function unusableSources(graph: EntityGraph, { path, text, sources }: SourcesFile): readonly Problem[] {
  const used = dataSourceNames(graph);
  if (used.length === 0) return [];
  const errors = validateDataSources({ text }).filter(({ severity }) => severity === 'error');
  return used.flatMap(({ value, range }): readonly Problem[] => {
    const source = sources.sources.find(({ name }) => name.value === value);
    const error = source && errors.find((each) => isWithin(each.range, source));
    if (!error) return [];
    const { line } = createLineIndex(text).range(error.range).start;
    const message = `"${value}" cannot be read: ${basename(path)}, line ${line + 1}: ${error.message}`;
    return [{ code: 'unknown-data-source', severity: 'error', message, range }];
  });
}

function isWithin({ start, end }: SourceRange, { name, range }: DataSource): boolean {
  return start >= name.range.start && end <= Math.max(name.range.end, range.end);
}

/** With `online`, the catalogs of the data sources of a file that can be read, by name, and why the others cannot. */
async function catalogsOf(
  path: string,
  text: string,
  projectContext: ProjectContext,
  options: ValidateOptions,
): Promise<{ readonly catalogs: ReadonlyMap<string, Catalog>; readonly notes: readonly string[] }> {
  const catalogs = new Map<string, Catalog>();
  const notes: string[] = [];
  if (!options.online) return { catalogs, notes };
  const sourcesFile = { path, text, ...parseDataSources(text) };
  for (const source of sourcesFile.sources.sources) {
    options.signal?.throwIfAborted();
    const connection = await connect(sourcesFile, source, projectContext, { ...options, online: true }).catch(
      unlessSourceError,
    );
    if (!connection) continue;
    if (isSourceError(connection)) {
      notes.push(`${source.name.value} was not read: ${connection.message}`);
      continue;
    }
    try {
      const { signal } = options;
      catalogs.set(
        source.name.value,
        await describeSource(sourcesFile, source, connection, projectContext, { signal, mayReuse: true }),
      );
    } catch (error) {
      notes.push(`${source.name.value} was not read: ${unlessSourceError(error).message}`);
    } finally {
      await connection.close();
    }
  }
  return { catalogs, notes };
}

/** Throws what is none. */
function unlessSourceError(error: unknown): SourceError {
  if (isSourceError(error)) return error;
  throw error;
}

/** The server's result replaces uncertain problems at the same position, and certain ones are not repeated. */
function merged(problems: readonly Problem[], asked: readonly Problem[]): readonly Problem[] {
  const isIn = (list: readonly Problem[], { range }: Problem): boolean =>
    list.some((each) => each.range.start === range.start);
  const certain = problems.filter(({ severity }) => severity === 'error');
  const unsure = problems.filter((each) => each.severity !== 'error' && !isIn(asked, each));
  const added = asked.filter((each) => !isIn(certain, each));
  return [...certain, ...unsure, ...added].toSorted((left, right) => left.range.start - right.range.start);
}

/** What is known of the data sources of a graph. */
interface KnownSources {
  readonly sourcesFile: SourcesFile | undefined;
  /** If none applies, one above the workspace folder. */
  readonly above: string | undefined;
  readonly catalog: Catalog | undefined;
}

/** Rules that wait for DuckDB's parser run again when it has answered. */
async function diagnosed(
  text: string,
  parsed: ParsedEntityGraph,
  { sourcesFile, above, catalog }: KnownSources,
  earlier: EarlierAnswers | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly Problem[]> {
  const sources = sourcesFile?.sources;
  const known = { text, parsed, sources, sourcesAbove: above, catalog };
  const sql = openDuckDbValidator(signal, earlier);
  try {
    const validators = await sqlValidatorsOf(parsed.graph, sources, sql.validator);
    let problems = await validated({ ...known, ...validators }, signal);
    // A result may need another round: first the syntax, then names.
    while (sql.isPending()) {
      await sql.answered();
      signal?.throwIfAborted();
      problems = await validated({ ...known, ...validators }, signal);
    }
    return problems;
  } finally {
    await sql.close();
  }
}

/** Validates a large graph in time slices, between which a signal ends it. */
async function validated(graph: GraphValidation, signal: AbortSignal | undefined): Promise<readonly Problem[]> {
  const [slices, memo] = [createTimeSlices(), createEntryCache()];
  for (;;) {
    const problems = validateInTime({ ...graph, memo }, slices);
    if (problems) return problems;
    await slices.pause();
    signal?.throwIfAborted();
  }
}

type ValidateOptions = Parameters<typeof validateFile>[2];
