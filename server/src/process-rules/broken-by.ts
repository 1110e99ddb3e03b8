import type { ProcessRule } from '../model/process-rule.ts';
import { isClear, ruleKindOf } from '../rule-kinds/rule-kinds.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * Groups rows of `id`, index of an `expectation` and `found` value by id: each judged entity or event with the text of
 * every violation.
 */
export function brokenBy<Who extends object>(
  rule: ProcessRule,
  rows: readonly Row[],
  who: (row: Row) => Who,
): readonly (Who & { readonly detail: string })[] {
  const broken = new Map<string, Who & { readonly detail: string }>();
  for (const row of rows) {
    const expectation = rule.expect[Number(row['expectation'])];
    if (!expectation || !isClear(expectation)) continue;
    const id = String(row['id']);
    const found = row['found'] === null ? null : Number(row['found']);
    const kind = ruleKindOf(expectation);
    const detail = `${kind.text(expectation)}: ${kind.foundText(found, rule)}`;
    const before = broken.get(id)?.detail;
    broken.set(id, { ...who(row), detail: before === undefined ? detail : `${before}; ${detail}` });
  }
  return [...broken.values()];
}
