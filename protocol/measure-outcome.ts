import type { MeasureResult, TargetResult } from './measures.ts';
import { durationText } from './duration-text.ts';
import { thousands } from './thousands.ts';

/** The numbers of a measure that people read first. */
export type ShownMeasure = Pick<MeasureResult, 'count' | 'missing' | 'unit' | 'median' | 'p90' | 'mean' | 'error'>;

/** Whether a measure misses its target. */
export function isMissed({ met }: Pick<MeasureResult, 'met'>): boolean {
  return met === false;
}

/** Whether a command that measures fails: a missed error, or a measure that could not be found. */
export function measureFailsBuild(result: Pick<MeasureResult, 'met' | 'severity' | 'error'>): boolean {
  return result.error !== undefined || (result.severity === 'error' && isMissed(result));
}

/** Numbers of a measure, such as `median 3.2 d, p90 9 d · 316 values · 4 missing`. */
export function measureText({ count, missing, unit, median, p90, error }: ShownMeasure): string {
  if (error !== undefined) return `not measured: ${error}`;
  if (count === 0)
    return missing === 0
      ? 'measures nothing: there are no such entities or events'
      : `no values · ${thousands(missing)} missing`;
  return [
    `median ${valueText(median, unit)}, p90 ${valueText(p90, unit)}`,
    `${thousands(count)} ${count === 1 ? 'value' : 'values'}`,
    ...(missing > 0 ? [`${thousands(missing)} missing`] : []),
  ].join(' · ');
}

/** The limits that a measure misses, such as `median at most 5 d: 6.2 d`. */
export function missedTexts({ target }: Pick<MeasureResult, 'target'>): readonly string[] {
  return target.filter(({ met }) => met === false).map(targetText);
}

function targetText({ text, foundText }: TargetResult): string {
  return `${text}: ${foundText}`;
}

/** A value of a measure in words. */
export function valueText(value: number | null, unit: MeasureResult['unit']): string {
  if (value === null) return '';
  if (unit === 'working ms') return `${numberText(Math.round(value / 36_000) / 100)} bh`;
  return unit === 'ms' ? durationText(value) : numberText(value);
}

/** Up to four significant digits, more for whole numbers; very large and very small ones such as `1.5e30`. */
export function numberText(number: number): string {
  const size = Math.abs(number);
  if (size >= 1e15 || (size > 0 && size < 1e-6)) return Number(number.toPrecision(4)).toExponential().replace('+', '');
  if (Number.isInteger(number)) return number.toLocaleString('en');
  const digits = Math.max(4, Math.ceil(Math.log10(size)));
  return number.toLocaleString('en', { maximumSignificantDigits: digits });
}
