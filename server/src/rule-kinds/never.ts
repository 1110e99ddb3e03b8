import { countsFromEvents, directEnds, eventLimits, foundEvents, judgeEvents, placeText } from './activity.ts';
import type { RuleKind } from './rule-kind.ts';

const none = { min: 0, max: 0 };

/** No event of an activity. */
export const never: RuleKind<'never'> = {
  fields: 'never',
  mistakes: (expectation) => directEnds(expectation, expectation.never),
  limits: (expectation) => eventLimits(expectation, expectation.never.value, none),
  text: (expectation) => `no ${expectation.never.value}${placeText(expectation)}`,
  foundText: foundEvents,
  hasTrigger: countsFromEvents,
  judge: (expectation, judged) => judgeEvents(expectation, expectation.never.value, none, judged),
};
