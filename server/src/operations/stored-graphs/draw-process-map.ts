import { createSelections } from '../../analysis/selections.ts';
import { basename } from 'node:path';
import type { ActivityCondition, MapParams } from '../../../../protocol/event-graph.ts';
import { englishMapWords } from '../../../../protocol/map-words.ts';
import { wholeMap } from '../../event-graph/answer-question.ts';
import { defaultEntityType } from '../../event-graph/default-entity-type.ts';
import { drawMap } from '../../event-graph/draw-map.ts';
import { createElkLayout } from '../../event-graph/elk-layout.ts';
import { cachedLayouts } from '../../event-graph/layout-cache.ts';
import { layoutMap } from '../../event-graph/layout-map.ts';
import { plainTheme } from '../../event-graph/map-theme.ts';
import { type ProcessMap, reduceMap } from '../../event-graph/process-map.ts';
import type { GraphFile, ProjectContext } from '../../project/open-project.ts';
import { layoutCacheFile } from './layout-cache-file.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import type { StoreReader } from '../../store/duckdb-store.ts';
import { openCodedGraphStore } from './open-graph-store.ts';
import { OperationError } from '../operation-error.ts';
import { storedGraph } from './stored-graph.ts';

export type { ProcessMap } from '../../event-graph/process-map.ts';

/** The map to draw. `first type` is the default entity type of the panel. */
export interface DrawnMap extends Omit<MapParams, 'filter'> {
  readonly of: { readonly entityType: string } | 'all types' | 'first type';
  /** Activities that its entities must have, and must not have. */
  readonly conditions?: readonly ActivityCondition[];
}

/**
 * The process map of an imported graph as a self-contained file, with a summary of its content. Rejects with an
 * `OperationError`.
 */
export async function drawProcessMap(
  file: GraphFile,
  projectContext: ProjectContext,
  { of, conditions = [], ...params }: DrawnMap,
  { elkProgram, signal }: { readonly elkProgram: string; readonly signal: AbortSignal },
): Promise<{ readonly svg: string; readonly shown: ProcessMap }> {
  const path = await storedGraph(file, projectContext);
  const [layouts, layOut] = [layoutCacheFile(path), createElkLayout(elkProgram)];
  // A graph without kept layouts needs ELK, and DuckDB opens the store in threads of its own.
  const loadingElk = layouts.read().then((kept) => kept === undefined && layOut.load());
  const [store] = await Promise.all([openCodedGraphStore(path), loadingElk]);
  try {
    const entityType = of === 'first type' ? await defaultEntityType(store, { signal }) : undefined;
    await checkActivities(store, conditions, { file, signal });
    const filter = {
      ...(typeof of === 'object' ? of : entityType === undefined ? {} : { entityType }),
      ...(conditions.length === 0 ? {} : { activities: conditions }),
    };
    const map = await wholeMap(
      { ...params, filter },
      { store, maps: new Map(), selections: createSelections(store) },
      { signal },
    );
    if (map.nodes.length === 0) {
      throw new OperationError({
        code: 'no-events',
        message: 'The graph has no events of such entities, so there is nothing to draw.',
        file: file.path,
      });
    }
    const shown = reduceMap(map, params);
    const placed = await layoutMap(shown, cachedLayouts(layOut, layouts), params);
    const name = basename(file.path).replace(/\.entity\.[a-z]+$/i, '');
    const style = {
      name: `Process map of ${name}`,
      graphName: name,
      look: plainTheme,
      words: englishMapWords,
      filter,
      pathMeasure: params.pathMeasure,
    };
    const { svg } = drawMap(placed, map, style);
    return { svg: `<?xml version="1.0" encoding="UTF-8"?>\n${svg}\n`, shown };
  } finally {
    await store.close();
  }
}

/** A misspelt activity would leave out no entity, or all of them. */
async function checkActivities(
  store: StoreReader,
  conditions: readonly ActivityCondition[],
  { file, signal }: { readonly file: GraphFile; readonly signal: AbortSignal },
): Promise<void> {
  if (conditions.length === 0) return;
  const rows = await store.query('SELECT DISTINCT activity FROM event', { signal });
  const known = new Set(rows.map((row) => String(row['activity'])));
  for (const { activity } of conditions) {
    if (known.has(activity)) continue;
    const remedy = didYouMean(nearestNames(activity, known));
    throw new OperationError({
      code: 'not-in-graph',
      message: `The graph has no activity "${activity}".`,
      ...(remedy === undefined ? {} : { remedy }),
      file: file.path,
    });
  }
}
