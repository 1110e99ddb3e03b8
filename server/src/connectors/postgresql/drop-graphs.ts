import pg from 'pg';
import type { DropGraphsOptions, GraphToDrop } from '../source-build.ts';
import { SourceError, isSourceError } from '../source-error.ts';
import { foreignGraphError } from '../foreign-graph-error.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import type { ExplainError } from './errors.ts';
import { graphSchema, lockGraphSchema, previousSchema } from './graph-schema.ts';
import { type Session, openSession } from './session.ts';

/**
 * Drops graphs and their previous versions in one transaction. Only tables and views of a graph are dropped: without
 * CASCADE, the server rejects schemas with other or dependent objects. Rejects with a `SourceError`, without changes.
 */
export async function dropGraphs(
  config: PostgresqlConfig,
  explain: ExplainError,
  graphs: readonly GraphToDrop[],
  options: DropGraphsOptions,
): Promise<void> {
  const { signal } = options;
  const session = await openSession(config, explain, { signal, statementTimeoutMs: config.statementTimeoutMs ?? 0 });
  try {
    await session.run('BEGIN READ WRITE', signal);
    for (const graph of graphs) await dropGraph(session, graph, options);
    await session.run('COMMIT', signal);
  } catch (error) {
    if (!isSourceError(error) || error.code !== 'permission-denied') throw error;
    throw new SourceError('permission-denied', error.message, {
      remedy: 'Only the user that imported the graph can drop it: let that one delete it, or leave the tables.',
      cause: error,
    });
  } finally {
    await session.close();
  }
}

async function dropGraph(
  session: Session,
  { schema, run, begun = [] }: GraphToDrop,
  { isRelationOf, signal }: DropGraphsOptions,
): Promise<void> {
  await lockGraphSchema(session, schema, signal);
  const found = await graphSchema(session, schema, signal);
  if (found === 'not ours') throw notOurs(schema);
  if (found === 'ours') {
    const { id, entity, started } = await runOf(session, schema, signal);
    if (id === undefined || ![run, ...begun].includes(id)) {
      if (run === undefined) return;
      throw foreignGraphError(schema, entity, started);
    }
    await dropSchema(session, schema, isRelationOf, signal);
  }
  const previous = previousSchema(schema);
  if ((await graphSchema(session, previous, signal)) === 'ours') {
    await dropSchema(session, previous, isRelationOf, signal);
  }
}

interface BuiltRun {
  readonly id?: string;
  readonly entity: string;
  readonly started: string;
  readonly counts?: string;
}

/** The import whose graph is in the schema. */
async function runOf(session: Session, schema: string, signal: AbortSignal | undefined): Promise<BuiltRun> {
  const [record] = await session.rows<BuiltRun>(
    `SELECT id, entity, to_char(started, 'YYYY-MM-DD HH24:MI') AS started, CAST(counts AS text) AS counts FROM ${pg.escapeIdentifier(schema)}.run`,
    [],
    signal,
  );
  return record ?? { entity: '?', started: '?' };
}

async function dropSchema(
  session: Session,
  schema: string,
  isRelationOf: DropGraphsOptions['isRelationOf'],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { counts } = await runOf(session, schema, signal);
  const relations = await session.rows<{ name: string; kind: string }>(
    `SELECT class.relname AS name, class.relkind AS kind FROM pg_class AS class JOIN pg_namespace AS space ON space.oid = class.relnamespace
     WHERE space.nspname = $1 AND class.relkind IN ('r', 'v')`,
    [schema],
    signal,
  );
  const quotedOf = (kind: string): string =>
    relations
      .filter((each) => each.kind === kind && isRelationOf(counts, each.name))
      .map(({ name }) => `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`)
      .join(', ');
  const [views, tables] = [quotedOf('v'), quotedOf('r')];
  if (views !== '') await session.run(`DROP VIEW ${views}`, signal);
  if (tables !== '') await session.run(`DROP TABLE ${tables}`, signal);
  await session.run(`DROP SCHEMA ${pg.escapeIdentifier(schema)}`, signal);
}

function notOurs(schema: string): SourceError {
  return new SourceError('source-config', `The schema ${schema} was not made by an import.`, {
    remedy: 'Leave its tables, or drop it yourself.',
  });
}
