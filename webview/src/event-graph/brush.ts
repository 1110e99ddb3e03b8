/** Places of the first and the last chosen column; `to` moves. */
export interface Brush {
  readonly from: number;
  readonly to: number;
}

/** The places of a brush in their order. */
export function rangeOf({ from, to }: Brush): readonly [from: number, to: number] {
  return [Math.min(from, to), Math.max(from, to)];
}
