import { Document, isMap, isSeq, visit } from 'yaml';
import type { RuleSuggestion } from '../../../protocol/rule-suggestions.ts';
import { shareText } from '../../../protocol/rule-outcome.ts';

/** Suggested rules as they stand in a file, each with its numbers as a comment. */
export function suggestedText(suggestions: readonly RuleSuggestion[]): string {
  if (suggestions.length === 0)
    return '# Nothing holds for 95 % of at least 20 entities that the file does not say yet.\n';
  const document = new Document({ rules: suggestions.map(({ rule }) => rule) });
  const list: unknown = document.get('rules');
  if (!isSeq(list)) return '';
  for (const [index, entry] of list.items.entries()) {
    const suggestion = suggestions[index];
    if (!isMap(entry) || !suggestion) continue;
    const { share, broken, judged } = suggestion;
    entry.commentBefore = ` ${shareText(share)} kept: ${broken.toLocaleString('en')} of ${judged.toLocaleString('en')} broken`;
    visit(entry, (_, node, path) => {
      if (isMap(node) && path.length > 0) node.flow = true;
    });
  }
  return document.toString({ lineWidth: 0 });
}
