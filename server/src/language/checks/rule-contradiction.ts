import type { Problem } from '../../model/problem.ts';
import type { ProcessRule, RuleExpectation, RuleSubject } from '../../model/process-rule.ts';
import type { Limits } from '../../rule-kinds/rule-kind.ts';
import { isClear, ruleKindOf } from '../../rule-kinds/rule-kinds.ts';
import type { GraphCheck } from './check.ts';

/** Expectations of the same judged things that cannot both be kept. */
export const ruleContradiction: GraphCheck = {
  codes: ['rule-contradiction'],
  sections: ['rules'],
  check: ({ graph: { rules } }) => {
    const earlier = new Map<string, Expected[]>();
    return rules.flatMap((rule) =>
      rule.expect.flatMap((expectation): readonly Problem[] => {
        const limits = isClear(expectation) ? ruleKindOf(expectation).limits(expectation) : undefined;
        const key =
          limits && rule.each && JSON.stringify([subjectOf(rule.each), rule.workingTime?.name.value, limits.about]);
        if (!limits || key === undefined) return [];
        const others = earlier.get(key) ?? [];
        earlier.set(key, [...others, { rule, expectation, limits }]);
        const other = others.find((each) => mustBothHold(each.rule, rule) && contradict(each.limits, limits));
        return other ? [contradiction(expectation, other)] : [];
      }),
    );
  },
};

interface Expected {
  readonly rule: ProcessRule;
  readonly expectation: RuleExpectation;
  readonly limits: Limits;
}

function subjectOf({ entityType, activity, lifecycle, where }: RuleSubject): readonly unknown[] {
  return [entityType?.value, activity?.value, lifecycle, where?.value.trim()];
}

/** Rules that some may break go together. */
function mustBothHold(one: ProcessRule, other: ProcessRule): boolean {
  return one === other || [one, other].every(({ atLeast }) => atLeast === undefined || atLeast.value === 1);
}

/** Events within a shorter time are also within a longer one. */
function contradict(one: Limits, other: Limits): boolean {
  return (one.min > other.max && one.reach <= other.reach) || (other.min > one.max && other.reach <= one.reach);
}

function contradiction({ range }: RuleExpectation, other: Expected): Problem {
  const { name, index } = other.rule;
  const message = `Nothing keeps both this expectation and the one of "${name?.value ?? `Rule ${index + 1}`}" about the same. Correct or remove one of both.`;
  const related = [{ message: 'The other expectation is here.', range: other.expectation.range }];
  return { code: 'rule-contradiction', severity: 'warning', message, range, related };
}
