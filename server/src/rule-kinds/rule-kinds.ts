import type { ClearExpectation, ExpectationKind, ExpectationOf, RuleExpectation } from '../model/process-rule.ts';
import { activity } from './activity.ts';
import { from } from './from.ts';
import { never } from './never.ts';
import { relationship } from './relationship.ts';
import type { RuleKind } from './rule-kind.ts';
import { sql } from './sql.ts';

/** Every kind of expectations. */
export const ruleKinds: { readonly [Kind in ExpectationKind]: RuleKind<Kind> } = {
  activity,
  never,
  relationship,
  from,
  sql,
};

export function ruleKindOf<Kind extends ExpectationKind>(expectation: ExpectationOf<Kind>): RuleKind<Kind> {
  return ruleKinds[expectation.kind];
}

export function isClear(expectation: RuleExpectation): expectation is ClearExpectation {
  return expectation.kind !== 'unclear';
}
