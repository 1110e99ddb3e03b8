import type { TextRange } from '../../../protocol/query-results.ts';
import { createLineIndex } from '../model/line-index.ts';
import type { SourceRange } from '../model/source-range.ts';

/** Converts an offset range to lines and characters; reads the whole text, so for single use only. */
export function textRange(text: string, range: SourceRange): TextRange {
  return createLineIndex(text).range(range);
}
