import {
  type ChangeCounts,
  type ChangePart,
  type changeKinds,
  changeParts,
  kindsOfPart,
} from '../../../../protocol/graph-changes.ts';
import type { EffectCondition } from '../../../../protocol/graph-effect.ts';
import type { ComparedChanges } from '../../graph-changes/compare-graphs.ts';
import { nearestName } from '../../model/nearest-name.ts';
import { OperationError } from '../operation-error.ts';

const operators = {
  '>': (one: number, other: number) => one > other,
  '>=': (one: number, other: number) => one >= other,
  '<': (one: number, other: number) => one < other,
  '<=': (one: number, other: number) => one <= other,
  '=': (one: number, other: number) => one === other,
} as const;

type CountName = 'before' | 'after' | (typeof changeKinds)[number];

/** A condition such as `Place Order.events.gone > 2%`; without a name, of all names of the part. */
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
  const match = /^\s*(?:(.+)\.)?([A-Za-z]+)\.([A-Za-z]+)\s*(>=|<=|>|<|=)\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/s.exec(text);
  if (!match)
    return `"${text}" is no condition: write a number, an operator (>, >=, <, <=, =) and a value, such as "events.gone > 2%".`;
  const [, name, partName = '', number = '', operator = '', value, percent] = match;
  const part = changeParts.find((each) => each === partName);
  if (part === undefined) return `"${text}": ${partName} is none of ${changeParts.join(', ')}.`;
  const numbers: readonly CountName[] = ['before', 'after', ...kindsOfPart[part]];
  const counted = numbers.find((each) => each === number);
  if (counted === undefined) return `"${text}": ${part} has the numbers ${numbers.join(', ')}, not ${number}.`;
  return {
    text: text.trim(),
    name,
    part,
    number: counted,
    operator: operator as keyof typeof operators,
    value: Number(value),
    isPercent: percent === '%',
  };
}

/** Throws an `OperationError` for a name that neither graph has. */
export function evaluateConditions(
  conditions: readonly FailCondition[],
  compared: ComparedChanges,
): readonly EffectCondition[] {
  return conditions.map((condition) => {
    const { text, number, operator, value, isPercent } = condition;
    const counts = countsOf(condition, compared);
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

function countsOf({ text, name, part }: FailCondition, { changes, names }: ComparedChanges): ChangeCounts {
  if (name === undefined) return changes.totals[part];
  const found = changes[part].find((change) => change.name === name);
  if (found) return found;
  if (names[part].has(name)) return { before: 0, after: 0 };
  const nearest = nearestName(name, [...names[part]]);
  throw new OperationError({
    code: 'not-in-graph',
    message: `"${text}": neither graph has ${name} among its ${part}.`,
    remedy: nearest === undefined ? `They are: ${[...names[part]].join(', ') || 'none'}.` : `Did you mean ${nearest}?`,
  });
}
