import { didYouMean, nearestNames } from '../model/nearest-name.ts';
import { dayOfDate } from '../model/calendar.ts';
import { parseDurationWithUnit } from '../model/duration.ts';
import { QuestionError } from './question-error.ts';

/** A condition as people write it (docs/semantics.md#192-conditions). Names are not yet known to be those of a graph. */
export type ConditionText =
  | { readonly kind: 'with' | 'without'; readonly activity: string }
  /** Activities may contain arrows, so the places where the text may be divided are kept. */
  | { readonly kind: 'path'; readonly follows: 'directly' | 'eventually'; readonly ends: readonly PathEnds[] }
  | { readonly kind: 'slower' | 'faster'; readonly milliseconds: number }
  | { readonly kind: 'variant'; readonly number: number }
  | { readonly kind: 'broken'; readonly rule: string }
  /** ISO 8601, UTC. */
  | { readonly kind: 'from' | 'to'; readonly time: string }
  | { readonly kind: 'filter'; readonly name: string }
  | { readonly kind: 'sql'; readonly sql: string };

export interface PathEnds {
  readonly source: string;
  readonly target: string;
}

type Read = (value: string, text: string) => ConditionText;

const kinds: Readonly<Record<string, Read>> = {
  with: (activity) => ({ kind: 'with', activity }),
  without: (activity) => ({ kind: 'without', activity }),
  path: (value, text) => ({ kind: 'path', follows: 'directly', ends: endsOf(value, text) }),
  eventually: (value, text) => ({ kind: 'path', follows: 'eventually', ends: endsOf(value, text) }),
  slower: (value, text) => ({ kind: 'slower', milliseconds: durationOf(value, text) }),
  faster: (value, text) => ({ kind: 'faster', milliseconds: durationOf(value, text) }),
  variant: (value, text) => ({ kind: 'variant', number: numberOf(value, text) }),
  broken: (rule) => ({ kind: 'broken', rule }),
  from: (value, text) => ({ kind: 'from', time: timeOf(value, text) }),
  to: (value, text) => ({ kind: 'to', time: timeOf(value, text) }),
  filter: (name) => ({ kind: 'filter', name }),
};

/** Reads a condition: `KIND:VALUE` of a known kind, else SQL. Throws `QuestionError`. */
export function readConditionText(text: string): ConditionText {
  const match = /^\s*([a-z]+):(.*)$/isu.exec(text);
  const [, kind = '', value = ''] = match ?? [];
  const read = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (read) {
    if (value.trim() === '') throw new QuestionError(`"${text.trim()}" has nothing after the colon.`);
    return read(value.trim(), text.trim());
  }
  if (text.trim() === '') throw new QuestionError('A condition is empty.');
  // A cast has two colons.
  const meant = kind === '' || value.startsWith(':') ? [] : nearestNames(kind, Object.keys(kinds));
  if (meant.length > 0) {
    const written = meant.map((name) => `${name}:${value.trim()}`);
    throw new QuestionError(`"${text.trim()}" is no condition.`, didYouMean(written));
  }
  return { kind: 'sql', sql: text.trim() };
}

function endsOf(value: string, text: string): readonly PathEnds[] {
  const ends = [...value.matchAll(/->|→/gu)].map(({ index, 0: arrow }) => ({
    source: value.slice(0, index).trim(),
    target: value.slice(index + arrow.length).trim(),
  }));
  const complete = ends.filter(({ source, target }) => source !== '' && target !== '');
  if (complete.length > 0) return complete;
  throw new QuestionError(`"${text}" needs two activities with an arrow between.`, 'Write path:A -> B.');
}

function durationOf(value: string, text: string): number {
  const milliseconds = parseDurationWithUnit(value);
  if (milliseconds !== undefined) return milliseconds;
  throw new QuestionError(`"${text}" has no duration.`, 'Write a number with a unit, such as 90min, 12h, 5d or 2w.');
}

function numberOf(value: string, text: string): number {
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw new QuestionError(
    `"${text}" has no number of a variant.`,
    'Variants are numbered from 1, as `variants` lists them.',
  );
}

/** Times without zone are UTC, as those of events. */
function timeOf(value: string, text: string): string {
  const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?(Z|[+-]\d\d:?\d\d)?$/u.exec(value);
  const [, day = '', clock = '00:00', zone = 'Z'] = written ?? [];
  const time = new Date(`${day}T${clock}${zone}`);
  // `Date` moves 30 February to March.
  if (dayOfDate(day) !== undefined && !Number.isNaN(time.getTime())) return time.toISOString();
  throw new QuestionError(
    `"${text}" has no time.`,
    'Write a date or a time in UTC: 2026-03-01 or 2026-03-01T08:00:00Z.',
  );
}
