import { bisect } from '../../model/bisect.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';

const word = 'entity-graph-disable-next-line';
const comment = new RegExp(`#\\s*${word}[ \\t]+([\\w-]+(?:[ \\t]*,[ \\t]*[\\w-]+)*)`, 'g');

/** Removes problems disabled by a comment `# entity-graph-disable-next-line CODE, CODE` on the previous line. */
export function withoutDisabled(problems: readonly Problem[], text: string): readonly Problem[] {
  if (problems.length === 0 || !text.includes(word)) return problems;
  const silenced = silencedLines(text);
  return problems.filter(({ code, range }) => {
    const line = silenced[bisect(silenced.length, (index) => (silenced[index]?.end ?? 0) < range.start)];
    return !line || range.start < line.start || !line.codes.includes(code);
  });
}

/** A line with disabled codes; its end is the position of its line break. */
interface SilencedLine extends SourceRange {
  readonly codes: readonly string[];
}

/** Computed once, because all problems may be on one very long line. */
function silencedLines(text: string): readonly SilencedLine[] {
  const lines: SilencedLine[] = [];
  for (let at = text.indexOf(word); at >= 0;) {
    const above = text.indexOf('\n', at);
    if (above < 0) break;
    const line = text.slice(text.lastIndexOf('\n', at) + 1, above);
    const codes = [...line.matchAll(comment)].flatMap(([, found = '']) => found.split(',').map((code) => code.trim()));
    const end = text.indexOf('\n', above + 1);
    lines.push({ start: above + 1, end: end < 0 ? text.length : end, codes });
    at = text.indexOf(word, above);
  }
  return lines;
}
