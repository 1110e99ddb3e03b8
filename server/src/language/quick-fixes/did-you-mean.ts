import type { MeaningChange } from '../../model/edits/meaning-change.ts';
import type { JsonValue } from '../../model/edits/json-value.ts';
import { nodeAt } from '../../model/node-path.ts';
import type { Problem } from '../../model/problem.ts';
import { rules } from '../../model/rules.ts';
import { splicedText } from '../../model/spliced-text.ts';
import { plainDocument } from '../../model/plain-value.ts';
import { type YamlText, parseYaml } from '../../model/yaml-text.ts';
import { type Fix, type QuickFix, fixByEdits, fixOfMeaning } from './quick-fix.ts';

/** Replaces a misspelt word. */
export const didYouMean: QuickFix = {
  fixes: (problem, { parsed }) => suggestedFixes(problem, parsed.yaml),
};

/** One fix per suggestion of a problem, quoted for its position. It is preferred only if it is the only one. */
export function suggestedFixes(problem: Problem, yaml: YamlText): readonly Fix[] {
  const { suggestions = [], range, isVerbatim = false } = problem;
  return suggestions.flatMap((suggestion) => {
    const look = { title: `Change to "${suggestion}"`, preferred: suggestions.length === 1 };
    if (!isVerbatim) return fixOfMeaning(look, yaml, namedAnew(problem, suggestion, yaml));
    const edits = [{ range, newText: suggestion }];
    const changes =
      rules[problem.code].form === 'schema'
        ? valueAnew(problem, suggestion, yaml)
        : [splicedText(yaml, range, suggestion)];
    return changes.flatMap((change) => change ?? []).length === 0
      ? []
      : fixByEdits(look, yaml, () => edits, changes as readonly MeaningChange[]);
  });
}

/** Renames a key or replaces a text. */
function namedAnew({ range }: Problem, name: string, { text, document }: YamlText): readonly MeaningChange[] {
  const place = nodeAt(document.contents, range, text);
  if (!place) return [];
  const { path } = place;
  return place.role === 'key' ? [{ kind: 'rename', path, key: name }] : [{ kind: 'set', path, value: name }];
}

/** Replacement of a value; a key that contains its value becomes key and value. */
function valueAnew({ range }: Problem, written: string, { text, document }: YamlText): readonly MeaningChange[] {
  const place = nodeAt(document.contents, range, text);
  if (!place) return [];
  const { path, role } = place;
  const parsed = parseYaml(written);
  // The typed text may contain an unclosed quotation mark or an unknown alias: then there is no value to write.
  const value =
    parsed.problems.length > 0 ? undefined : (plainDocument(parsed.document, written) as JsonValue | undefined);
  if (value === undefined) return [];
  if (role === 'value') return [{ kind: 'set', path, value }];
  const [[key, said] = ['', null]] = Object.entries(value as object) as [string, JsonValue][];
  return [
    { kind: 'remove', path },
    { kind: 'set', path: [...path.slice(0, -1), key], value: said },
  ];
}
