import pg from 'pg';
import type { CompiledQuery, PlanStatement, QueryStep } from '../../query/compiled-query.ts';
import type { BuildAbilities, GraphOwner, SourceBuild, SourceBuildOptions } from '../source-build.ts';
import { SourceError, isSourceError } from '../source-error.ts';
import type { PostgresqlConfig } from './read-settings.ts';
import type { ExplainError } from './errors.ts';
import {
  graphSchema,
  graphSchemaMarker,
  lockGraphSchema,
  lockSchemaSql,
  previousSchema,
  schemaCommentSql,
} from './graph-schema.ts';
import { describeQuery } from './pull.ts';
import { attemptQuery, attemptStatements, queryRows } from './query-rows.ts';
import { serverKind } from './server-kind.ts';
import { sessionSetup } from './session-setup.ts';
import { type Session, openSession } from './session.ts';
import { countStaged, stageRows, stagedColumns, stagingPath } from './staging.ts';

/**
 * Opens the single transaction of a build: repeatable read, so that all queries see the same rows; uncommitted changes
 * vanish in any case. Rejects with a `SourceError`.
 */
export async function openSourceBuild(
  config: PostgresqlConfig,
  explain: ExplainError,
  { schema, owner, signal, readOnly }: SourceBuildOptions,
): Promise<SourceBuild> {
  const session = await openSession(config, explain, { signal, statementTimeoutMs: config.statementTimeoutMs ?? 0 });
  const sideSchema = `${schema}__building`;
  try {
    const begun = await begin(session, readOnly === true, signal);
    if (readOnly !== true) await lockGraphSchema(session, schema, signal);
    const isReplacing = await refuseReplacing(session, schema, owner, signal);
    if (readOnly !== true) await createSide(session, sideSchema, signal);
    const beginSteps = beginSql(config, { ...begun, schema, sideSchema, isReplacing });
    return buildIn(session, { ...begun, schema, sideSchema, beginSteps });
  } catch (error) {
    await session.close();
    throw error;
  }
}

interface OpenedBuild {
  readonly schema: string;
  readonly sideSchema: string;
  readonly beginSteps: readonly PlanStatement[];
  readonly warnings: readonly string[];
  readonly abilities: BuildAbilities;
  /** Search path of user queries, as SQL. */
  readonly userPath: string;
  /** Settings of this version of the server. */
  readonly serverSettings: readonly string[];
}

function buildIn(session: Session, opened: OpenedBuild): SourceBuild {
  const { schema, sideSchema, beginSteps, warnings, abilities, userPath } = opened;
  let path = userPath;
  /** User queries find their tables; generated statements find staged tables only. */
  const useNames = async (wanted: string, signal: AbortSignal | undefined): Promise<void> => {
    if (path === wanted) return;
    path = wanted;
    await session.run(searchPathSql(wanted), signal);
  };
  const describe = async (query: CompiledQuery, signal: AbortSignal | undefined) => {
    await useNames(userPath, signal);
    return describeQuery(session, query, signal);
  };
  return {
    abilities,
    warnings,
    side: [sideSchema],
    opening: { name: 'transaction', title: 'The transaction of the build', statements: beginSteps },
    attempting: attemptStatements,
    publishing: () => ({
      name: 'publish',
      title: 'Putting the graph in its place',
      statements: publishSql(schema, sideSchema),
    }),
    columnsOf: async (query, { signal }) => stagedColumns(await describe(query, signal)),
    async stageSteps(query, table, { signal }) {
      const statements = stageRows(query, table, undefined, await describe(query, signal));
      return [...statements, countStaged(table)].map(({ title, executed }): QueryStep => ({
        kind: 'sql',
        dialect: 'postgresql',
        role: 'wrap',
        title,
        text: executed.text,
      }));
    },
    async stage(query, table, { signal, sample }) {
      const columns = await describe(query, signal);
      for (const { executed } of stageRows(query, table, sample, columns)) await session.texts(executed, signal);
      const { rows } = await session.texts(countStaged(table).executed, signal);
      return { sourceRows: Number(rows[0]?.[0] ?? 0), columns: stagedColumns(columns), warnings: [] };
    },
    async run(sql, options) {
      await useNames(stagingPath, options?.signal);
      return session.run(sql, options?.signal);
    },
    async query(sql, options) {
      await useNames(stagingPath, options?.signal);
      return queryRows(session, sql, options?.signal);
    },
    async attempt(sql, options) {
      await useNames(userPath, options?.signal);
      return attemptQuery(session, sql, options?.signal);
    },
    async publish(_, signal) {
      for (const { sql } of publishSql(schema, sideSchema)) {
        await session.run(sql, signal).catch((error: unknown) => {
          throw sql === commitSql ? uncertain(error) : error;
        });
      }
    },
    close: () => session.close(),
  };
}

