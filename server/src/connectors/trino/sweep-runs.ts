import { trino } from '../../dialects/trino.ts';
import { isSourceError } from '../source-error.ts';
import { executed } from './error-position.ts';
import { pointerTable, runMark, turnTable, type GraphPlace, type Turn } from './graph-place.ts';
import type { Session } from './session.ts';

const { quote: quoteName } = trino.identifiers;
const { quote } = trino.literals;

interface Relation {
  readonly name: string;
  readonly kind: 'TABLE' | 'VIEW';
}

/** The tables and views of a schema. */
export async function relationsOf(
  session: Session,
  { catalog }: GraphPlace,
  schema: string,
  signal: AbortSignal | undefined,
): Promise<readonly Relation[]> {
  const rows = await session.rows(
    `SELECT table_name, table_type FROM ${quoteName(catalog)}.information_schema.tables WHERE table_schema = ${quote(schema)}`,
    { signal },
  );
  return rows.map(([name, type]) => ({ name: String(name), kind: type === 'VIEW' ? 'VIEW' : 'TABLE' }));
}

/** The schemas of the runs of a graph. */
export async function runSchemas(
  session: Session,
  { catalog, schema }: GraphPlace,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const rows = await session.rows(`SELECT schema_name FROM ${quoteName(catalog)}.information_schema.schemata`, {
    signal,
  });
  const names = rows.map(([name]) => String(name));
  // Names with the pattern of `runId`.
  return names.filter(
    (name) => name.startsWith(`${schema}${runMark}`) && /^\d{8}t\d{9}_[0-9a-f]+$/.test(name.slice(schema.length + 2)),
  );
}

/**
 * Drops the runs that can never be published, because the pointer has changed since they began: runs of killed imports,
 * and running imports that were overtaken. Graphs that the pointer or views refer to stay. Runs without a recorded
 * beginning stay until they are so old that their import must have been killed.
 */
export async function sweepRuns(
  session: Session,
  place: GraphPlace,
  { turn, run, previous, keep }: Omit<Turn, 'hasSchema'> & { readonly keep: readonly string[] },
  signal: AbortSignal | undefined,
): Promise<void> {
  const kept = new Set([...keep, ...[run, previous].flatMap((id) => (id === undefined ? [] : [place.runSchema(id)]))]);
  const views = await viewTexts(session, place, signal);
  for (const schema of await runSchemas(session, place, signal)) {
    if (kept.has(schema) || views.some((text) => text.includes(schema))) continue;
    const begun = await beginning(session, place, schema, signal);
    if (begun === undefined ? isOld(schema) : begun < turn) await dropRun(session, place, schema, signal);
  }
}

/** The definitions of the views of the graph. */
async function viewTexts(
  session: Session,
  { catalog, schema }: GraphPlace,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const rows = await session.rows(
    `SELECT view_definition FROM ${quoteName(catalog)}.information_schema.views WHERE table_schema = ${quote(schema)}`,
    { signal },
  );
  return rows.map(([text]) => String(text));
}

const dayMs = 86_400_000;

/** Whether a run is older than a day, by its id. The margin is large because clocks differ and busy clusters delay statements. */
function isOld(schema: string): boolean {
  const [, ...parts] = /(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)\d{3}_[0-9a-f]+$/.exec(schema) ?? [];
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map(Number);
  return Date.now() - Date.UTC(year, month - 1, day, hour, minute, second) > dayMs;
}

/** The turn that a run began at; undefined for a run that was killed before it noted it. */
async function beginning(
  session: Session,
  place: GraphPlace,
  schema: string,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  try {
    const [row] = await session.rows(`SELECT turn FROM ${place.name(schema, turnTable)}`, { signal });
    return row && Number(row[0]);
  } catch (error) {
    if (isSourceError(error) && error.code === 'object-missing') return undefined;
    throw error;
  }
}

/**
 * Drops the pointer if nothing was ever published and no import is running, and with `andSchema` its schema too. Other
 * content of the schema stays.
 */
export async function dropUnusedPointer(
  session: Session,
  place: GraphPlace,
  andSchema: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  if ((await runSchemas(session, place, signal)).length > 0) return;
  if ((await relationsOf(session, place, place.schema, signal)).some(({ name }) => name === pointerTable)) {
    const pointer = place.name(place.schema, pointerTable);
    const [row] = await session.rows(`SELECT run FROM ${pointer}`, { signal });
    if (row && row[0] !== null) return;
    await session.run(executed(`DROP TABLE ${pointer}`), { signal });
  }
  if (andSchema) await session.run(executed(`DROP SCHEMA IF EXISTS ${place.name(place.schema)}`), { signal });
}

/** Drops the schema of a run with its content. */
export async function dropRun(
  session: Session,
  place: GraphPlace,
  schema: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await session.run(executed(dropRunSql(place, schema)), { signal });
}

export function dropRunSql(place: GraphPlace, schema: string): string {
  return `DROP SCHEMA IF EXISTS ${place.name(schema)} CASCADE`;
}
