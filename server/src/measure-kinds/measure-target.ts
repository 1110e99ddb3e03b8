import type { MeasureNumbers, TargetResult } from '../../../protocol/measures.ts';
import { numberText, valueText } from '../../../protocol/measure-outcome.ts';
import { durationText } from '../../../protocol/duration-text.ts';
import { workingDay } from '../model/calendar.ts';
import type { Measure, TargetLimits, TargetNumber } from '../model/measure.ts';
import type { Located, SourceRange } from '../model/source-range.ts';
import { type CountedLimit, isTimeMeasure, unitOf } from './measure-sql.ts';

/** A limit as a number to compare values with: of business days their working time. */
function limitOf({ number, unit }: TargetNumber, { workingTime }: Measure): number {
  return unit === 'business days' ? number * (workingTime ? workingDay(workingTime) : NaN) : number;
}

/** The limit of the values whose share the target limits. */
export function shareLimit(measure: Measure): CountedLimit | undefined {
  const share = measure.target.find(({ of }) => of === 'share');
  if (!share) return undefined;
  const limit = (side: Located<TargetNumber> | undefined): number | undefined =>
    side && side.value.unit !== 'share' ? limitOf(side.value, measure) : undefined;
  const [atLeast, atMost] = [limit(share.atLeast), limit(share.atMost)];
  return atLeast === undefined && atMost === undefined ? undefined : { atLeast, atMost };
}

/** What the target of a measure asks, and what was found. @param within the number of values within its `shareLimit` */
export function targetResults(measure: Measure, numbers: MeasureNumbers, within: number): readonly TargetResult[] {
  return measure.target.flatMap((limits) => {
    if (limits.of === 'share') return shareResult(limits, measure, numbers.count, within);
    const found = numbers[limits.of];
    // Without values, a target is neither met nor missed.
    const hasValues = limits.of === 'count' || numbers.count > 0;
    const unit = limits.of === 'count' ? 'number' : unitOf(measure);
    return resultOf(limits.of, limits, measure, hasValues ? found : null, (number) => valueText(number, unit));
  });
}

function shareResult(limits: TargetLimits, measure: Measure, count: number, within: number): readonly TargetResult[] {
  const { atLeast, atMost } = limits;
  const ofShare = (side: Located<TargetNumber> | undefined) => (side?.value.unit === 'share' ? side : undefined);
  const ofValues = (side: Located<TargetNumber> | undefined) => (side?.value.unit === 'share' ? undefined : side);
  const [least, most] = [ofValues(atLeast), ofValues(atMost)];
  const limit = [
    ...(least ? [`at least ${targetText(least.value)}`] : []),
    ...(most ? [`at most ${targetText(most.value)}`] : []),
  ].join(' and ');
  const share = { atLeast: ofShare(atLeast), atMost: ofShare(atMost) };
  return resultOf(`share of values of ${limit}`, share, measure, count === 0 ? null : within / count, percentText);
}

function resultOf(
  name: string,
  {
    atLeast,
    atMost,
  }: { readonly atLeast?: Located<TargetNumber> | undefined; readonly atMost?: Located<TargetNumber> | undefined },
  measure: Measure,
  found: number | null,
  textOf: (number: number) => string,
): readonly TargetResult[] {
  if (!atLeast && !atMost) return [];
  const limits = [
    ...(atLeast ? [`at least ${targetText(atLeast.value)}`] : []),
    ...(atMost ? [`at most ${targetText(atMost.value)}`] : []),
  ];
  const met =
    found === null
      ? null
      : (atLeast === undefined || found >= limitOf(atLeast.value, measure)) &&
        (atMost === undefined || found <= limitOf(atMost.value, measure));
  const text = `${name} ${limits.join(' and ')}`;
  return [{ text, found, foundText: found === null ? 'no values' : textOf(found), met }];
}

/** A limit as people write it. */
function targetText({ number, unit }: TargetNumber): string {
  switch (unit) {
    case 'time':
      return durationText(number);
    case 'business days':
      return `${numberText(number)} bd`;
    case 'business hours':
      return valueText(number, 'working ms');
    case 'share':
      return percentText(number);
    case 'number':
      return numberText(number);
  }
}

function percentText(share: number): string {
  return `${numberText(share * 100)} %`;
}

/** Mistakes in the limits of a target that its schema does not show. */
export function targetMistakes(measure: Measure): readonly { readonly range: SourceRange; readonly message: string }[] {
  return measure.target.flatMap((limits) =>
    limits.of === 'share' ? shareMistakes(limits, measure) : limitMistakes(limits, measure),
  );
}

/** A percentage is neither. */
function isTimeLimit({ unit }: TargetNumber): boolean | undefined {
  return unit === 'share' ? undefined : unit !== 'number';
}

function limitMistakes({ of, atLeast, atMost }: TargetLimits, measure: Measure) {
  const isTime = isTimeMeasure(measure) && of !== 'count';
  const mistakes = [atLeast, atMost].flatMap((limit) => {
    if (!limit || isTimeLimit(limit.value) === isTime) return [];
    const wanted = isTime ? 'a time with a unit, such as 5d' : 'a number';
    return [{ range: limit.range, message: `The limit of ${of} is ${wanted}. Correct it.` }];
  });
  if (mistakes.length > 0 || !atLeast || !atMost) return mistakes;
  if (!(limitOf(atLeast.value, measure) > limitOf(atMost.value, measure))) return [];
  return [{ range: atLeast.range, message: `No ${of} is at least atLeast and at most atMost: swap them.` }];
}

function shareMistakes({ range, atLeast, atMost }: TargetLimits, measure: Measure) {
  const limits = [atLeast, atMost].filter((limit) => limit !== undefined);
  const shares = limits.filter(({ value }) => value.unit === 'share');
  const values = limits.filter(({ value }) => value.unit !== 'share');
  if (shares.length !== 1 || values.length !== 1) {
    const message =
      'A share needs a limit of the values and a percentage, such as { atMost: 5d, atLeast: 90% }: at least 90 % of the values are at most 5 d.';
    return [{ range, message }];
  }
  const isTime = isTimeMeasure(measure);
  return values
    .filter(({ value }) => isTimeLimit(value) !== isTime)
    .map((limit) => ({
      range: limit.range,
      message: `The limit of the values is ${isTime ? 'a time with a unit, such as 5d' : 'a number'}. Correct it.`,
    }));
}
