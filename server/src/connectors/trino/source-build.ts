import { trino } from '../../dialects/trino.ts';
import type { PlanStatement, QueryStep } from '../../query/compiled-query.ts';
import type { OperationOptions } from '../connector.ts';
import type { GraphOwner, SourceBuild, SourceBuildOptions } from '../source-build.ts';
import { SourceError, isSourceError } from '../source-error.ts';
import { abortLater } from './abort-later.ts';
import { executed } from './error-position.ts';
import {
  type GraphPlace,
  type Turn,
  anyName,
  graphPlace,
  pointerTable,
  runMark,
  triedView,
  turnTable,
} from './graph-place.ts';
import type { Cluster } from './preview.ts';
import { type PointerChange, overtaken, publishGraph, publishStatements } from './publish-graph.ts';
import { describeQuery } from './pull.ts';
import { noTurn, readPointer } from './read-pointer.ts';
import { records } from './records.ts';
import { type Session, openSession } from './session.ts';
import { spreadRecords } from './spread-joins.ts';
import { icebergColumns, stageStatement } from './staged-columns.ts';
import { dropRun, dropUnusedPointer, sweepRuns } from './sweep-runs.ts';

/** How long a cancelled import may finish a publication that has begun. */
const finishMs = 60_000;

/**
 * Opens a build in a separate schema, because Trino lacks transactions of several statements. Readers ignore the schema
 * until the pointer names it. Rejects with a `SourceError`.
 */
// eslint-disable-next-line max-lines-per-function -- An opened build, whose methods share its session and its schema.
export async function openSourceBuild(
  cluster: Cluster,
  { schema, owner, signal, readOnly, run }: SourceBuildOptions,
): Promise<SourceBuild> {
  const { config } = cluster;
  const place = graphPlace(config, schema);
  const side = place.runSchema(run ?? anyName);
  const settings = { ...cluster, statementTimeoutMs: config.statementTimeoutMs };
  const users = openSession(settings);
  const judge = spreadRecords(settings);
  const own = openSession({ ...settings, place: { catalog: place.catalog, schema: side } });
  await checkCatalog(users, place.catalog, signal);
  const turn = await readTurn(users, place, owner, signal);
  const opening = [...runStatements(place, side, owner, turn), ...pointerStatements(place)];
  let change: PointerChange = 'none';
  /**
   * Whether the pointer names this run or may still do so: the response to the change may have been lost, also after a
   * cancellation.
   */
  const mayBePublished = async (soon: AbortSignal): Promise<boolean> => {
    if (change === 'none') return false;
    const now = await readPointer(users, place, soon).catch(() => undefined);
    if (now === undefined || [now.run, now.previous].includes(run)) return true;
    return change === 'unknown' && now.turn === turn.turn;
  };
  const leave = async (): Promise<void> => {
    const soon = AbortSignal.timeout(30_000);
    // If the run was not published, a later import drops it.
    if (await mayBePublished(soon)) return;
    // Another import may have swept it already.
    await dropRun(users, place, side, soon).catch(() => undefined);
    if (turn.run === undefined) await dropUnusedPointer(users, place, !turn.hasSchema, soon).catch(() => undefined);
  };
  if (readOnly !== true) {
    try {
      await begin(users, place, opening, signal);
    } catch (error) {
      await leave();
      throw error;
    }
    await sweepRuns(users, place, { ...turn, keep: [side] }, signal).catch(() => undefined);
  }
  /** A newer run deletes the tables of an older one: reports that reason instead of the missing table. */
  const unlessOvertaken = <T>(work: Promise<T>, aborted: AbortSignal | undefined): Promise<T> =>
    work.catch(async (error: unknown) => {
      const now = isSourceError(error) ? await readPointer(users, place, aborted).catch(() => undefined) : undefined;
      throw now !== undefined && now.turn !== turn.turn ? overtaken(place, error) : error;
    });
  const stage = (table: string) => place.name(side, table);
  const describe = (query: Parameters<SourceBuild['columnsOf']>[0], options: OperationOptions) =>
    describeQuery(users, query, options);
  return {
    abilities: { hasSnapshot: false, publishesAtomically: false, textTimes: true },
    warnings: [],
    side: [place.catalog, side],
    opening: { name: 'schema', title: 'The schema of the run', statements: opening },
    columnsOf: async (query, options) => icebergColumns(await describe(query, options)),
    async stageSteps(query, table, options) {
      const { text } = stageStatement(stage(table), query, await describe(query, options), undefined);
      const step: QueryStep = {
        kind: 'sql',
        dialect: 'trino',
        role: 'wrap',
        title: 'Executed: the core query into a table of the run',
        text,
      };
      return [step];
    },
    async stage(query, table, { signal: aborted, sample }) {
      const columns = await describe(query, { signal: aborted });
      const statement = stageStatement(stage(table), query, columns, sample);
      const rows = await unlessOvertaken(users.run(statement, { signal: aborted }), aborted);
      return { sourceRows: rows ?? 0, columns: icebergColumns(columns), warnings: [] };
    },
    run: (sql, options) => unlessOvertaken(own.run(executed(sql), options ?? {}), options?.signal),
    query: (sql, options) => unlessOvertaken(records(own, sql, options ?? {}), options?.signal),
    attempt: (sql, options) => unlessOvertaken(judge(sql, { ...options, mayWrite: true }), options?.signal),
    attempting: [],
    publishing: (relations) => ({
      name: 'publish',
      title: 'Putting the graph in its place',
      statements: publishStatements(place, run ?? anyName, owner, turn, relations),
    }),
    async publish(relations, aborted) {
      // Another first import that failed meanwhile may have dropped the pointer.
      if (turn.run === undefined) await begin(users, place, pointerStatements(place), aborted);
      const finishing = abortLater(aborted, finishMs);
      try {
        const signals = { preparing: aborted, finishing: finishing.signal };
        await publishGraph(users, place, { run: run ?? anyName, owner, turn, relations }, signals, (known) => {
          change = known;
        });
        const now = { turn: turn.turn + 1, run, previous: turn.run };
        await sweepRuns(users, place, { ...now, keep: [] }, finishing.signal).catch(() => undefined);
      } finally {
        finishing.release();
      }
    },
    async close() {
      if (change === 'made' || readOnly === true) return;
      await leave();
    },
  };
}

