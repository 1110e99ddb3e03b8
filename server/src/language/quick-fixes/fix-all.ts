import type { Problem } from '../../model/problem.ts';
import { type TextEdit, applyEdits } from '../../model/edits/text-edit.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { parseYaml } from '../../model/yaml-text.ts';
import type { Fix } from './quick-fix.ts';

type Edits = readonly TextEdit[];

/**
 * What can be mended without a question: names with one suggestion only, and values that are written as another sort. Of
 * fixes that touch each other only the first is made, and none that makes the text harder to read, as a key that is then
 * there twice does.
 */
export function fixAll(
  text: string,
  problems: readonly Problem[],
  fixesOf: (problem: Problem) => readonly Fix[],
): readonly TextEdit[] {
  const certain = problems
    .filter(({ code, suggestions }) => suggestions?.length === 1 || code === 'schema-type')
    .map((problem) => fixesOf(problem).find(({ preferred }) => preferred)?.edits ?? [])
    .filter((edits) => edits.length > 0)
    .toSorted((one, other) => startOf(one) - startOf(other));
  if (certain.length === 0) return [];
  return readable(text, apartOf(certain))
    .flat()
    .toSorted((one, other) => one.range.start - other.range.start);
}

function startOf(edits: Edits): number {
  return Math.min(...edits.map(({ range }) => range.start));
}

/** The fixes of which no edit touches one of a fix before. */
function apartOf(fixes: readonly Edits[]): readonly Edits[] {
  const taken: SourceRange[] = [];
  return fixes.filter((edits) => {
    if (edits.some(({ range }) => taken.some(({ start, end }) => range.start < end && start < range.end))) return false;
    return taken.push(...edits.map(({ range }) => range)) > 0;
  });
}

/** The fixes after which a text has no more errors of syntax than before. All are tried at once, then halves of them. */
function readable(text: string, fixes: readonly Edits[]): readonly Edits[] {
  const errorsAfter = (made: readonly Edits[]): number => parseYaml(applyEdits(text, made.flat())).problems.length;
  const before = errorsAfter([]);
  const add = (made: readonly Edits[], more: readonly Edits[]): readonly Edits[] => {
    if (more.length === 0) return made;
    const all = [...made, ...more];
    if (errorsAfter(all) <= before) return all;
    if (more.length === 1) return made;
    const half = Math.ceil(more.length / 2);
    return add(add(made, more.slice(0, half)), more.slice(half));
  };
  return add([], fixes);
}
