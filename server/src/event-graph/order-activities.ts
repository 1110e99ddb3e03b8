import type { MapEdgeView, MapNodeView } from '../../../protocol/event-graph.ts';

type Node = Pick<MapNodeView, 'activity' | 'starts' | 'ends'>;
type Edge = Pick<MapEdgeView, 'source' | 'target' | 'count'>;

/** Enough for orders of maps that can be read; larger ones are improved only once. */
const maxRounds = 20;
const readable = 200;

/**
 * The activities in the direction of the process: activities with which many entities start come early, those with which many end late, and between
 * two the more frequent direction goes forward. A path against this order goes back.
 * @param starting the activities that a line from the start leads to; no other one comes before all activities that lead to it
 */
export function orderActivities(
  nodes: readonly Node[],
  edges: readonly Edge[],
  starting: readonly Node[] = nodes.filter(({ starts }) => starts > 0),
): readonly string[] {
  const counts = new Map<string, Map<string, number>>(nodes.map(({ activity }) => [activity, new Map()]));
  for (const { source, target, count } of edges) {
    const out = counts.get(source);
    if (out && source !== target) out.set(target, (out.get(target) ?? 0) + count);
  }
  const others = Math.max(1, nodes.length - 1);
  // Starts and ends are paths from and to all other activities together.
  const gain = (one: Node, other: Node): number =>
    (counts.get(one.activity)?.get(other.activity) ?? 0) + (one.starts + other.ends) / others;
  const order = insertBest(nodes, gain);
  const rounds = nodes.length > readable ? 1 : maxRounds;
  for (let round = 0; round < rounds && improve(order, gain); round += 1);
  return reachedFromBefore(
    order.map(({ activity }) => activity),
    edges,
    new Set(starting.map(({ activity }) => activity)),
  );
}

/**
 * Moves each activity that nothing before leads to behind the first one that leads to it: at the top of a drawing, the
 * activity of a loop would look like a second start.
 */
function reachedFromBefore(
  order: readonly string[],
  edges: readonly Edge[],
  starting: ReadonlySet<string>,
): readonly string[] {
  if (starting.size === 0) return order;
  const sources = new Map<string, Set<string>>();
  for (const { source, target } of edges) {
    if (source !== target) sources.set(target, (sources.get(target) ?? new Set()).add(source));
  }
  const [placed, waiting] = [[] as string[], [...order]];
  const done = new Set<string>();
  while (waiting.length > 0) {
    const isReached = (activity: string): boolean =>
      starting.has(activity) || [...(sources.get(activity) ?? [])].some((source) => done.has(source));
    // A reduced map may lack the paths to some activities: the first of them comes next.
    const [next = ''] = waiting.splice(Math.max(0, waiting.findIndex(isReached)), 1);
    placed.push(next);
    done.add(next);
  }
  return placed;
}

type Gain = (one: Node, other: Node) => number;

/** Inserts each node at its best place among the previous nodes. */
function insertBest(nodes: readonly Node[], gain: Gain): Node[] {
  const order: Node[] = [];
  for (const node of nodes) order.splice(bestPlace(order, node, gain).place, 0, node);
  return order;
}

/** Moves each activity to its best place. Returns whether anything has moved. */
function improve(order: Node[], gain: Gain): boolean {
  let hasMoved = false;
  for (const node of [...order]) {
    const from = order.indexOf(node);
    order.splice(from, 1);
    const { place, gains } = bestPlace(order, node, gain);
    const isBetter = (gains[place] ?? 0) > (gains[from] ?? 0) + 1e-9;
    order.splice(isBetter ? place : from, 0, node);
    hasMoved ||= isBetter;
  }
  return hasMoved;
}

function bestPlace(
  order: readonly Node[],
  node: Node,
  gain: Gain,
): { readonly place: number; readonly gains: readonly number[] } {
  // The gain of each place, compared with the first one.
  const gains = [0];
  for (const before of order) gains.push((gains.at(-1) ?? 0) + gain(before, node) - gain(node, before));
  let place = gains.length - 1;
  for (let at = place; at >= 0; at -= 1) if ((gains[at] ?? 0) > (gains[place] ?? 0) + 1e-9) place = at;
  return { place, gains };
}
