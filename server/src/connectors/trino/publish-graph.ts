import { trino } from '../../dialects/trino.ts';
import type { PlanStatement } from '../../query/compiled-query.ts';
import type { GraphOwner } from '../source-build.ts';
import { SourceError, isSourceError } from '../source-error.ts';
import { executed } from './error-position.ts';
import { anyName, pointerTable, triedView, turnTable, type GraphPlace, type Turn } from './graph-place.ts';
import { readPointer } from './read-pointer.ts';
import type { Session } from './session.ts';
import { dropRunSql, relationsOf } from './sweep-runs.ts';

interface Publication {
  readonly run: string;
  readonly owner: GraphOwner;
  /** The content of the pointer when the build began. */
  readonly turn: Turn;
  readonly relations: readonly string[];
}

/**
 * The outcome of the statement that changes the pointer. It is `unknown` from sending the statement until its answer: the
 * statement may be running, or done.
 */
export type PointerChange = 'none' | 'unknown' | 'refused' | 'made';

/** The statements of a publication, as a plan shows them: without the names of dropped tables. */
export function publishStatements(
  place: GraphPlace,
  run: string,
  owner: GraphOwner,
  turn: Turn,
  relations: readonly string[],
): readonly PlanStatement[] {
  const side = place.runSchema(run);
  return [
    { title: 'Each table of the run that is not of the graph', sql: `DROP TABLE ${place.name(side, anyName)}` },
    { title: 'The view that was tried', sql: `DROP VIEW ${place.name(side, triedView)}` },
    { title: 'The pointer, if nobody else changed it since', sql: pointSql(place, run, owner, turn) },
    ...relations.map((name) => ({ title: `Readers of ${name}`, sql: viewSql(place, run, name) })),
    { title: 'Each view that the graph has no more', sql: `DROP VIEW ${place.name(place.schema, anyName)}` },
    { title: 'Each run that is not kept any more', sql: dropRunSql(place, place.runSchema(anyName)) },
  ];
}

/**
 * `preparing` ends a publication before the pointer is changed. From then on it ends with `finishing` only: a graph that
 * the pointer names, but not the views, would be half published.
 */
interface PublicationSignals {
  readonly preparing: AbortSignal;
  readonly finishing: AbortSignal;
}

/**
 * Drops staging tables, then changes the pointer if it is unchanged since the build began (compare-and-set), then
 * replaces the views. Rejects when another import was faster.
 */
export async function publishGraph(
  session: Session,
  place: GraphPlace,
  { run, owner, turn, relations }: Publication,
  { preparing, finishing: signal }: PublicationSignals,
  onPointer: (change: PointerChange) => void,
): Promise<void> {
  const side = place.runSchema(run);
  const kept = new Set([...relations, turnTable]);
  for (const { name, kind } of await relationsOf(session, place, side, preparing)) {
    if (!kept.has(name)) await session.run(executed(`DROP ${kind} ${place.name(side, name)}`), { signal: preparing });
  }
  preparing.throwIfAborted();
  onPointer('unknown');
  const changed = await session
    .run(executed(pointSql(place, run, owner, turn)), { signal, onFailure: () => onPointer('refused') })
    .catch(async (error: unknown) => {
      // If the response was lost, the pointer may have been changed. The error of a lost race differs between catalogs.
      const now = isSourceError(error) ? await readPointer(session, place, signal).catch(() => undefined) : undefined;
      if (now?.run === run) return 1;
      throw now !== undefined && now.turn !== turn.turn ? overtaken(place, error) : error;
    });
  if (changed !== 1) {
    onPointer('refused');
    throw overtaken(place);
  }
  onPointer('made');
  await replaceViews(session, place, run, relations, signal).catch((error: unknown) => {
    throw isSourceError(error) ? viewsBehind(place, error) : error;
  });
}

async function replaceViews(
  session: Session,
  place: GraphPlace,
  run: string,
  relations: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  for (const name of relations) await session.run(executed(viewSql(place, run, name)), { signal });
  const views = await relationsOf(session, place, place.schema, signal);
  for (const { name, kind } of views) {
    if (kind === 'VIEW' && !relations.includes(name)) {
      await session.run(executed(`DROP VIEW ${place.name(place.schema, name)}`), { signal });
    }
  }
}

function pointSql(place: GraphPlace, run: string, { entity }: GraphOwner, { turn }: Turn): string {
  const text = trino.literals.quote;
  return `UPDATE ${place.name(place.schema, pointerTable)} SET turn = BIGINT '${turn + 1}', previous = run, run = ${text(run)}, entity = ${text(entity)} WHERE turn = BIGINT '${turn}'`;
}

function viewSql(place: GraphPlace, run: string, name: string): string {
  return `CREATE OR REPLACE VIEW ${place.name(place.schema, name)} AS SELECT * FROM ${place.name(place.runSchema(run), name)}`;
}

/** The failure of an import that has published its graph, but could not replace all views. */
function viewsBehind({ schema }: GraphPlace, error: SourceError): SourceError {
  const { code, message, details } = error;
  const first = details.remedy === undefined ? '' : `${details.remedy} `;
  return new SourceError(code, `The graph is published in ${schema}, but not all views show it: ${message}`, {
    ...details,
    remedy: `${first}Then import again, which replaces the views.`,
    cause: error,
  });
}

/** The refusal of the import that was slower. */
export function overtaken({ schema }: GraphPlace, cause?: unknown): SourceError {
  return new SourceError('source-failed', `Another import published its graph in the schema ${schema} meanwhile.`, {
    remedy: 'Import again: this graph was not kept.',
    cause,
  });
}
