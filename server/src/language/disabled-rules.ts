import type { Problem } from '../model/problem.ts';

const comment = /#\s*entity-graph-disable-next-line[ \t]+([\w-]+(?:[ \t]*,[ \t]*[\w-]+)*)/g;

/** Leaves out what a comment `# entity-graph-disable-next-line CODE, CODE` on the line before silences. */
export function withoutDisabled(problems: readonly Problem[], text: string): readonly Problem[] {
  return problems.filter(({ code, range }) => !disabledAbove(range.start, text).includes(code));
}

/** The codes that the line above an offset silences. Only the lines above problems are read, not the whole text. */
function disabledAbove(offset: number, text: string): readonly string[] {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  if (lineStart === 0 || offset === 0) return [];
  const line = text.slice(text.lastIndexOf('\n', lineStart - 2) + 1, lineStart);
  return [...line.matchAll(comment)].flatMap(([, codes = '']) => codes.split(',').map((code) => code.trim()));
}
