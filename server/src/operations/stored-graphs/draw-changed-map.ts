import type { ChangedMap } from '../../../../protocol/event-graph.ts';
import type { MapWords } from '../../../../protocol/map-words.ts';
import { wholeMap } from '../../event-graph/answer-question.ts';
import { changedMap } from '../../event-graph/changed-map.ts';
import { drawMap } from '../../event-graph/draw-map.ts';
import { type LayOut, layoutMap } from '../../event-graph/layout-map.ts';
import { editorTheme } from '../../event-graph/map-theme.ts';
import { type ProcessMap, reduceMap } from '../../event-graph/process-map.ts';
import { OperationError } from '../operation-error.ts';
import type { GraphCache } from './event-graph.ts';
import type { StoredGraphs } from './stored-graph.ts';

interface MapOfImports {
  readonly stores: StoredGraphs;
  readonly entityType: string;
  readonly words: MapWords;
}

/** The process map of a type in the last two imports, with both numbers. Rejects with an `OperationError`. */
export async function drawChangedMap(
  { stores: { store, previous }, entityType, words }: MapOfImports,
  { graphs, layOut }: { readonly graphs: GraphCache; readonly layOut: LayOut },
  signal: AbortSignal,
): Promise<ChangedMap> {
  if (previous === undefined) {
    throw new OperationError({ code: 'no-earlier-run', message: 'There is no import before the last one.' });
  }
  const mapOf = (path: string): Promise<ProcessMap> =>
    graphs.use(path, (graph) => wholeMap({ filter: { entityType } }, graph, { signal }));
  const map = changedMap(await mapOf(store), await mapOf(previous));
  if (map.nodes.length === 0) {
    throw new OperationError({
      code: 'not-in-graph',
      message: `No entity of ${entityType} has events, so there is no map of them.`,
    });
  }
  const placed = await layoutMap(reduceMap(map, {}), layOut, { words, signal });
  const compare = { kind: 'imports' } as const;
  const { svg, width, height } = drawMap(placed, map, { name: words.title, words, compare, look: editorTheme });
  return { svg, width, height };
}
