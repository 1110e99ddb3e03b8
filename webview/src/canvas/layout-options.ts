import type { LayoutOptions } from 'elkjs/lib/elk-api.js';

/** Above this number, one pass orders the columns: half the time for a similar drawing. */
export const mediumGraph = 80;

/** Above this number, speed has priority over short lines. */
const largeGraph = 250;

/** Whether lines of a graph of this size have right angles only. */
export function hasRightAngles(nodes: number): boolean {
  return nodes <= largeGraph;
}

/** Direction of relationships: to the right, or down. */
type LayoutDirection = 'RIGHT' | 'DOWN';

/** How a graph is arranged: where its lines lead, and whether long chains of columns go on in a further row. */
export interface Arrangement {
  readonly direction: LayoutDirection;
  /** How many more columns than the panel has room for a row may have; absent for a single row. */
  readonly wrapping?: number;
}

/**
 * The arrangements worth trying in a panel of this shape, the most pleasant first: of a small graph, the one that can be
 * shown largest is taken.
 */
export function arrangementsFor(nodes: number, aspectRatio: number): readonly Arrangement[] {
  const rows: readonly Arrangement[] = [{ direction: 'RIGHT' }];
  const columns: readonly Arrangement[] = [{ direction: 'DOWN' }];
  const plain = aspectRatio < 1 ? [...columns, ...rows] : [...rows, ...columns];
  if (nodes > mediumGraph) return plain.slice(0, 1);
  return [...plain, ...wrappings.map((wrapping) => ({ direction: 'RIGHT' as const, wrapping }))];
}

const wrappings = [1, 2.2];

/**
 * ELK options, in file order as far as possible.
 * @param aspectRatio width by height of the canvas, into which unconnected parts are packed.
 */
export function layoutOptions(
  nodes: number,
  aspectRatio: number,
  { direction, wrapping }: Arrangement = { direction: 'RIGHT' },
): LayoutOptions {
  return {
    'elk.algorithm': 'layered',
    'elk.direction': direction,
    'elk.aspectRatio': aspectRatio.toFixed(2),
    'elk.padding': '[top=24,left=24,bottom=24,right=24]',
    'elk.spacing.nodeNode': '28',
    'elk.spacing.edgeNode': '16',
    'elk.spacing.edgeEdge': '12',
    'elk.spacing.edgeLabel': '4',
    'elk.spacing.nodeSelfLoop': '24',
    'elk.spacing.componentComponent': '36',
    'elk.layered.spacing.nodeNodeBetweenLayers': '36',
    'elk.layered.spacing.edgeNodeBetweenLayers': '16',
    'elk.layered.spacing.edgeEdgeBetweenLayers': '12',
    'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
    ...(wrapping === undefined
      ? {}
      : {
          'elk.layered.wrapping.strategy': 'MULTI_EDGE',
          'elk.layered.wrapping.correctionFactor': String(wrapping),
          'elk.layered.wrapping.additionalEdgeSpacing': '10',
        }),
    ...(nodes > mediumGraph ? { 'elk.layered.thoroughness': '1' } : {}),
    ...(!hasRightAngles(nodes)
      ? {
          'elk.edgeRouting': 'POLYLINE',
          'elk.layered.nodePlacement.strategy': 'SIMPLE',
        }
      : { 'elk.edgeRouting': 'ORTHOGONAL', 'elk.layered.nodePlacement.bk.fixedAlignment': 'BALANCED' }),
  };
}
