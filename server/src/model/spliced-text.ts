import { type Scalar, isScalar } from 'yaml';
import { sourceOffsets } from './convert/source-offsets.ts';
import type { MeaningChange } from './edits/meaning-change.ts';
import { scalarAround } from './node-path.ts';
import type { SourceRange } from './source-range.ts';
import type { YamlText } from './yaml-text.ts';

/** The value of a scalar after replacing a part of its source text; undefined if uncertain. */
export function splicedText(
  { text, document }: YamlText,
  range: SourceRange,
  newText: string,
): MeaningChange | undefined {
  const place = scalarAround(document.contents, range);
  if (place?.role !== 'value' || !isScalar(place.node) || typeof place.node.value !== 'string') return undefined;
  const [start = 0, end = start] = place.node.range ?? [];
  const offsets = sourceOffsets(place.node, text.slice(start, end));
  const from = offsets.indexOf(range.start);
  const until = offsets.findIndex((offset, index) => index >= from && offset >= range.end);
  if (from < 0 || until < 0) return undefined;
  const { value } = place.node;
  const inserted = meantIn(place.node, newText);
  if (inserted === undefined) return undefined;
  return { kind: 'set', path: place.path, value: value.slice(0, from) + inserted + value.slice(until) };
}

/** The value of a piece between the quotes of a scalar. */
function meantIn({ type }: Scalar, written: string): string | undefined {
  if (type === 'QUOTE_SINGLE') return written.replaceAll("''", "'");
  if (type !== 'QUOTE_DOUBLE') return written;
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return undefined;
  }
}
