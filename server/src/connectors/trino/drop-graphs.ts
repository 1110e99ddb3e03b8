import type { DropGraphsOptions, GraphToDrop } from '../source-build.ts';
import { SourceError } from '../source-error.ts';
import { foreignGraphError } from '../foreign-graph-error.ts';
import { executed } from './error-position.ts';
import { graphPlace, pointerTable, type GraphPlace } from './graph-place.ts';
import type { Cluster } from './preview.ts';
import { openSession, type Session } from './session.ts';
import { dropRun, relationsOf, runSchemas } from './sweep-runs.ts';

/**
 * Drops graphs with their previous runs. All are looked at before the first one is dropped, as there is no transaction:
 * tables that belong to no graph, or to another one, are left. The pointer goes last, so that an interrupted deletion can
 * be repeated. Rejects with a `SourceError`.
 */
export async function dropGraphs(
  cluster: Cluster,
  graphs: readonly GraphToDrop[],
  options: DropGraphsOptions,
): Promise<void> {
  const session = openSession({ ...cluster, statementTimeoutMs: cluster.config.statementTimeoutMs });
  const found = [];
  for (const graph of graphs) {
    const place = graphPlace(cluster.config, graph.schema);
    if (await isOurs(session, place, graph, options)) found.push(place);
  }
  for (const place of found) await dropGraph(session, place, options);
}

async function isOurs(
  session: Session,
  place: GraphPlace,
  { run, begun = [] }: GraphToDrop,
  { isRelationOf, signal }: DropGraphsOptions,
): Promise<boolean> {
  const relations = await relationsOf(session, place, place.schema, signal);
  if (relations.length === 0) return false;
  const strange = relations.filter(({ name, kind }) =>
    name === pointerTable ? kind !== 'TABLE' : kind !== 'VIEW' || !isRelationOf(undefined, name),
  );
  const isView = ({ kind }: (typeof relations)[number]): boolean => kind === 'VIEW';
  // Only the record of the run tells which views are named after its types and elements.
  const counts = strange.some(isView) ? await countsOf(session, place, relations, signal) : undefined;
  const foreign = strange.find(
    (each) => !isView(each) || each.name === pointerTable || !isRelationOf(counts, each.name),
  );
  const remedy = 'Leave its tables, or drop it yourself.';
  if (foreign || !relations.some(({ name }) => name === pointerTable)) {
    const what = foreign ? `holds ${foreign.name}, which is not of a graph` : 'was not made by an import';
    throw new SourceError('source-config', `The schema ${place.schema} ${what}.`, { remedy });
  }
  const pointer = place.name(place.schema, pointerTable);
  const [row] = await session.rows(`SELECT run, entity FROM ${pointer}`, { signal });
  const [published, entity] = row ?? [];
  if (published === undefined || published === null || [run, ...begun].includes(String(published))) return true;
  if (run === undefined) return false;
  throw foreignGraphError(place.schema, String(entity), startOfRun(String(published)));
}

/** The record of the published run, if there is one. */
async function countsOf(
  session: Session,
  place: GraphPlace,
  relations: readonly { readonly name: string; readonly kind: string }[],
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (!relations.some(({ name, kind }) => name === 'run' && kind === 'VIEW')) return undefined;
  const [row] = await session.rows(`SELECT CAST(counts AS varchar) FROM ${place.name(place.schema, 'run')}`, {
    signal,
  });
  const [counts] = row ?? [];
  return counts === null || counts === undefined ? undefined : String(counts);
}

/** The minute in the id of a run. */
function startOfRun(run: string): string {
  return run.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d).*$/, '$1-$2-$3 $4:$5');
}

async function dropGraph(session: Session, place: GraphPlace, { signal }: DropGraphsOptions): Promise<void> {
  for (const { name, kind } of await relationsOf(session, place, place.schema, signal)) {
    if (kind === 'VIEW') await session.run(executed(`DROP VIEW ${place.name(place.schema, name)}`), { signal });
  }
  for (const schema of await runSchemas(session, place, signal)) await dropRun(session, place, schema, signal);
  await session.run(executed(`DROP TABLE ${place.name(place.schema, pointerTable)}`), { signal });
  await session.run(executed(`DROP SCHEMA ${place.name(place.schema)}`), { signal });
}
