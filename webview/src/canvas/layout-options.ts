import type { LayoutOptions } from 'elkjs/lib/elk-api.js';

/** Above it, the order within columns is tried once instead of often: half the time for much the same picture. */
const mediumGraph = 80;

/** Above it, a picture in time is worth more than the shortest lines. */
const largeGraph = 250;

/**
 * How ELK places the cards: from left to right, in the order of the file as far as lines allow.
 * @param aspectRatio Width by height of the space on the screen, into which unconnected parts are packed.
 */
export function layoutOptions(nodes: number, aspectRatio: number): LayoutOptions {
  return {
    'elk.algorithm': 'layered',
    'elk.direction': 'RIGHT',
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