/** The state of the pointer. Rejects where the schema is not ours to replace. */
async function readTurn(
  session: Session,
  place: GraphPlace,
  { entity, runs }: GraphOwner,
  signal: AbortSignal | undefined,
): Promise<Turn> {
  const [literal, catalog] = [trino.literals.quote(place.schema), trino.identifiers.quote(place.catalog)];
  const tables = (
    await session.rows(`SELECT table_name FROM ${catalog}.information_schema.tables WHERE table_schema = ${literal}`, {
      signal,
    })
  ).map(([name]) => String(name));
  if (!tables.includes(pointerTable)) {
    if (tables.length === 0) {
      const schemas = await session.rows(
        `SELECT schema_name FROM ${catalog}.information_schema.schemata WHERE schema_name = ${literal}`,
        { signal },
      );
      return { ...noTurn, hasSchema: schemas.length > 0 };
    }
    throw new SourceError('source-config', `The schema ${place.schema} is there already and is no graph of ours.`, {
      remedy: 'Name another one under import.schema: it is created.',
    });
  }
  const { turn, run, previous, entity: built } = await readPointer(session, place, signal);
  if (run !== undefined && built !== entity && !runs.includes(run)) {
    throw new SourceError(
      'source-config',
      `The schema ${place.schema} holds the graph of another file: ${built ?? '?'}.`,
      {
        remedy: 'Name another one under import.schema, or delete that entity graph with its tables.',
      },
    );
  }
  return { turn, run, previous, hasSchema: true };
}

