import { dayOfDate } from '../model/calendar.ts';
import type { SqlToken } from './sql-tokens.ts';
import { isWord, plainLiteral, type Tokens } from './token-lists.ts';

/** The earliest and the latest of a set of times, in milliseconds since the epoch. */
export type TimeSpan = readonly [first: number, last: number];

/** A time expression of SQL, as a function of the execution time. */
export interface SqlMoment {
  /**
   * The range of its values, with texts read as UTC, for execution times in a span; a single value for a single time.
   */
  readonly within: (run: TimeSpan) => TimeSpan;
  /** Whether it depends on the execution time. */
  readonly isRolling: boolean;
  /** A date without time, to which days can be added as numbers. */
  readonly isDate: boolean;
  /** An untyped literal, which arithmetic does not accept. */
  readonly isText?: boolean;
}

/**
 * Evaluates tokens as a time expression: literals, `now()`, `current_date` and similar, `date_trunc` and casts of
 * these, plus or minus intervals. Undefined for other expressions. The executing session uses UTC.
 */
export function sqlMoment(tokens: Tokens): SqlMoment | undefined {
  const found = sumAt(tokens, 0);
  return found && found.next === tokens.length ? found.value : undefined;
}

interface Parsed<T> {
  readonly value: T;
  /** The next token. */
  readonly next: number;
}

/** A time expression with added and subtracted intervals. */
function sumAt(tokens: Tokens, start: number): Parsed<SqlMoment> | undefined {
  let sum = castAt(tokens, start);
  for (let sign = signAt(tokens, sum?.next); sum && sign !== 0; sign = signAt(tokens, sum?.next)) {
    sum = added(sum.value, sign, tokens, sum.next + 1);
  }
  return sum;
}

function signAt(tokens: Tokens, index = -1): number {
  const text = tokens[index]?.text;
  return text === '+' ? 1 : text === '-' ? -1 : 0;
}

function added(moment: SqlMoment, sign: number, tokens: Tokens, start: number): Parsed<SqlMoment> | undefined {
  if (moment.isText) return undefined;
  const days = moment.isDate ? wholeNumber(tokens[start]) : undefined;
  if (days !== undefined)
    return { value: shifted(moment, { months: 0, ms: sign * days * dayMs }, true), next: start + 1 };
  const interval = intervalAt(tokens, start);
  if (!interval) return undefined;
  const { months, ms } = interval.value;
  return { value: shifted(moment, { months: sign * months, ms: sign * ms }, false), next: interval.next };
}

interface Interval {
  readonly months: number;
  readonly ms: number;
}

function shifted({ within, isRolling }: SqlMoment, { months, ms }: Interval, isDate: boolean): SqlMoment {
  return {
    within(run) {
      const [first, last] = within(run);
      // Month arithmetic is not monotonic: the last days of a month map to one day of a shorter month.
      const slack = months === 0 || first === last ? 0 : 3 * dayMs;
      return [monthsLater(first, months) + ms - slack, monthsLater(last, months) + ms + slack];
    },
    isRolling,
    isDate,
  };
}

