import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { NamedQueryView } from '../../../../protocol/event-graph.ts';
import type { TestQueryResult } from '../../../../protocol/query-results.ts';
import { runSql } from '../../event-graph/run-sql.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import type { Problem } from '../../model/problem.ts';
import { isEntityFile } from '../../project/list-entity-files.ts';
import { type GraphFile, type ProjectContext, readGraphFile } from '../../project/open-project.ts';
import { readTextFile } from '../../project/read-text-file.ts';
import { wordLength } from '../../query/map-error-position.ts';
import { type StatementOptions, type StoreReader, isDuckDbError } from '../../store/duckdb-store.ts';
import { OperationError } from '../operation-error.ts';
import type { ValidatedFile } from '../validation/validate.ts';
import { openConfinedGraphStore } from './open-graph-store.ts';
import { storedGraph } from './stored-graph.ts';

/** The folder beside an entity graph with its named queries. */
const queriesFolder = 'queries';

/** A query of a project, over the tables of an imported graph (docs/semantics.md#197-named-queries). */
interface NamedQuery {
  /** The name of its file without `.sql`. */
  readonly name: string;
  readonly file: string;
  /** The first comment. */
  readonly description?: string | undefined;
  readonly sql: string;
}

/** A named query with its columns, or why it cannot be run on the imported graph. */
export interface CheckedQuery extends Omit<NamedQuery, 'sql'> {
  readonly columns?: TestQueryResult['columns'];
  readonly error?: string;
}

/** The first line may name the only graph that a query is about, as in an SQL console. */
const directive = /^-- entity-graph: (\S.*?)\s*$/mu;

/**
 * The named queries of an entity graph by name, each run on the imported graph for a row. Rejects with
 * `not-imported` if there are any.
 */
export async function checkNamedQueries(
  path: string,
  projectContext: ProjectContext,
  options: StatementOptions,
): Promise<readonly CheckedQuery[]> {
  const file = await readGraphFile(path, projectContext);
  const queries = await namedQueries(file);
  if (queries.length === 0) return [];
  return withConnections(file, projectContext, async (connect) => {
    const checked: CheckedQuery[] = [];
    for (const { sql, ...query } of queries) {
      options.signal?.throwIfAborted();
      try {
        const { columns } = await connect((store) => runSql(store, { sql, limit: 1 }, options));
        checked.push({ ...query, columns });
      } catch (error) {
        if (!isDuckDbError(error)) throw error;
        checked.push({ ...query, error: error.failure.message });
      }
    }
    return checked;
  });
}

/** The named queries of an entity graph by name, without the line that names the graph and without a semicolon at the end. */
export async function listNamedQueries(
  path: string,
  projectContext: ProjectContext,
): Promise<readonly NamedQueryView[]> {
  const queries = await namedQueries(await readGraphFile(path, projectContext));
  return queries.map(({ name, description, sql }) => ({
    name,
    description,
    sql: sql
      .replace(/^-- entity-graph: .*\n?/u, '')
      .trim()
      .replace(/;$/u, ''),
  }));
}

/**
 * The named queries of an entity graph with their problems: syntax, and tables and columns that the imported graph does
 * not have. A single statement is not run. `note` says why they could not be checked, such as without an import.
 */
export async function validateNamedQueries(
  path: string,
  projectContext: ProjectContext,
  options: StatementOptions,
): Promise<{ readonly files: readonly ValidatedFile[]; readonly note?: string }> {
  const file = await readGraphFile(path, projectContext);
  const queries = isEntityFile(basename(path)) ? await namedQueries(file) : [];
  if (queries.length === 0) return { files: [] };
  try {
    return await withConnections(file, projectContext, async (connect) => {
      const files: ValidatedFile[] = [];
      for (const query of queries) {
        options.signal?.throwIfAborted();
        const problems = await connect((store) => problemsOf(query, store, options));
        files.push({ path: query.file, text: query.sql, problems, notes: [] });
      }
      return { files };
    });
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return { files: [], note: `The named queries were not checked: ${error.failure.message}` };
  }
}

