import type { TextRange } from '../../../protocol/query-results.ts';
import { createLineIndex } from '../model/line-index.ts';
import type { SourceRange } from '../model/source-range.ts';

/** A range of offsets as lines and characters, for one-off use: it reads the whole text. */
export function textRange(text: string, range: SourceRange): TextRange {
  return createLineIndex(text).range(range);
}
