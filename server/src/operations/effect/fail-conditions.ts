import {
  type ChangePart,
  type EndMatches,
  type NamedChange,
  type RuleNumbers,
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

/** What other languages write for an operator. */
const meantOperators: Readonly<Record<string, string>> = { '==': '=', '===': '=', '=>': '>=', '=<': '<=' };

type ChangeNumber = 'before' | 'after' | (typeof changeKinds)[number];

/** A number that the new graph has, and what a percentage of it is of. */
type GraphNumber = (change: NamedChange) => {
  readonly now: number | null | undefined;
  readonly whole: number | null | undefined;
  /** The whole has the number as a part: there is no share of nothing. */
  readonly isShare?: true;
  readonly isDuration?: boolean;
};

/** Parts with numbers of the new graph, which have the names of the JSON and are not added up. */
const graphNumbers: Partial<
  Record<
    ChangePart,
    { readonly noun: string; readonly example: string; readonly numbers: Readonly<Record<string, GraphNumber>> }
  >
> = {
  relations: {
    noun: 'relationship',
    example: 'contains',
    numbers: Object.assign(
      {},
      ...(['source', 'target'] as const).map((end): Readonly<Record<string, GraphNumber>> => {
        const share =
          (name: 'matched' | 'unmatched'): GraphNumber =>
          ({ matches }) => ({
            now: matches?.after?.[end][name],
            whole: entitiesOf(matches?.after?.[end]),
            isShare: true,
          });
        return {
          [`${end}.matched`]: share('matched'),
          [`${end}.unmatched`]: share('unmatched'),
          [`${end}.most`]: ({ matches }) => ({ now: matches?.after?.[end].most, whole: matches?.before?.[end].most }),
        };
      }),
    ) as Readonly<Record<string, GraphNumber>>,
  },
  rules: {
    noun: 'rule',
    example: 'Paid in time',
    numbers: Object.fromEntries(
      (['concerned', 'kept', 'pending', 'undecided'] as const).map((name): [string, GraphNumber] => [
        name,
        (rule) => ({ now: judged(rule)?.[name], whole: judged(rule)?.concerned, isShare: true }),
      ]),
    ),
  },
  measures: {
    noun: 'measure',
    example: 'Lead time',
    numbers: Object.fromEntries(
      measureNumberNames.map((name): [string, GraphNumber] => [
        name,
        ({ measured: { before, after } = {} }) => ({
          now: after?.[name],
          whole: before?.[name],
          isDuration: isOfValues(name) && after !== undefined && after.unit !== 'number',
        }),
      ]),
    ),
  },
};

/** Whether a number of a measure has the unit of its values. */
function isOfValues(name: string): boolean {
  return name !== 'count' && name !== 'missing';
}

function entitiesOf(end: EndMatches | undefined): number | null {
  return !end || end.unmatched === null ? null : end.matched + end.unmatched;
}

/** The numbers of a rule that could be judged. */
function judged({ verdicts }: NamedChange): RuleNumbers | undefined {
  return verdicts?.after?.error === null ? verdicts.after : undefined;
}

/**
 * A condition such as `Place Order.events.gone > 2%`; without a name, of all names of the part. A number that only the
 * new graph has, such as `Lead time.measures.median > 5d`, is that of one name.
 */
export interface FailCondition {
  readonly text: string;
  readonly name: string | undefined;
  readonly part: ChangePart;
  readonly number: ChangeNumber | GraphNumber | 'differingVariants';
  /** As it was written. */
  readonly numberName: string;
  readonly operator: keyof typeof operators;
  readonly value: number;
  /** The number is compared as a percentage. */
  readonly isPercent: boolean;
  /** The value has a unit of time. */
  readonly isDuration: boolean;
}

/** Reads a condition; a text says what is wrong with it. Names of the graph are checked when there is one. */
export function parseCondition(text: string): FailCondition | string {
  // The last operator counts: names may have arrows.
  const written = /^\s*(.*[^\s<>=!~])\s*([<>=!~]+)\s*([^<>=!~]*?)\s*$/s.exec(text);
  if (!written)
    return `"${text}" is no condition: write a number, an operator (>, >=, <, <=, =) and a value, such as "events.gone > 2%".`;
  const [, left = '', operator = '', right = ''] = written;
  if (!Object.hasOwn(operators, operator)) {
    const question = didYouMean([meantOperators[operator] ?? []].flat());
    return `"${text}": "${operator}" is no operator. ${question === undefined ? '' : `${question} `}There are ${Object.keys(operators).join(', ')}.`;
  }
  const [, value, unit] = /^(-?\d+(?:\.\d+)?)\s*(%|[a-z]+)?$/s.exec(right) ?? [];
  if (value === undefined)
    return `"${text}": ${right === '' ? 'the value is missing' : `"${right}" is no value`}: write one such as 2, 2.5, 2% or 5d.`;
  const compares = {
    text: text.trim(),
    operator: operator as keyof typeof operators,
    value: Number(value),
    isPercent: unit === '%',
    isDuration: unit !== undefined && unit !== '%',
  };
  if (left === 'differingVariants') {
    if (unit !== undefined) return `"${text}": ${unit} is no unit of ${left}, which is a count.`;
    return { ...compares, name: undefined, part: 'variants', number: left, numberName: left };
  }
  const bare = changeParts.find((each) => left === each || left.endsWith(`.${each}`));
  if (bare !== undefined)
    return `"${text}": say which number of ${bare}: ${left}.${kindsOfPart[bare].join(`, ${left}.`)}.`;
  const match =
    /^(?:(.+)\.)?([A-Za-z]+)\.((?:source|target)\.\w+)$/s.exec(left) ?? /^(?:(.+)\.)?([A-Za-z]+)\.(\w+)$/s.exec(left);
  if (!match) {
    const all = [...changeParts.flatMap(numbersOfPart), 'differingVariants'];
    return `"${text}": ${noneOf(left, 'number', all, '[NAME.]PART.NUMBER, such as events.gone')}`;
  }
  const [, name, partName = '', numberName = ''] = match;
  const part = changeParts.find((each) => each === partName);
  if (part === undefined) return `"${text}": ${noneOf(partName, 'part of the changes', changeParts)}`;
  const ofGraph = graphNumbers[part];
  const changeNumbers: readonly ChangeNumber[] = ['before', 'after', ...kindsOfPart[part]];
  const number =
    ofGraph && Object.hasOwn(ofGraph.numbers, numberName)
      ? ofGraph.numbers[numberName]
      : changeNumbers.find((each) => each === numberName);
  if (number === undefined) {
    const all = [...changeNumbers, ...Object.keys(ofGraph?.numbers ?? {})];
    return `"${text}": ${noneOf(numberName, `number of ${part}`, all)}`;
  }
  const isOfGraph = typeof number === 'function';
  if (isOfGraph && ofGraph && name === undefined)
    return `"${text}": name the ${ofGraph.noun}, such as "${ofGraph.example}.${part}.${numberName} ${operator} ${value}${unit ?? ''}".`;
  const { isDuration } = compares;
  const mayBeDuration = isOfGraph && part === 'measures' && isOfValues(numberName);
  const limit = isDuration ? parseDuration(`${value}${unit}`) : compares.value;
  if (limit === undefined || (isDuration && !mayBeDuration))
    return `"${text}": ${unit} is no unit of ${part}.${numberName}${mayBeDuration ? ', which may have ms, s, min, h, d or w' : ''}.`;
  return { ...compares, name, part, number, numberName, value: limit };
}

function noneOf(name: string, what: string, known: readonly string[], there = known.join(', ')): string {
  const question = didYouMean(nearestNames(name, known));
  return `"${name}" is no ${what}. ${question === undefined ? '' : `${question} `}There are ${there}.`;
}

function numbersOfPart(part: ChangePart): readonly string[] {
  return kindsOfPart[part].map((kind) => `${part}.${kind}`);
}

/** A name that neither graph has is the error of its condition. */
export function evaluateConditions(
  conditions: readonly FailCondition[],
  compared: ComparedChanges,
): readonly EffectCondition[] {
  return conditions.map((condition) => {
    const { text, operator, value, isPercent } = condition;
    const found = numberOf(condition, compared);
    if (typeof found === 'string') return { condition: text, value: null, isMet: false, error: found };
    const is = isPercent ? percentOf(found) : found.now;
    return { condition: text, value: Number.isFinite(is) ? is : null, isMet: operators[operator](is, value) };
  });
}

interface FoundNumber {
  readonly now: number;
  readonly whole: number;
  readonly isShare?: true;
}

/** Something of nothing is more than any percentage; a share of nothing is neither more nor less than one. */
function percentOf({ now, whole, isShare }: FoundNumber): number {
  if (whole !== 0) return (now / whole) * 100;
  return isShare ? NaN : now === 0 ? 0 : Infinity;
}

/** The number of a condition; a text says why there is none. */
function numberOf(condition: FailCondition, compared: ComparedChanges): FoundNumber | string {
  const { name = '', number, numberName, value, isPercent } = condition;
  if (number === 'differingVariants') return { now: compared.changes.differingVariants, whole: 0 };
  const change = changeOf(condition, compared);
  if (typeof change === 'string') return change;
  if (typeof number === 'string') return { now: change[number] ?? 0, whole: change.before };
  const { now, whole, isShare, isDuration = false } = number(change);
  if (typeof now !== 'number') return `${name} has no ${numberName} now.`;
  if (!isPercent && value !== 0 && isDuration !== condition.isDuration)
    return isDuration
      ? `${name} is a duration: give the value a unit, such as ${value}d.`
      : `${name} is no duration: leave out the unit of the value.`;
  return { now, whole: whole ?? 0, ...(isShare && { isShare }) };
}

/** What the condition names, in which `->` may stand for an arrow, or all of its part; else why there is nothing. */
function changeOf({ name, part }: FailCondition, { changes, all }: ComparedChanges): NamedChange | string {
  if (name === undefined) return { name: part, ...changes.totals[part] };
  const found =
    all[part].find((each) => each.name === name) ?? all[part].find((each) => typed(each.name) === typed(name));
  if (found) return found;
  const known = all[part].map((each) => each.name);
  const question = didYouMean(nearestNames(name, known));
  const listed = known.slice(0, listedNames).map((each) => `"${each}"`);
  const more = known.length > listedNames ? `, and ${known.length - listedNames} more` : '';
  const hint = question ?? (known.length === 0 ? 'There are none.' : `There are ${listed.join(', ')}${more}.`);
  return `Neither graph has "${name}" among its ${part}. ${hint}`;
}

/** Names that are listed where none is similar. */
const listedNames = 10;

/** A name as keyboards write it. */
function typed(name: string): string {
  return name.replaceAll('→', '->');
}