/** The staging schema is last, so that it never hides a user's table. */
const userPathSql = "SELECT set_config('search_path', current_setting('search_path') || ', pg_temp', true) AS path";

const serverSql = 'SELECT version() AS version, ARRAY(SELECT extname::text FROM pg_extension) AS extensions';

function beginBuild(readOnly: boolean): string {
  return `BEGIN ISOLATION LEVEL REPEATABLE READ ${readOnly ? 'READ ONLY' : 'READ WRITE'}`;
}

function searchPathSql(path: string): string {
  return `SET LOCAL search_path = ${path}`;
}

/** Setup statements of a build. */
function beginSql(
  config: PostgresqlConfig,
  opened: Omit<OpenedBuild, 'beginSteps'> & { readonly isReplacing: boolean },
): readonly PlanStatement[] {
  const { schema, sideSchema, serverSettings, userPath, isReplacing } = opened;
  const statement = (title: string, sql: string): PlanStatement => ({ title, sql });
  return [
    statement('Session', sessionSetup(config, config.statementTimeoutMs ?? 0)),
    statement('One snapshot, one transaction', beginBuild(false)),
    statement('Where queries of yours find their tables', userPathSql),
    statement('Which server it is', serverSql),
    ...serverSettings.map((sql) => statement('Setting', sql)),
    statement(`$1 is ${schema}: nobody else builds in it`, lockSchemaSql),
    statement(`$1 is ${schema} and ${previousSchema(schema)}: made by imports`, schemaCommentSql),
    ...(isReplacing ? [statement('The existing graph is of the same file', ownerSql(schema))] : []),
    statement('Where the graph is built', sideSchemaSql(sideSchema)),
    statement('Before a query of yours that follows one of the build', searchPathSql(userPath)),
    statement('Before a statement of the build that follows a query of yours', searchPathSql(stagingPath)),
  ];
}

function ownerSql(schema: string): string {
  return `SELECT id, entity FROM ${pg.escapeIdentifier(schema)}.run`;
}

function sideSchemaSql(sideSchema: string): string {
  const name = pg.escapeIdentifier(sideSchema);
  return `CREATE SCHEMA ${name}; COMMENT ON SCHEMA ${name} IS ${pg.escapeLiteral(graphSchemaMarker)}`;
}