async function problemsOf(
  { sql }: NamedQuery,
  store: StoreReader,
  options: StatementOptions,
): Promise<readonly Problem[]> {
  try {
    // Statements of a script need what earlier ones make, so it is run.
    await store.describe(sql).catch(() => runSql(store, { sql, limit: 1 }, options));
    return [];
  } catch (error) {
    if (!isDuckDbError(error)) throw error;
    const { kind, message, position = 0, name = '' } = error.failure;
    const length = Math.max(name.length, wordLength(sql, position), 1);
    const range = { start: position, end: Math.min(sql.length, position + length) };
    return [{ code: kind === 'syntax' ? 'sql-syntax' : 'sql-error', severity: 'warning', message, range }];
  }
}

/** The first rows of a named query. Rejects with `not-imported`, or with `sql-error`. */
export async function runNamedQuery(
  path: string,
  name: string,
  limit: number,
  projectContext: ProjectContext,
  options: StatementOptions,
): Promise<TestQueryResult> {
  const file = await readGraphFile(path, projectContext);
  const queries = await namedQueries(file);
  const query = queries.find((each) => each.name === name);
  if (!query) {
    const names = queries.map((each) => each.name);
    const folder = join(dirname(file.path), queriesFolder);
    const known = names.length === 0 ? `Write ${join(folder, `${name}.sql`)}.` : `There are ${names.join(', ')}.`;
    throw new OperationError({
      code: 'not-in-graph',
      message: `There is no query "${name}" in ${folder}.`,
      file: file.path,
      remedy: didYouMean(nearestNames(name, names)) ?? known,
    });
  }
  return firstRows(file, { sql: query.sql, limit, place: query.file }, projectContext, options);
}

/** The first rows of SQL on the imported graph, read-only. Rejects with `not-imported`, or with `sql-error`. */
export async function runGraphSql(
  path: string,
  sql: string,
  limit: number,
  projectContext: ProjectContext,
  options: StatementOptions,
): Promise<TestQueryResult> {
  const file = await readGraphFile(path, projectContext);
  return firstRows(file, { sql, limit, place: file.path }, projectContext, options);
}

/** @param query.place the file that errors name */
async function firstRows(
  file: GraphFile,
  { sql, limit, place }: { readonly sql: string; readonly limit: number; readonly place: string },
  projectContext: ProjectContext,
  options: StatementOptions,
): Promise<TestQueryResult> {
  return withConnections(file, projectContext, async (connect) => {
    try {
      return await connect((store) => runSql(store, { sql, limit }, options));
    } catch (error) {
      if (!isDuckDbError(error)) throw error;
      throw new OperationError({ code: 'sql-error', message: error.failure.message, file: place });
    }
  });
}

/** The named queries of the entity graph at a path, by name. */
export async function namedQueries({ path }: Pick<GraphFile, 'path'>): Promise<readonly NamedQuery[]> {
  const folder = join(dirname(path), queriesFolder);
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  });
  const names = entries.flatMap((entry) => (entry.isFile() && entry.name.endsWith('.sql') ? [entry.name] : []));
  const queries = await Promise.all(
    names.toSorted().map(async (each): Promise<NamedQuery> => {
      const file = join(folder, each);
      const sql = await readTextFile(file);
      const comments = [...sql.matchAll(/^--\s*(.*?)\s*$/gmu)].map(([, comment = '']) => comment);
      const description = comments.find((comment) => comment !== '' && !comment.startsWith('entity-graph:'));
      return { name: basename(each, '.sql'), file, description, sql };
    }),
  );
  return queries.filter(({ sql }) => {
    const [, graph] = directive.exec(sql.split('\n', 1)[0] ?? '') ?? [];
    return graph === undefined || basename(graph) === basename(path);
  });
}

/** Each statement has a connection of its own, so that none sees what another one made. */
async function withConnections<T>(
  file: GraphFile,
  projectContext: ProjectContext,
  use: (connect: <Answer>(ask: (store: StoreReader) => Promise<Answer>) => Promise<Answer>) => Promise<T>,
): Promise<T> {
  const graph = await openConfinedGraphStore(await storedGraph(file, projectContext));
  try {
    return await use(async (ask) => {
      const store = await graph.connect();
      try {
        return await ask(store);
      } finally {
        await store.close();
      }
    });
  } finally {
    graph.close();
  }
}
