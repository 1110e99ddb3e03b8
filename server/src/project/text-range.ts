import type { TextRange } from '../../../protocol/query-results.ts';
import type { SourceRange } from '../model/source-range.ts';

/** A range of offsets as zero-based lines and UTF-16 characters, for one-off use; documents in an editor keep a line index. */
export function textRange(text: string, range: SourceRange): TextRange {
  return { start: position(text, range.start), end: position(text, range.end) };
}

function position(text: string, offset: number): TextRange['start'] {
  let line = 0;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, character: offset - lineStart };
}
