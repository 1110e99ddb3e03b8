import type { RuleResult } from '../../../protocol/process-rules.ts';
import { violationText } from '../../../protocol/rule-outcome.ts';
import { yamlText } from './actual-text.ts';
import type { Difference } from './difference.ts';
import type { ExpectedRule } from './graph-tests.ts';

/** The rules whose numbers are not as expected, in the order of the test. Unknown rules are left to the checks. */
export function compareRules(rules: readonly ExpectedRule[], results: readonly RuleResult[]): readonly Difference[] {
  return rules.flatMap((rule) => {
    const result = results.find(({ name }) => name === rule.name.value);
    return result ? differenceOf(rule, result) : [];
  });
}

function differenceOf({ name, counts }: ExpectedRule, result: RuleResult): readonly Difference[] {
  const expectation = 'rules';
  const written = counts.map((each) => `${each.name}: ${each.count.value}`);
  const expected = ruleText(name.value, written);
  if (result.error !== undefined) {
    const message = `rules: "${name.value}" cannot be judged: ${result.error}`;
    return [{ expectation, message, range: name.range, expected, actual: ruleText(name.value, ['judged: 0']) }];
  }
  const wrong = counts.filter((each) => each.count.value !== result[each.name]);
  const [first] = wrong;
  if (!first) return [];
  const parts = wrong.map((each) => `expected ${each.count.value} ${each.name}, got ${result[each.name]}`);
  const [violation] = result.violations;
  const detail = violation ? ` Broken by ${violationText(violation)}.` : '';
  return [
    {
      expectation,
      message: `rules: "${name.value}": ${parts.join('; ')}.${detail}`,
      range: first.count.range,
      expected,
      actual: ruleText(
        name.value,
        counts.map((each) => `${each.name}: ${result[each.name]}`),
      ),
      edits: wrong.map(({ name: count, count: { range } }) => ({ ...range, text: String(result[count]) })),
    },
  ];
}

function ruleText(name: string, counts: readonly string[]): string {
  return `${yamlText(name)}: { ${counts.join(', ')} }`;
}
