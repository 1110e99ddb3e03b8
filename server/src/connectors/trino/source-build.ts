import type { PlanStatement, QueryStep } from '../../query/compiled-query.ts';
import type { OperationOptions } from '../connector.ts';
import type { GraphOwner, SourceBuild, SourceBuildOptions } from '../source-build.ts';
import { SourceError, isSourceError } from '../source-error.ts';
import { describeQuery } from './pull.ts';
import { executed } from './error-position.ts';
import { graphPlace, pointerTable, runMark, turnTable, type GraphPlace, type Turn } from './graph-place.ts';
import type { Cluster } from './preview.ts';
import { publishGraph, publishStatements } from './publish-graph.ts';
import { dropRun, sweepRuns } from './sweep-runs.ts';
import { icebergColumns, stageStatement } from './staged-columns.ts';
import { openSession, type Session } from './session.ts';
import { plainTime } from './time-text.ts';

/** In a plan, in place of the id of a run. */
const anyRun = '…';

/**
 * Opens a build in a schema of its own, as there are no transactions of several statements: nobody reads it before the
 * pointer names it. Rejects with a `SourceError`.
 */
export async function openSourceBuild(
  cluster: Cluster,
  { schema, owner, signal, readOnly, run }: SourceBuildOptions,
): Promise<SourceBuild> {
  const { config } = cluster;
  const place = graphPlace(config, schema);
  const side = place.runSchema(run ?? anyRun);
  const settings = { ...cluster, statementTimeoutMs: config.statementTimeoutMs };
  const users = openSession(settings);
  const own = openSession({ ...settings, place: { catalog: place.catalog, schema: side } });
  const turn = await readTurn(users, place, owner, signal);
  const opening = openingStatements(place, side, owner, turn);
  let isPublished = false;
  if (readOnly !== true) {
    await begin(users, place, opening, signal);
    await sweepRuns(users, place, { ...turn, keep: [side] }, signal).catch(() => undefined);
  }
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
      const rows = await users.run(stageStatement(stage(table), query, columns, sample), { signal: aborted });
      return { sourceRows: rows ?? 0, columns: icebergColumns(columns), warnings: [] };
    },
    run: (sql, options) => own.run(executed(sql), options ?? {}),
    query: (sql, options) => records(own, sql, options ?? {}),
    attempt: (sql, options) => records(users, sql, options ?? {}),
    publishing: (relations) => ({
      name: 'publish',
      title: 'Putting the graph in its place',
      statements: publishStatements(place, run ?? anyRun, owner, turn, relations),
    }),
    async publish(relations, aborted) {
      await publishGraph(users, place, { run: run ?? anyRun, owner, turn, relations }, aborted, () => {
        isPublished = true;
      });
      const now = { turn: turn.turn + 1, run, previous: turn.run };
      await sweepRuns(users, place, { ...now, keep: [] }, aborted).catch(() => undefined);
    },
    async close() {
      if (isPublished || readOnly === true) return;
      // Another import may have swept it already.
      await dropRun(users, place, side, AbortSignal.timeout(30_000)).catch(() => undefined);
    },
  };
}

async function records(
  session: Session,
  sql: string,
  options: OperationOptions,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const found: Record<string, unknown>[] = [];
  for await (const { columns, rows } of session.pages(executed(sql), options)) {
    for (const row of rows)
      found.push(Object.fromEntries(columns.map(({ name, type }, index) => [name, cell(row[index], type)])));
  }
  return found;
}

/** Times as other engines print them: without zeros at the end of the fraction. */
function cell(value: unknown, type: string): unknown {
  if (typeof value !== 'string' || !type.startsWith('timestamp')) return value;
  return plainTime(value, (date, clock) => `${date}${clock} BC`)
    .replace(/\.?0+$(?<=\.\d*)/, '')
    .replace(/\.$/, '');
}

/** The state of the pointer. Rejects where the schema is not ours to replace. */
async function readTurn(
  session: Session,
  place: GraphPlace,
  { entity, runs }: GraphOwner,
  signal: AbortSignal | undefined,
): Promise<Turn> {
  const literal = `'${place.schema.replaceAll("'", "''")}'`;
  const tables = (
    await session.rows(
      `SELECT table_name FROM "${place.catalog.replaceAll('"', '""')}".information_schema.tables WHERE table_schema = ${literal}`,
      { signal },
    )
  ).map(([name]) => String(name));
  if (!tables.includes(pointerTable)) {
    if (tables.length === 0) return { turn: 0, run: undefined, previous: undefined };
    throw new SourceError('source-config', `The schema ${place.schema} is there already and is no graph of ours.`, {
      remedy: 'Name another one under import.schema: it is created.',
    });
  }
  const [row] = await session.rows(
    `SELECT turn, run, previous, entity FROM ${place.name(place.schema, pointerTable)}`,
    { signal },
  );
  if (!row) return { turn: 0, run: undefined, previous: undefined };
  const [turn, run, previous, built] = row.map((value) => (value === null ? undefined : String(value)));
  if (run !== undefined && built !== entity && !runs.includes(run)) {
    throw new SourceError(
      'source-config',
      `The schema ${place.schema} holds the graph of another file: ${built ?? '?'}.`,
      {
        remedy: 'Name another one under import.schema, or delete that entity graph with its tables.',
      },
    );
  }
  return { turn: Number(turn), run, previous };
}

function openingStatements(
  place: GraphPlace,
  side: string,
  { entity }: GraphOwner,
  { turn }: Turn,
): readonly PlanStatement[] {
  const none = 'CAST(NULL AS varchar)';
  return [
    { title: 'The schema of the graph', sql: `CREATE SCHEMA IF NOT EXISTS ${place.name(place.schema)}` },
    {
      title: 'The pointer, which has one row',
      sql: `CREATE TABLE IF NOT EXISTS ${place.name(place.schema, pointerTable)} AS SELECT BIGINT '0' AS turn, ${none} AS run, ${none} AS previous, ${none} AS entity`,
    },
    { title: 'The schema of this run', sql: `CREATE SCHEMA ${place.name(side)}` },
    {
      title: 'The turn that this run replaces',
      sql: `CREATE TABLE ${place.name(side, turnTable)} AS SELECT BIGINT '${turn}' AS turn, CAST('${entity.replaceAll("'", "''")}' AS varchar) AS entity`,
    },
  ];
}

async function begin(
  session: Session,
  place: GraphPlace,
  statements: readonly PlanStatement[],
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    for (const { sql } of statements) await session.run(executed(sql), { signal });
  } catch (error) {
    if (!isSourceError(error)) throw error;
    if (error.code !== 'permission-denied' && error.code !== 'sql-error') throw error;
    throw new SourceError(error.code === 'sql-error' ? 'source-config' : error.code, error.message, {
      remedy: `engine: source creates schemas and Iceberg tables in the catalog ${place.catalog}, such as ${place.schema}${runMark}…: name a catalog of Iceberg under import.catalog, ask for the right to create schemas in it, or use engine: embedded.`,
      cause: error,
    });
  }
}