/** The same day of another month, or its last day. */
function monthsLater(time: number, months: number): number {
  if (months === 0) return time;
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

/** `INTERVAL 30 DAY`, `INTERVAL '30' DAY`, `INTERVAL (30) DAY`, `INTERVAL '1 month 2 days'`, `to_days(30)`. */
function intervalAt(tokens: Tokens, start: number): Parsed<Interval> | undefined {
  if (isCall(tokens, start, 'to_days')) {
    const days = wholeNumber(tokens[start + 2]);
    return days !== undefined && tokens[start + 3]?.text === ')'
      ? { value: { months: 0, ms: days * dayMs }, next: start + 4 }
      : undefined;
  }
  if (!isWord(tokens[start], 'interval')) return undefined;
  const isEnclosed = tokens[start + 1]?.text === '(';
  const amount = tokens[start + (isEnclosed ? 2 : 1)];
  const behind = start + (isEnclosed ? 4 : 2);
  if (isEnclosed && tokens[behind - 1]?.text !== ')') return undefined;
  const count = wholeNumber(amount) ?? wholeNumber(amount, plainLiteral(amount));
  const unit = tokens[behind];
  if (count !== undefined && unit?.kind === 'word') {
    const value = times(unitOf(unit.text), count);
    return value && { value, next: behind + 1 };
  }
  const value = isEnclosed ? undefined : intervalText(plainLiteral(amount) ?? '');
  return value && { value, next: behind };
}

function intervalText(text: string): Interval | undefined {
  const parts = text.trim().split(/\s+/);
  if (parts.length % 2 !== 0) return undefined;
  let sum: Interval = { months: 0, ms: 0 };
  for (let at = 0; at < parts.length; at += 2) {
    const count = /^-?\d{1,9}$/.test(parts[at] ?? '') ? Number(parts[at]) : undefined;
    const part = count === undefined ? undefined : times(unitOf(parts[at + 1] ?? ''), count);
    if (!part) return undefined;
    sum = { months: sum.months + part.months, ms: sum.ms + part.ms };
  }
  return sum;
}

const dayMs = 86_400_000;

function unitOf(name: string): Interval | undefined {
  const unit = name.toLowerCase().replace(/s$/, '');
  return Object.hasOwn(units, unit) ? units[unit] : undefined;
}

const units: Readonly<Record<string, Interval>> = {
  year: { months: 12, ms: 0 },
  quarter: { months: 3, ms: 0 },
  month: { months: 1, ms: 0 },
  week: { months: 0, ms: 7 * dayMs },
  day: { months: 0, ms: dayMs },
  hour: { months: 0, ms: 3_600_000 },
  minute: { months: 0, ms: 60_000 },
  second: { months: 0, ms: 1000 },
};

function times(unit: Interval | undefined, count: number): Interval | undefined {
  return unit && { months: unit.months * count, ms: unit.ms * count };
}

/** Trailing casts `::type`. */
function castAt(tokens: Tokens, start: number): Parsed<SqlMoment> | undefined {
  let cast = momentAt(tokens, start);
  while (cast && tokens[cast.next]?.text === ':' && tokens[cast.next + 1]?.text === ':') {
    const value = castTo(cast.value, tokens[cast.next + 2]);
    cast = value && { value, next: cast.next + 3 };
  }
  return cast;
}

function castTo(moment: SqlMoment, type: SqlToken | undefined): SqlMoment | undefined {
  if (isWord(type, 'date')) return truncated(moment, 'day', true);
  const isTime = isWord(type, 'timestamp') || isWord(type, 'timestamptz') || isWord(type, 'datetime');
  return isTime ? { within: moment.within, isRolling: moment.isRolling, isDate: false } : undefined;
}

function momentAt(tokens: Tokens, start: number): Parsed<SqlMoment> | undefined {
  const token = tokens[start];
  if (token?.text === '(') {
    const inner = sumAt(tokens, start + 1);
    return inner && tokens[inner.next]?.text === ')' ? { value: inner.value, next: inner.next + 1 } : undefined;
  }
  if (isCall(tokens, start, 'cast')) {
    const inner = sumAt(tokens, start + 2);
    if (!inner || !isWord(tokens[inner.next], 'as') || tokens[inner.next + 2]?.text !== ')') return undefined;
    const value = castTo(inner.value, tokens[inner.next + 1]);
    return value && { value, next: inner.next + 3 };
  }
  if (isCall(tokens, start, 'date_trunc')) {
    const unit =
      plainLiteral(tokens[start + 2])
        ?.toLowerCase()
        .replace(/s$/, '') ?? '';
    const inner = tokens[start + 3]?.text === ',' ? sumAt(tokens, start + 4) : undefined;
    if (!inner || inner.value.isText || tokens[inner.next]?.text !== ')') return undefined;
    if (!Object.hasOwn(truncations, unit)) return undefined;
    return { value: truncated(inner.value, unit as Truncation, false), next: inner.next + 1 };
  }
  return currentAt(tokens, start) ?? literalAt(tokens, start);
}

type Truncation = keyof typeof truncations;

const truncations = {
  year: (time: Date) => Date.UTC(time.getUTCFullYear(), 0),
  quarter: (time: Date) => Date.UTC(time.getUTCFullYear(), Math.floor(time.getUTCMonth() / 3) * 3),
  month: (time: Date) => Date.UTC(time.getUTCFullYear(), time.getUTCMonth()),
  // Weeks begin on Mondays.
  week: (time: Date) => Math.floor(time.getTime() / dayMs) * dayMs - ((time.getUTCDay() + 6) % 7) * dayMs,
  day: (time: Date) => Math.floor(time.getTime() / dayMs) * dayMs,
  hour: (time: Date) => Math.floor(time.getTime() / 3_600_000) * 3_600_000,
  minute: (time: Date) => Math.floor(time.getTime() / 60_000) * 60_000,
};

function truncated({ within, isRolling }: SqlMoment, unit: Truncation, isDate: boolean): SqlMoment {
  const truncate = (time: number): number => truncations[unit](new Date(time));
  return {
    within(run) {
      const [first, last] = within(run);
      return [truncate(first), truncate(last)];
    },
    isRolling,
    isDate,
  };
}

const currentCalls = new Set([
  'now',
  'get_current_timestamp',
  'transaction_timestamp',
  'current_localtimestamp',
  'today',
  'current_date',
]);
const currentWords = new Set(['current_timestamp', 'localtimestamp', 'current_date']);

function currentAt(tokens: Tokens, start: number): Parsed<SqlMoment> | undefined {
  const token = tokens[start];
  if (token?.kind !== 'word') return undefined;
  const name = token.text.toLowerCase();
  const isCalled = tokens[start + 1]?.text === '(';
  if (isCalled ? !currentCalls.has(name) || tokens[start + 2]?.text !== ')' : !currentWords.has(name)) return undefined;
  const now: SqlMoment = { within: (run) => run, isRolling: true, isDate: false };
  const isDay = name === 'today' || name === 'current_date';
  return { value: isDay ? truncated(now, 'day', true) : now, next: start + (isCalled ? 3 : 1) };
}

/** `'2024-01-31'`, `'2024-01-31 10:00:00'`, also after TIMESTAMP or DATE. */
function literalAt(tokens: Tokens, start: number): Parsed<SqlMoment> | undefined {
  const first = tokens[start];
  const isTyped = first?.kind === 'word' && /^(?:timestamp|timestamptz|date)$/i.test(first.text);
  const text = plainLiteral(isTyped ? tokens[start + 1] : first) ?? '';
  const match = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?Z?)?$/.exec(text);
  // `Date` moves 30 February to March, which engines refuse.
  const time =
    match && dayOfDate(match[1] ?? '') !== undefined ? Date.parse(`${match[1]}T${match[2] ?? '00:00'}Z`) : NaN;
  if (Number.isNaN(time)) return undefined;
  const isDate = isTyped && first.text.toLowerCase() === 'date';
  const value: SqlMoment = { within: () => [time, time], isRolling: false, isDate, isText: !isTyped };
  return { value, next: start + (isTyped ? 2 : 1) };
}

function wholeNumber(token: SqlToken | undefined, text = token?.text): number | undefined {
  return token?.kind === 'literal' && /^\d{1,9}$/.test(text ?? '') ? Number(text) : undefined;
}

function isCall(tokens: Tokens, start: number, name: string): boolean {
  return isWord(tokens[start], name) && tokens[start + 1]?.text === '(';
}
