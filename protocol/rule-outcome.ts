import type { RuleResult, RuleViolation } from './process-rules.ts';

/** The numbers of a rule. */
export type RuleNumbers = Pick<
  RuleResult,
  'judged' | 'concerned' | 'broken' | 'pending' | 'undecided' | 'share' | 'error'
>;

/** How many violations of a rule are listed. */
export const defaultViolations = 100;

/** Whether too few entities or events keep the rule. A rule that has decided nothing neither holds nor is broken. */
export function isBroken({ holds, broken }: Pick<RuleResult, 'holds' | 'broken'>): boolean {
  return !holds && broken > 0;
}

/** Whether a rule concerns none of the judged: what it counts from never happened. */
export function neverHappened({ judged, concerned }: Pick<RuleResult, 'judged' | 'concerned'>): boolean {
  return judged > 0 && concerned === 0;
}

/** Whether a command that judges it fails: a broken error, or a rule that cannot be judged. */
export function failsBuild(result: RuleResult): boolean {
  return result.error !== undefined || (result.severity === 'error' && isBroken(result));
}

/** Numbers of a rule, such as `96.2 % kept: 1,204 of 31,509 broken · 61 pending · 800 not concerned`. */
export function numbersText({ judged, concerned, broken, pending, undecided, share, error }: RuleNumbers): string {
  if (error !== undefined) return `not judged: ${error}`;
  if (judged === 0) return 'judges nothing: there are no such entities or events';
  if (concerned === 0) return `never happened: it concerns none of ${number(judged)}`;
  const parts = [
    `${number(broken)} of ${number(concerned)} broken`,
    ...(pending > 0 ? [`${number(pending)} pending`] : []),
    ...(undecided > 0 ? [`${number(undecided)} without a value`] : []),
    ...(judged > concerned ? [`${number(judged - concerned)} not concerned`] : []),
  ];
  return `${share === null ? 'nothing decided' : `${shareText(share)} kept`}: ${parts.join(' · ')}`;
}

/** A share rounded down, so that only a rule without violations has 100 %. */
export function shareText(share: number): string {
  return `${Math.floor(share * 1000 + 1e-9) / 10} %`;
}

function number(count: number): string {
  return count.toLocaleString('en');
}

/** A violation in words: the entity or event, and the broken expectation. */
export function violationText({ entity, event, detail }: RuleViolation): string {
  const who = entity ? `${entity.type} ${entity.key}` : '';
  const which = event === undefined ? who : `${who}${who === '' ? '' : ', '}event ${event}`;
  return which === '' ? detail : `${which}: ${detail}`;
}
