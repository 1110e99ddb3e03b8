import type { LayoutOptions } from 'elkjs/lib/elk-api.js';

/** Above this number, one pass orders the columns: half the time for a similar drawing. */
export const mediumGraph = 80;

/** Above this number, speed has priority over short lines. */
const largeGraph = 250;

/** Direction of relationships: to the right, or down. */
export type LayoutDirection = 'RIGHT' | 'DOWN';

/** The directions worth trying in a panel of this shape: small graphs are laid out in both, and the larger one is shown. */
export function directionsFor(nodes: number, aspectRatio: number): readonly LayoutDirection[] {
  const shape: LayoutDirection = aspectRatio < 1 ? 'DOWN' : 'RIGHT';
  if (nodes > mediumGraph) return [shape];
  return shape === 'DOWN' ? ['DOWN', 'RIGHT'] : ['RIGHT', 'DOWN'];
}

/**
 * ELK options, in file order as far as possible.
 * @param aspectRatio width by height of the canvas, into which unconnected parts are packed.
 */
export function layoutOptions(nodes: number, aspectRatio: number, direction: LayoutDirection = 'RIGHT'): LayoutOptions {
  return {
    'elk.algorithm': 'layered',
    'elk.direction': direction,
    'elk.aspectRatio': aspectRatio.toFixed(2),
    'elk.padding': '[top=24,left=24,bottom=24,right=24]',
    'elk.spacing.nodeNode': '40',
    'elk.spacing.edgeNode': '24',
    'elk.spacing.edgeEdge': '16',
    'elk.spacing.edgeLabel': '4',
    'elk.spacing.nodeSelfLoop': '24',
    'elk.spacing.componentComponent': '48',
    'elk.layered.spacing.nodeNodeBetweenLayers': '56',
    'elk.layered.spacing.edgeNodeBetweenLayers': '24',
    'elk.layered.spacing.edgeEdgeBetweenLayers': '16',
    'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
    ...(nodes > mediumGraph ? { 'elk.layered.thoroughness': '1' } : {}),
    ...(nodes > largeGraph
      ? {
          'elk.edgeRouting': 'POLYLINE',
          'elk.layered.nodePlacement.strategy': 'SIMPLE',
        }
      : { 'elk.edgeRouting': 'ORTHOGONAL', 'elk.layered.nodePlacement.bk.fixedAlignment': 'BALANCED' }),
  };
}
