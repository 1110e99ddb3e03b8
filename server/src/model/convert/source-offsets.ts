import type { Scalar } from 'yaml';
import { blockScalarCharacters } from './block-scalar.ts';
import { flowScalarCharacters } from './flow-scalar.ts';

/**
 * The document offset of every UTF-16 unit of a text scalar's value, and of its end. Should the value ever differ from
 * what we read ourselves, every place is the scalar's start: near, and never wrong about the line it belongs to.
 * @param source the scalar as it is written in the document.
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