/** Any number of imports may run these, in any order. */
function pointerStatements(place: GraphPlace): readonly PlanStatement[] {
  const none = 'CAST(NULL AS varchar)';
  return [
    { title: 'The schema of the graph', sql: `CREATE SCHEMA IF NOT EXISTS ${place.name(place.schema)}` },
    {
      title: 'The pointer, which has one row',
      sql: `CREATE TABLE IF NOT EXISTS ${place.name(place.schema, pointerTable)} AS SELECT BIGINT '0' AS turn, ${none} AS run, ${none} AS previous, ${none} AS entity`,
    },
  ];
}

/** First of all, so that a first import that fails sees that another one has begun, and leaves the pointer. */
function runStatements(
  place: GraphPlace,
  side: string,
  { entity }: GraphOwner,
  { turn }: Turn,
): readonly PlanStatement[] {
  return [
    { title: 'The schema of this run', sql: `CREATE SCHEMA ${place.name(side)}` },
    // Before the turn is recorded: an import that publishes meanwhile does not sweep runs without a recorded turn.
    {
      title: 'A view: a catalog without views is found out before the graph is built',
      sql: `CREATE VIEW ${place.name(side, triedView)} AS SELECT 1 AS one`,
    },
    {
      title: 'The turn that this run replaces',
      sql: `CREATE TABLE ${place.name(side, turnTable)} AS SELECT BIGINT '${turn}' AS turn, CAST(${trino.literals.quote(entity)} AS varchar) AS entity`,
    },
  ];
}

/** Of two sessions that run `CREATE … IF NOT EXISTS` at once, one may fail. The object exists then, so it is run again. */
async function runOnce(session: Session, sql: string, signal: AbortSignal | undefined): Promise<void> {
  const create = (): Promise<unknown> => session.run(executed(sql), { signal });
  if (!sql.includes(' IF NOT EXISTS ')) await create();
  else await create().catch((error: unknown) => (isSourceError(error) ? create() : Promise.reject(error)));
}

/** Error codes that may mean that nothing can be created in the catalog. */
const cannotCreate: ReadonlySet<string> = new Set(['permission-denied', 'sql-error', 'source-failed']);

async function begin(
  session: Session,
  place: GraphPlace,
  statements: readonly PlanStatement[],
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    for (const { sql } of statements) await runOnce(session, sql, signal);
  } catch (error) {
    if (!isSourceError(error) || !cannotCreate.has(error.code)) throw error;
    // A failure of the cluster or its storage may be temporary or permanent.
    const first = error.code === 'source-failed' ? `${error.details.remedy ?? 'Try again.'} ` : '';
    throw new SourceError(error.code === 'sql-error' ? 'source-config' : error.code, error.message, {
      remedy: `${first}engine: source creates schemas, Iceberg tables and views in the catalog ${place.catalog}, such as the schema ${place.schema}${runMark}…: name a catalog that has them under import.catalog, ask for the right to create them in it, or use engine: embedded.`,
      cause: error,
    });
  }
}

/** Connectors whose tables are Iceberg's, in Trino and in its distributions. */
const capable = /iceberg|lakehouse|objectstore/;

/**
 * Rejects with a `SourceError` for a catalog of another connector, where a build would fail late: its tables lack types of
 * the build, or the row that names the published run cannot be changed. A catalog that the server does not show is left to
 * the statements that use it.
 */
async function checkCatalog(session: Session, catalog: string, signal: AbortSignal | undefined): Promise<void> {
  const [row] = await session
    .rows(`SELECT connector_name FROM system.metadata.catalogs WHERE catalog_name = ${trino.literals.quote(catalog)}`, {
      signal,
    })
    .catch((error: unknown) => {
      if (isSourceError(error) && (error.code === 'permission-denied' || error.code === 'sql-error')) return [];
      throw error;
    });
  const connector = row?.[0];
  if (typeof connector !== 'string' || capable.test(connector)) return;
  throw new SourceError(
    'source-config',
    `Graphs are built as Iceberg tables, and the catalog ${catalog} is of the connector ${connector}.`,
    { remedy: 'Name a catalog of Iceberg under import.catalog, or use engine: embedded.' },
  );
}
