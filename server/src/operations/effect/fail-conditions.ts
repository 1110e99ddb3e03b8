import {
  type ChangeCounts,
  type ChangePart,
  type changeKinds,
  changeParts,
  kindsOfPart,
  measureNumberNames,
} from '../../../../protocol/graph-changes.ts';
import type { EffectCondition } from '../../../../protocol/graph-effect.ts';
import type { ComparedChanges } from '../../graph-changes/compare-graphs.ts';
import { parseDuration } from '../../model/duration.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';

const operators = {
  '>': (one: number, other: number) => one > other,
  '>=': (one: number, other: number) => one >= other,
  '<': (one: number, other: number) => one < other,
  '<=': (one: number, other: number) => one <= other,
  '=': (one: number, other: number) => one === other,
} as const;

type MeasureNumber = (typeof measureNumberNames)[number];

type CountName = 'before' | 'after' | (typeof changeKinds)[number] | MeasureNumber;

/**
 * A condition such as `Place Order.events.gone > 2%`; without a name, of all names of the part. A number of the values of
 * a measure, such as `Lead time.measures.median > 5d`, is that of the new graph.
 */
export interface FailCondition {
  readonly text: string;
  readonly name: string | undefined;
  readonly part: ChangePart;
  readonly number: CountName;
  readonly operator: keyof typeof operators;
  readonly value: number;
  /** The number is compared as a percentage of `before`. */
  readonly isPercent: boolean;
}

/** Reads a condition; a text says what is wrong with it. Names of the graph are checked when there is one. */
export function parseCondition(text: string): FailCondition | string {
  const match = /^\s*(?:(.+)\.)?([A-Za-z]+)\.([A-Za-z]+)\s*(>=|<=|>|<|=)\s*(\d+(?:\.\d+)?)\s*(%|[a-z]+)?\s*$/s.exec(
    text,
  );
  if (!match)
    return `"${text}" is no condition: write a number, an operator (>, >=, <, <=, =) and a value, such as "events.gone > 2%".`;
  const [, name, partName = '', number = '', operator = '', value = '', unit] = match;
  const part = changeParts.find((each) => each === partName);
  if (part === undefined) return `"${text}": ${partName} is none of ${changeParts.join(', ')}.`;
  const ofValues: readonly MeasureNumber[] = part === 'measures' ? measureNumberNames : [];
  const numbers: readonly CountName[] = ['before', 'after', ...kindsOfPart[part], ...ofValues];
  const counted = numbers.find((each) => each === number);
  if (counted === undefined) return `"${text}": ${part} has the numbers ${numbers.join(', ')}, not ${number}.`;
  const isOfValues = ofValues.some((each) => each === counted);
  if (isOfValues && name === undefined)
    return `"${text}": name the measure, such as "Lead time.measures.${counted} ${operator} ${value}${unit ?? ''}".`;
  const isDuration = unit !== undefined && unit !== '%';
  const limit = isDuration ? parseDuration(`${value}${unit}`) : Number(value);
  if (limit === undefined || (isDuration && !isOfValues))
    return `"${text}": ${unit} is no unit of ${part}.${number}${isOfValues ? ', which may have ms, s, min, h, d or w' : ''}.`;
  return {
    text: text.trim(),
    name,
    part,
    number: counted,
    operator: operator as keyof typeof operators,
    value: limit,
    isPercent: unit === '%',
  };
}

/** A name that neither graph has is the error of its condition. */
export function evaluateConditions(
  conditions: readonly FailCondition[],
  compared: ComparedChanges,
): readonly EffectCondition[] {
  return conditions.map((condition) => {
    const { text, number, operator, value, isPercent } = condition;
    const counts = countsOf(condition, compared);
    if (typeof counts === 'string') return { condition: text, value: null, isMet: false, error: counts };
    if (isMeasureNumber(number)) return ofMeasure(condition, number, compared);
    const count = counts[number] ?? 0;
    // Something of nothing is more than any percentage.
    const share = counts.before > 0 ? (count / counts.before) * 100 : count > 0 ? Infinity : 0;
    const compares = isPercent ? share : count;
    return {
      condition: text,
      value: Number.isFinite(compares) ? compares : null,
      isMet: operators[operator](compares, value),
    };
  });
}

function isMeasureNumber(number: CountName): number is MeasureNumber {
  return measureNumberNames.some((each) => each === number);
}

/** A percentage is that of the number before. */
function ofMeasure(
  { text, name = '', operator, value, isPercent }: FailCondition,
  number: MeasureNumber,
  { measured }: ComparedChanges,
): EffectCondition {
  const found = [...measured].find(([each]) => typed(each) === typed(name))?.[1];
  const now = found?.after?.[number] ?? null;
  const before = found?.before?.[number] ?? null;
  if (now === null) return { condition: text, value: null, isMet: false, error: `${name} has no ${number} now.` };
  if (!isPercent) return { condition: text, value: now, isMet: operators[operator](now, value) };
  const share = before === null || before === 0 ? (now === before ? 0 : Infinity) : (now / before) * 100;
  return { condition: text, value: Number.isFinite(share) ? share : null, isMet: operators[operator](share, value) };
}

/** The numbers of the name, in which `->` may stand for an arrow; else why there are none. */
function countsOf({ name, part }: FailCondition, { changes, names }: ComparedChanges): ChangeCounts | string {
  if (name === undefined) return changes.totals[part];
  const known = names[part];
  const found = known.has(name) ? name : [...known].find((each) => typed(each) === typed(name));
  if (found !== undefined) return changes[part].find((change) => change.name === found) ?? { before: 0, after: 0 };
  const question = didYouMean(nearestNames(name, known));
  const listed = [...known].slice(0, listedNames).map((each) => `"${each}"`);
  const more = known.size > listedNames ? `, and ${known.size - listedNames} more` : '';
  const hint = question ?? (known.size === 0 ? 'There are none.' : `There are ${listed.join(', ')}${more}.`);
  return `Neither graph has "${name}" among its ${part}. ${hint}`;
}

/** Names that are listed where none is similar. */
const listedNames = 10;

/** A name as keyboards write it. */
function typed(name: string): string {
  return name.replaceAll('→', '->');
}
