import type { BenchResult } from './bench-result.ts';

/** One line: ✓ all is met, ~ the aim is missed and the limit kept, ✗ the limit is exceeded. */
export function describeResult(result: BenchResult): string {
  const { name, value, unit, floor, ratio } = result;
  const ofValue = `${number(value)} ${unit}${range(result.rounds)}`;
  const ofFloor = floor === undefined ? '' : `, floor ${number(floor)} ${unit}${range(result.floorRounds)}`;
  const times = ratio === undefined ? '' : `, × ${ratio.toFixed(2)}`;
  return `${markOf(result)} ${name}: ${ofValue}${ofFloor}${times}; ${boundsOf(result)}`;
}

function markOf({ aim, ok }: BenchResult): string {
  if (!ok) return '✗';
  return aim && !aim.isMet ? '~' : '✓';
}

function boundsOf({ aim, goal, ok }: BenchResult): string {
  const isBound = !/^(?:no goal|for comparison)/.test(goal);
  if (!aim) return isBound ? `goal ${goal}${ok ? '' : ' missed'}` : goal;
  const limit = isBound ? `limit ${goal} ${ok ? 'kept' : 'exceeded'}` : 'no limit';
  return `aim ${aim.text} ${aim.isMet ? 'met' : 'missed'}, ${limit}`;
}

function range(rounds: readonly number[] = []): string {
  if (rounds.length < 2) return '';
  return ` (${number(Math.min(...rounds))} to ${number(Math.max(...rounds))} in ${rounds.length})`;
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 4 });
}
