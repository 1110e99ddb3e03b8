import { durationText } from '../event-graph/duration-text.ts';
import { countRangeText } from '../model/count-range.ts';
import { type RuleExpectation, expectedCount } from '../model/process-rule.ts';

/** The text of an expectation, such as `Resolve Incident at least 1 times within 5 d after Open Incident`. */
export function expectationText(expectation: RuleExpectation): string {
  const { activity, never, relationship, sql, from, to, atLeast, atMost, of } = expectation;
  const whose = of ? ` of ${of.value}` : '';
  if (sql) return sql.value.trim().replaceAll(/\s+/gu, ' ');
  if (relationship) return `"${relationship.value}" ${times(expectation)}`;
  if (from && to) {
    const limits = [
      ...(atLeast ? [`at least ${durationText(atLeast.value)}`] : []),
      ...(atMost ? [`at most ${durationText(atMost.value)}`] : []),
    ];
    return `${limits.join(' and ')} from ${from.value} to ${to.value}${whose}`;
  }
  if (never) return `no ${never.value}${placeText(expectation)}${whose}`;
  return `${activity?.value ?? ''} ${times(expectation)}${placeText(expectation)}${whose}`;
}

/** The text of the actual result. @param found a count, or a duration in microseconds */
export function foundText({ sql, relationship, from }: RuleExpectation, found: number | null): string {
  if (sql) return 'it is not so';
  if (from) return found === null ? 'the end is missing' : `it took ${durationText(found / 1000)}`;
  if (relationship) return `found ${found === 1 ? '1 entity' : `${found ?? 0} entities`}`;
  return `found ${found === 1 ? '1 event' : `${found ?? 0} events`}`;
}

function times(expectation: RuleExpectation): string {
  const range = expectedCount(expectation);
  return `${countRangeText(range)} ${range.max === 1 || (range.max === undefined && range.min === 1) ? 'time' : 'times'}`;
}

function placeText({ after, before, within, directly }: RuleExpectation): string {
  const isNearJudged = !after && !before && (within !== undefined || directly);
  const named = after ? ` after ${after.value}` : before ? ` before ${before.value}` : isNearJudged ? ' after it' : '';
  return `${within ? ` within ${durationText(within.value)}` : ''}${directly ? ' directly' : ''}${named}`;
}
