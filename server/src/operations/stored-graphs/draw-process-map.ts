import { basename } from 'node:path';
import type { MapParams } from '../../../../protocol/event-graph.ts';
import { wholeMap } from '../../event-graph/answer-question.ts';
import { drawMap, plainLook } from '../../event-graph/draw-map.ts';
import { createElkLayout } from '../../event-graph/elk-layout.ts';
import { layoutMap } from '../../event-graph/layout-map.ts';
import { reduceMap } from '../../event-graph/process-map.ts';
import type { GraphFile, ProjectSurroundings } from '../../project/open-project.ts';
import { openGraphStore } from './open-graph-store.ts';
import { OperationError } from '../operation-error.ts';
import { storedGraph } from './stored-graph.ts';

/** The process map of an imported graph as a standalone file. Rejects with an `OperationError`. */
export async function drawProcessMap(
  file: GraphFile,
  surroundings: ProjectSurroundings,
  params: MapParams,
  { elkProgram, signal }: { readonly elkProgram: string; readonly signal: AbortSignal },
): Promise<string> {
  const store = await openGraphStore(await storedGraph(file, surroundings));
  try {
    const map = await wholeMap(params, { store, maps: new Map() }, { signal });
    if (map.nodes.length === 0) {
      throw new OperationError({
        code: 'no-events',
        message: 'The graph has no event of such entities, so there is nothing to draw.',
        file: file.path,
      });
    }
    const placed = await layoutMap(reduceMap(map, params), createElkLayout(elkProgram));
    const name = basename(file.path).replace(/\.entity\.[a-z]+$/i, '');
    return `<?xml version="1.0" encoding="UTF-8"?>\n${drawMap(placed, `Process map of ${name}`, plainLook)}\n`;
  } finally {
    await store.close();
  }
}
