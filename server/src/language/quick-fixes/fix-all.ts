import { type VerifiedEdits, noEdits, verifyEdits } from '../../model/edits/verified-edits.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import type { Fix } from './quick-fix.ts';

/**
 * Applies unambiguous fixes: names with a single suggestion, and type conversions. Of overlapping fixes only the first
 * is applied, and the combination has the meaning of each.
 */
export function fixAll(
  yaml: YamlText,
  problems: readonly Problem[],
  fixesOf: (problem: Problem) => readonly Fix[],
): VerifiedEdits {
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

/** Fixes without overlap with an earlier one. */
function apartOf(fixes: readonly Fix[]): readonly Fix[] {
  const taken: SourceRange[] = [];
  return fixes.filter(({ edits }) => {
    if (edits.some(({ range }) => taken.some(({ start, end }) => range.start < end && start < range.end))) return false;
    return taken.push(...edits.map(({ range }) => range)) > 0;
  });
}

/**
 * The largest set of fixes whose combination is valid: two fixes may create a duplicate key. Tries all, then halves.
 * Limited in large files.
 */
function provenTogether(yaml: YamlText, fixes: readonly Fix[]): VerifiedEdits {
  let proven = noEdits;
  let made: readonly Fix[] = [];
  const add = (more: readonly Fix[]): void => {
    if (more.length === 0) return;
    const all = [...made, ...more];
    const edits = all.flatMap((fix) => fix.edits).toSorted((one, other) => one.range.start - other.range.start);
    const outcome = verifyEdits(
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
