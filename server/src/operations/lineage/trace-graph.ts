import { lineageOf } from '../../lineage/lineage.ts';
import type { Output } from '../../lineage/output.ts';
import { type UntracedObject, untracedObjects, untracedText } from '../../lineage/untraced-objects.ts';
import { dataSourcesNamed } from '../../model/data-sources-used.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import { type LineIndex, createLineIndex } from '../../model/line-index.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import { type GraphFile, type ProjectContext, type SourcesFile, findSources } from '../../project/open-project.ts';
import { readGraphText } from '../../project/parse-in-slices.ts';
import { refuseUnreadable } from '../imports/import-plan.ts';
import { openKnownCatalog } from '../validation/known-catalog.ts';

/** The lineage of a graph, and what is missing in it. */
interface TracedGraph {
  readonly outputs: readonly Output[];
  readonly lines: LineIndex;
  /** What subqueries read. */
  readonly untraced: readonly UntracedObject[];
  readonly notes: readonly string[];
}

/** Needs no connection: reads local files, and takes the cached catalogs of other data sources. */
export async function traceGraph(
  file: GraphFile,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<TracedGraph> {
  refuseUnreadable(file);
  const parsed = await readGraphText(file.text);
  signal.throwIfAborted();
  const sourcesFile = await findSources(file.path, projectContext);
  const known = await openKnownCatalog(parsed, sourcesFile, projectContext, { online: false, signal });
  await known.close();
  const untraced = untracedObjects(parsed.graph, known.catalog);
  return {
    outputs: lineageOf(parsed.graph, known.catalog),
    lines: createLineIndex(file.text),
    untraced,
    notes: [...unknownSources(parsed.graph, sourcesFile), ...known.notes, ...untraced.map(untracedText)],
  };
}

function unknownSources(graph: EntityGraph, sourcesFile: SourcesFile | undefined): readonly string[] {
  const known = (sourcesFile?.sources.sources ?? []).map(({ name }) => name.value);
  const where = sourcesFile ? sourcesFile.path : 'any data sources file';
  return dataSourcesNamed(graph)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const question = didYouMean(nearestNames(name, known));
      return `There is no data source "${name}" in ${where}: its SQL names no columns.${question === undefined ? '' : ` ${question}`}`;
    });
}