async function begin(
  session: Session,
  readOnly: boolean,
  signal: AbortSignal | undefined,
): Promise<Omit<OpenedBuild, 'schema' | 'sideSchema' | 'beginSteps'>> {
  await session.run(beginBuild(readOnly), signal);
  const [path] = await session.rows<{ path: string }>(userPathSql, [], signal);
  const [server] = await session.rows<{ version: string; extensions: string[] }>(serverSql, [], signal);
  const kind = serverKind(server?.version ?? '', server?.extensions ?? []);
  // Its nodes have no common snapshot, and it would create the schemas of a build on all of them.
  if (kind.name === 'Citus') {
    throw new SourceError('source-config', 'engine: source builds no graphs in a database with Citus.', {
      remedy: 'Use engine: embedded, which reads distributed tables like all others.',
    });
  }
  // Ends the statement soon after its client process has exited, and with it the transaction and its lock.
  const serverSettings = kind.version >= 14 ? ['SET LOCAL client_connection_check_interval = 1000'] : [];
  for (const setting of serverSettings) await session.run(setting, signal);
  return {
    serverSettings,
    warnings: kind.warning === undefined ? [] : [kind.warning],
    abilities: {
      hasSnapshot: true,
      publishesAtomically: true,
      // pg_input_is_valid requires PostgreSQL 16.
      textTimes: kind.version >= 16 || { need: 'PostgreSQL 16' },
    },
    userPath: path?.path ?? 'public, pg_temp',
  };
}

/** Foreign schemas and graphs of other files are never replaced. Resolves to whether there is a graph to replace. */
async function refuseReplacing(
  session: Session,
  schema: string,
  { entity, runs }: GraphOwner,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  for (const name of [schema, previousSchema(schema)]) {
    if ((await graphSchema(session, name, signal)) !== 'not ours') continue;
    throw new SourceError('source-config', `The schema ${name} is there already and is no graph of ours.`, {
      remedy: 'Name another one under import.schema: it is created.',
    });
  }
  if ((await graphSchema(session, schema, signal)) === 'absent') return false;
  const [found] = await session.rows<{ id: string; entity: string }>(ownerSql(schema), [], signal);
  if (!found || found.entity === entity || runs.includes(found.id)) return true;
  throw new SourceError('source-config', `The schema ${schema} holds the graph of another file: ${found.entity}.`, {
    remedy: 'Name another one under import.schema, or delete that entity graph with its tables.',
  });
}

async function createSide(session: Session, sideSchema: string, signal: AbortSignal | undefined): Promise<void> {
  try {
    await session.run(sideSchemaSql(sideSchema), signal);
  } catch (error) {
    if (!isSourceError(error) || error.code !== 'permission-denied') throw error;
    throw new SourceError('permission-denied', error.message, {
      remedy: 'engine: source creates a schema: GRANT CREATE ON DATABASE … TO this user, or use engine: embedded.',
      cause: error,
    });
  }
}

/** The previous graph is kept as `…__previous`, without disturbing its readers. */
function publishSql(schema: string, sideSchema: string): readonly PlanStatement[] {
  const [own, side, previous] = [schema, sideSchema, previousSchema(schema)].map((name) => pg.escapeIdentifier(name));
  return [
    { title: 'The graph before the last one goes', sql: `DROP SCHEMA IF EXISTS ${previous} CASCADE` },
    {
      title: 'The previous graph is kept beside this one',
      sql: doBlock(`BEGIN IF EXISTS (SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = ${pg.escapeLiteral(schema)})
      THEN ALTER SCHEMA ${own} RENAME TO ${previous}; END IF; END`),
    },
    { title: 'This one takes its place', sql: `ALTER SCHEMA ${side} RENAME TO ${own}` },
    { title: 'All at once', sql: commitSql },
  ];
}

const commitSql = 'COMMIT';

/** After a lost connection the result of COMMIT is unknown. */
function uncertain(error: unknown): unknown {
  if (!isSourceError(error) || error.code !== 'connection-lost') return error;
  const message = `${error.message}: whether the new graph has taken the place of the one before is not known`;
  return new SourceError('connection-lost', `${message}.`, {
    ...error.details,
    remedy: 'Check the server and the network, then import again.',
  });
}

/** A statement that runs a PL/pgSQL block, between dollar signs with a tag that the block does not contain. */
function doBlock(block: string): string {
  let tag = '$$';
  for (let number = 1; block.includes(tag); number += 1) tag = `$block_${number}$`;
  return `DO ${tag} ${block} ${tag}`;
}
