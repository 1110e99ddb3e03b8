import { type Box, centreOf } from './geometry.ts';

/** A focusable entry on the canvas. */
export interface Stop {
  readonly key: string;
  readonly box: Box;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The nearest entry in a direction, preferring straight ahead; undefined at the edge. */
export function nearestStop(stops: readonly Stop[], from: string, direction: Direction): Stop | undefined {
  const start = stops.find(({ key }) => key === from);
  if (!start) return undefined;
  const origin = centreOf(start.box);
  const candidates = stops.flatMap((stop) => {
    if (stop === start) return [];
    const { x, y } = centreOf(stop.box);
    const [ahead, aside] = turned(x - origin.x, y - origin.y, direction);
    // Lateral distance counts double; beyond 63 degrees it is another direction.
    return ahead > 0 && aside <= ahead * 2 ? [{ stop, cost: ahead + aside * 2 }] : [];
  });
  return candidates.toSorted((one, other) => one.cost - other.cost)[0]?.stop;
}

function turned(dx: number, dy: number, direction: Direction): readonly [ahead: number, aside: number] {
  if (direction === 'left') return [-dx, Math.abs(dy)];
  if (direction === 'right') return [dx, Math.abs(dy)];
  if (direction === 'up') return [-dy, Math.abs(dx)];
  return [dy, Math.abs(dx)];
}
