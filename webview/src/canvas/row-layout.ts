import type { ElkNode } from 'elkjs/lib/elk-api.js';
import { avoidOverlaps } from './avoid-overlaps.ts';

const gap = 96;

/** Fallback layout when ELK cannot run: rows, with lines around them. */
export function layoutInRows(graph: ElkNode): ElkNode {
  const nodes = graph.children ?? [];
  const columns = Math.max(1, Math.ceil(Math.sqrt(nodes.length)));
  const width = Math.max(0, ...nodes.map((node) => node.width ?? 0));
  const height = Math.max(0, ...nodes.map((node) => node.height ?? 0));
  const children = nodes.map((node, index) => ({
    ...node,
    x: 24 + (index % columns) * (width + gap),
    y: 24 + Math.floor(index / columns) * (height + gap),
  }));
  return avoidOverlaps({ ...graph, children });
}
