import { type ProvenEdits, noEdits, proveEdits } from '../../model/edits/proven-edits.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import type { Fix } from './quick-fix.ts';

/**
 * What can be mended without a question: names with one suggestion only, and values that are written as another sort. Of
 * fixes that touch each other only the first is made, and all of them together mean what each of them means.
 */
export function fixAll(
  yaml: YamlText,
  problems: readonly Problem[],
  fixesOf: (problem: Problem) => readonly Fix[],
): ProvenEdits {
  const certain = problems
    .filter(({ code, suggestions }) => suggestions?.length === 1 || code === 'schema-type')
    .flatMap((problem) => fixesOf(problem).find(({ preferred }) => preferred) ?? [])
    .filter(({ edits, changes }) => edits.length > 0 && changes !== undefined)
    .toSorted((one, other) => startOf(one) - startOf(other));
  return provenTogether(yaml, apartOf(certain));
}

function startOf({ edits }: Fix): number {
  return Math.min(...edits.map(({ range }) => range.start));
}

/** The fixes of which no edit touches one of a fix before. */
function apartOf(fixes: readonly Fix[]): readonly Fix[] {
  const taken: SourceRange[] = [];
  return fixes.filter(({ edits }) => {
    if (edits.some(({ range }) => taken.some(({ start, end }) => range.start < end && start < range.end))) return false;
    return taken.push(...edits.map(({ range }) => range)) > 0;
  });
}

/**
 * As many of the fixes as mean together what they mean alone: a key may be there twice with two of them. All are tried at once, then
 * halves of them. Of a large file no more are made at once than can be read again.
 */
function provenTogether(yaml: YamlText, fixes: readonly Fix[]): ProvenEdits {
  let proven = noEdits;
  let made: readonly Fix[] = [];
  const add = (more: readonly Fix[]): void => {
    if (more.length === 0) return;
    const all = [...made, ...more];
    const edits = all.flatMap((fix) => fix.edits).toSorted((one, other) => one.range.start - other.range.start);
    const outcome = proveEdits(
      yaml,
      edits,
      all.flatMap(({ changes = [] }) => changes),
    );
    if ('edits' in outcome) {
      proven = outcome.edits;
      made = all;
    } else if (more.length > 1) {
      const half = Math.ceil(more.length / 2);
      add(more.slice(0, half));
      add(more.slice(half));
    }
  };
  add(fixes);
  return proven;
}
