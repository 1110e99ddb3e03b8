import type { Scalar } from 'yaml';
import { blockScalarCharacters } from './block-scalar.ts';
import { flowScalarCharacters } from './flow-scalar.ts';

/**
 * The document offset of every UTF-16 unit of a scalar's value, and of its end. If our parsing disagrees with the
 * library, all offsets are the scalar's start, which is on the right line.
 * @param source the scalar as written.
 */
export function sourceOffsets(scalar: Scalar, source: string): readonly number[] {
  const value = String(scalar.value);
  const [start] = scalar.range ?? [0];
  const block = scalar.type === 'BLOCK_LITERAL' || scalar.type === 'BLOCK_FOLDED';
  const placed = block ? blockScalarCharacters(source, start, value) : flowScalarCharacters(source, start);
  const known = placed.length === value.length && placed.every(({ character }, index) => character === value[index]);
  if (!known) return Array.from({ length: value.length + 1 }, () => start);
  const last = placed.at(-1);
  return [...placed.map(({ offset }) => offset), last === undefined ? start : last.offset + 1];
}
