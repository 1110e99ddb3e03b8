import type { RowExpectationResult } from '../../../protocol/import-progress.ts';
import type { RuleViolation } from '../../../protocol/process-rules.ts';

/** The text of an expectation with its entry: `Place Order: id is unique`. */
export function expectationName({
  element,
  expectation,
  columns,
  expected = '',
}: Pick<RowExpectationResult, 'element' | 'expectation' | 'columns' | 'expected'>): string {
  const names = columns.join(', ');
  switch (expectation) {
    case 'unique':
      return `${element}: ${names} ${columns.length > 1 ? 'are unique together' : 'is unique'}`;
    case 'notNull':
      return `${element}: ${names} has a value`;
    case 'values':
      return `${element}: ${names} has one of the expected values`;
    case 'rows':
      return `${element}: ${expected} rows`;
  }
}

/** The rows that break an expectation, in words: examples, or their number. */
export function expectationViolations(
  result: RowExpectationResult,
): readonly Pick<RuleViolation, 'detail' | 'count'>[] {
  const { expectation, holds, judged, examples, columns } = result;
  if (holds) return [];
  if (expectation === 'rows') return [{ detail: `${judged} ${judged === 1 ? 'row' : 'rows'}` }];
  if (expectation === 'notNull') return examples.map(({ value }) => ({ detail: `the row with the key ${value}` }));
  const text = (value: string): string => (columns.length > 1 ? (JSON.parse(value) as string[]).join(', ') : value);
  return examples.map(({ value, rows }) => ({
    detail: `"${text(value)}" in ${rows} ${rows === 1 ? 'row' : 'rows'}`,
    count: rows,
  }));
}
