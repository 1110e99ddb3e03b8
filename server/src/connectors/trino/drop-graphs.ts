import type { DropGraphsOptions, GraphToDrop } from '../source-build.ts';
import { SourceError } from '../source-error.ts';
import { builtByOther } from '../built-by-other.ts';
import { executed } from './error-position.ts';
import { graphPlace, pointerTable, type GraphPlace } from './graph-place.ts';
import type { Cluster } from './preview.ts';
import { openSession, type Session } from './session.ts';
import { dropRun, relationsOf, runSchemas } from './sweep-runs.ts';

/**
 * Drops graphs with the runs of before. All are looked at before the first one is dropped, as there is no transaction:
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
  { isGraphRelation, signal }: DropGraphsOptions,
): Promise<boolean> {
  const relations = await relationsOf(session, place, place.schema, signal);
  if (relations.length === 0) return false;
  const foreign = relations.find(({ name, kind }) =>
    name === pointerTable ? kind !== 'TABLE' : kind !== 'VIEW' || !isGraphRelation(name),
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
  throw builtByOther(place.schema, String(entity), startOfRun(String(published)));
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
