import { isJsonText } from '../../model/edits/editable-yaml.ts';
import { writtenLike } from '../../model/edits/text-edit.ts';
import type { Problem } from '../../model/problem.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import type { Fix, QuickFix } from './quick-fix.ts';

/** Writes what was probably meant. */
export const didYouMean: QuickFix = {
  fixes: (problem, { parsed }) => suggestedFixes(problem, parsed.yaml),
};

/** One fix for each suggestion of a problem, in the spelling of the place. One of several is a guess. */
export function suggestedFixes(
  { suggestions = [], range, isVerbatim = false }: Problem,
  { text, document }: YamlText,
): readonly Fix[] {
  const isJson = isJsonText(text, document.contents);
  const original = isJson ? '"' : text.slice(range.start, range.end);
  return suggestions.map((suggestion) => ({
    title: `Change to "${suggestion}"`,
    edits: [{ range, newText: isVerbatim ? suggestion : writtenLike(suggestion, original) }],
    preferred: suggestions.length === 1,
  }));
}
