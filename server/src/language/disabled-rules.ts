import type { Problem } from '../model/problem.ts';

const comment = /#\s*entity-graph-disable-next-line[ \t]+([\w-]+(?:[ \t]*,[ \t]*[\w-]+)*)/g;

/** Leaves out what a comment `# entity-graph-disable-next-line CODE, CODE` on the line before silences. */
export function withoutDisabled(problems: readonly Problem[], text: string): readonly Problem[] {
  if (!text.includes('entity-graph-disable-next-line')) return problems;
  const disabled = [...text.matchAll(comment)].flatMap((match) => {
    const start = text.indexOf('\n', match.index) + 1;
    if (start === 0) return [];
    const lineEnd = text.indexOf('\n', start);
    const codes = new Set((match[1] ?? '').split(',').map((code) => code.trim()));
    return { start, end: lineEnd < 0 ? text.length : lineEnd, codes };
  });
  return problems.filter(
    ({ code, range }) =>
      !disabled.some(({ start, end, codes }) => codes.has(code) && range.start >= start && range.start <= end),
  );
}
