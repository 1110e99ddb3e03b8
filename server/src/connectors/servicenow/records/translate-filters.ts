import type { Column } from '../../../catalog/catalog.ts';
import { identifierKey } from '../../../query/sql-names.ts';
import { sqlMoment, type SqlMoment, type TimeSpan } from '../../../query/sql-moment.ts';
import type { SqlToken } from '../../../query/sql-tokens.ts';
import {
  isWord,
  plainLiteral,
  significant,
  split,
  splitAt,
  textOf,
  withoutParentheses,
  type Tokens,
} from '../../../query/token-lists.ts';
import { isOfMoney } from './money.ts';

/** The period in which a filter is used; relative time conditions must hold for all of it. */
interface FilterPeriod {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** Length of the period in milliseconds. */
  readonly forMs: number;
}

/** Default: maximum duration of an import. */
export const filterForMs = 86_400_000;

/**
 * Translates the AND-connected parts of an SQL condition to an encoded query, as far as it never excludes rows that SQL
 * would include. The platform compares texts without case and reads time literals in its own zone, so the whole
 * condition is evaluated again on the fetched records. `sourceType` gives the column types.
 */
function translated(
  sql: string,
  alias: string,
  columns: readonly Column[],
  period: FilterPeriod = { from: Date.now(), forMs: filterForMs },
): { readonly encoded: readonly string[]; readonly local: readonly string[] } {
  const scope: Scope = {
    sql,
    period,
    alias: identifierKey(alias, 'duckdb'),
    columns: new Map(columns.map((column) => [identifierKey(column.name, 'duckdb'), column])),
  };
  const encoded: string[] = [];
  const local: string[] = [];
  for (const part of split(withoutParentheses(significant(sql)), 'and')) {
    const terms = translatePart(part, scope);
    // The maximum length of a URL is not documented.
    const isShort = [...encoded, ...(terms ?? [])].join('^').length <= longestFilter;
    if (terms && isShort) encoded.push(...terms);
    else local.push(textOf(part, sql));
  }
  return { encoded, local };
}

/** The filters of all reads of a data object, as encoded queries. */
export interface TranslatedFilters {
  /** Encoded queries, one of which a needed row matches; empty when any row may be needed. */
  readonly branches: readonly string[];
  /** Conditions that the platform cannot evaluate, as written. */
  readonly local: readonly string[];
}

/** Translates filters. When they exceed the length of a URL, only their common conditions are used. */
export function translateFilters(
  filters: readonly string[] | undefined = [],
  alias: string,
  columns: readonly Column[],
  period?: FilterPeriod,
): TranslatedFilters {
  const all = filters.map((filter) => translated(filter, alias, columns, period));
  const local = all.flatMap((each) => each.local);
  if (all.some(({ encoded }) => encoded.length === 0)) return { branches: [], local };
  const branches = [...new Set(all.map(({ encoded }) => encoded.join('^')))];
  const length = branches.reduce((sum, branch) => sum + branch.length + repeatedLength, 0);
  if (length <= longestQuery) return { branches, local };
  const [first, ...others] = all;
  const common = (first?.encoded ?? []).filter((term) => others.every(({ encoded }) => encoded.includes(term)));
  return { branches: common.length > 0 ? [common.join('^')] : [], local: filters };
}

/** Selects records by values of a column; undefined when the platform might interpret a value. */
export function keyCondition({ name, sourceType = '' }: Column, values: readonly string[]): string | undefined {
  const encoded = values.map((value) => {
    if (integerTypes.has(sourceType)) return /^-?\d{1,18}$/.test(value) ? value : undefined;
    const isText = textTypes.has(sourceType) || keyTypes.has(sourceType);
    return isText && !value.includes(',') ? encodedText(value) : undefined;
  });
  return encoded.every((value) => value !== undefined) ? `${name}IN${encoded.join(',')}` : undefined;
}

const longestFilter = 1500;

/** Maximum length of all branches: with a long field list, URL-encoded, it stays within the 8 KB of many servers. */
const longestQuery = 3000;

/** Length of the paging conditions repeated in each branch. */
const repeatedLength = 80;

interface Scope {
  readonly sql: string;
  readonly period: FilterPeriod;
  readonly alias: string;
  readonly columns: ReadonlyMap<string, Column>;
}

/** AND-connected conditions, or undefined for a part that cannot be translated. */
function translatePart(part: Tokens, scope: Scope): readonly string[] | undefined {
  const inner = withoutParentheses(part);
  const conjuncts = split(inner, 'and');
  if (conjuncts.length > 1) {
    const all = conjuncts.map((each) => translatePart(each, scope));
    return all.every((each) => each !== undefined) ? all.flat() : undefined;
  }
  const choices = split(inner, 'or');
  if (choices.length === 1) return translateCondition(inner, scope);
  const terms = choices.map((choice) => translatePart(choice, scope));
  // The platform's OR connects single conditions only.
  const single = terms.flatMap((each) => (each?.length === 1 && each[0] !== undefined ? [each[0]] : []));
  return single.length === choices.length ? [single.join('^OR')] : undefined;
}

/** Translates a comparison to one condition, or to two for a range. */
function translateCondition(tokens: Tokens, scope: Scope): readonly string[] | undefined {
  const isNegated = isWord(tokens[0], 'not');
  const named = columnAt(isNegated ? tokens.slice(1) : tokens, scope);
  if (!named) return isNegated ? undefined : translateFlipped(tokens, scope);
  const { column, rest } = named;
  const { name, sourceType } = column;
  // Instances treat fields of child classes in filters differently.
  if (sourceType === undefined || name.startsWith('ref_') || isOfMoney(column)) return undefined;
  if (rest.length === 0) return sourceType === 'boolean' ? [`${name}=${String(!isNegated)}`] : undefined;
  if (isNegated) return undefined;
  const words = rest.map(({ text }) => text.toLowerCase());
  if (words[0] === 'is') return translateIs(column, words.slice(1));
  if (words[0] === 'in') return translateIn(column, rest.slice(1));
  if (words[0] === 'like') return translateLike(column, rest.slice(1));
  if (words[0] === 'between') {
    const and = words.indexOf('and');
    const low = compare(column, '>=', rest.slice(1, and), scope.period);
    const high = compare(column, '<=', rest.slice(and + 1), scope.period);
    return low && high ? [...low, ...high] : undefined;
  }
  const operator = comparisonIn(operatorText(rest));
  if (operator === undefined) return undefined;
  return compare(column, operator, rest.slice(operatorText(rest).length), scope.period);
}

/** A comparison with the column on the right, such as `now() - INTERVAL 7 DAY < opened_at`. */
function translateFlipped(tokens: Tokens, scope: Scope): readonly string[] | undefined {
  const start = tokens.findIndex(({ kind, text }) => kind === 'symbol' && /^[<>=!]$/.test(text));
  if (start <= 0) return undefined;
  const written = operatorText(tokens.slice(start));
  const operator = comparisonIn(written);
  const named = columnAt(tokens.slice(start + written.length), scope);
  if (operator === undefined || !named || named.rest.length > 0 || named.column.name.startsWith('ref_'))
    return undefined;
  return compare(named.column, flipped[operator] ?? operator, tokens.slice(0, start), scope.period);
}

const flipped: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

/** The platform's operator for an SQL operator. */
function comparisonIn(signs: string): string | undefined {
  if (!/^(?:<>|!=|<=|>=|==|[=<>])$/.test(signs)) return undefined;
  return signs === '<>' ? '!=' : signs === '==' ? '=' : signs;
}

function translateIs(column: Column, words: readonly string[]): readonly string[] | undefined {
  const said = words.join(' ');
  if (said === 'null') return column.sourceType === 'boolean' ? undefined : [`${column.name}ISEMPTY`];
  if (said === 'not null') return column.sourceType === 'boolean' ? undefined : [`${column.name}ISNOTEMPTY`];
  if (column.sourceType === 'boolean' && (said === 'true' || said === 'false')) return [`${column.name}=${said}`];
  return undefined;
}

/** Values with a comma get a condition each, because a list uses commas. */
function translateIn(column: Column, tokens: Tokens): readonly string[] | undefined {
  if (tokens[0]?.text !== '(' || tokens.at(-1)?.text !== ')') return undefined;
  const values = splitAt(tokens.slice(1, -1), ',').map((each) => exactValue(column, each));
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0 || known.length !== values.length) return undefined;
  if (known.some((value) => value.includes(','))) return [known.map((value) => `${column.name}=${value}`).join('^OR')];
  return [`${column.name}IN${known.join(',')}`];
}

/** Text operators on a reference compare its display value, not its key. */
function translateLike(column: Column, tokens: Tokens): readonly string[] | undefined {
  const text = tokens.length === 1 ? plainLiteral(tokens[0]) : undefined;
  if (text === undefined || !textTypes.has(column.sourceType ?? '')) return undefined;
  const [, before = '', body = '', after = ''] = /^(%?)([^%_\\]+)(%?)$/.exec(text) ?? [];
  const value = encodedText(body);
  if (value === undefined) return undefined;
  const operator = before && after ? 'LIKE' : after ? 'STARTSWITH' : before ? 'ENDSWITH' : '=';
  return [`${column.name}${operator}${value}`];
}

function compare(
  column: Column,
  operator: string,
  tokens: Tokens,
  period: FilterPeriod,
): readonly string[] | undefined {
  const { name, sourceType = '' } = column;
  const moment = timeTypes.has(sourceType) ? sqlMoment(tokens) : undefined;
  if (moment !== undefined) return compareTime(column, operator, moment, period);
  const value = exactValue(column, tokens);
  if (value === undefined) return undefined;
  if (operator === '=') return [`${name}=${value}`];
  // Texts are compared without case and by an unknown collation.
  return integerTypes.has(sourceType) && ['!=', '<', '<=', '>', '>='].includes(operator)
    ? [`${name}${operator}${value}`]
    : undefined;
}

/** The zone of time literals (UTC or user) is uncertain, so the bounds are widened by a day. */
const marginMs = 26 * 3_600_000;

/** Allows for clock changes, and for different months on both sides. */
const clockMs = 15 * 3_600_000;

const dayMs = 86_400_000;

/**
 * Bounds for a comparison with a time. Relative times are widened to whole days from before the first use until after
 * the last, so that the filter is stable for a day.
 */
function boundsOf({ within, isRolling }: SqlMoment, { from, forMs }: FilterPeriod): TimeSpan {
  const [first, last] = within([from - clockMs, from + forMs + clockMs]);
  const [low, high] = [first - marginMs, last + marginMs];
  return isRolling ? [Math.floor(low / dayMs) * dayMs, Math.ceil(high / dayMs) * dayMs] : [low, high];
}

function compareTime(
  { name, sourceType }: Column,
  operator: string,
  moment: SqlMoment,
  period: FilterPeriod,
): readonly string[] | undefined {
  const written = (at: number): string | undefined => {
    const text = Number.isFinite(at) && Math.abs(at) < furthestMs ? new Date(at).toISOString() : '';
    // The platform does not support years with other lengths.
    if (!/^[1-9]\d{3}-/.test(text)) return undefined;
    return sourceType === 'glide_date' ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
  };
  const [low, high] = boundsOf(moment, period).map(written);
  const lower = low === undefined ? [] : [`${name}>=${low}`];
  const upper = high === undefined ? [] : [`${name}<=${high}`];
  const terms = /^>=?$/.test(operator)
    ? lower
    : /^<=?$/.test(operator)
      ? upper
      : operator === '='
        ? [...lower, ...upper]
        : [];
  return terms.length > 0 ? terms : undefined;
}

/** Range of JavaScript times in milliseconds. */
const furthestMs = 8.64e15;

const integerTypes = new Set(['integer', 'longint', 'order_index', 'auto_increment']);
const timeTypes = new Set(['glide_date_time', 'due_date', 'calendar_date_time', 'glide_date']);
const textTypes = new Set([
  'string',
  'choice',
  'GUID',
  'email',
  'sys_class_name',
  'table_name',
  'field_name',
  'translated_text',
]);
const keyTypes = new Set(['reference', 'document_id', 'domain_id']);

/** A literal that a column of this type may equal, in the platform's notation. */
function exactValue({ sourceType = '' }: Column, tokens: Tokens): string | undefined {
  if (integerTypes.has(sourceType)) {
    const sign = tokens.length === 2 && tokens[0]?.text === '-' ? '-' : '';
    const digits = tokens.at(-1)?.text ?? '';
    const bare = tokens.length === 1 ? digits.replace(/^'(-?\d+)'$/, '$1') : digits;
    return tokens.length === (sign ? 2 : 1) && /^-?\d{1,18}$/.test(bare) ? `${sign}${bare}` : undefined;
  }
  if (sourceType === 'boolean') {
    const word = tokens.length === 1 ? tokens[0]?.text.toLowerCase().replaceAll("'", '') : undefined;
    return word === 'true' || word === 'false' ? word : undefined;
  }
  if (!textTypes.has(sourceType) && !keyTypes.has(sourceType)) return undefined;
  const text = tokens.length === 1 ? plainLiteral(tokens[0]) : undefined;
  return text === undefined ? undefined : encodedText(text);
}

/** A text as a value of an encoded query; undefined for one that the platform would interpret. */
function encodedText(text: string): string | undefined {
  const isPlain = text !== '' && text === text.trim() && !/^(?:javascript:|null$|[=<>!*%@])/i.test(text);
  // eslint-disable-next-line no-control-regex -- the pattern matches control characters
  return isPlain && !/[\u0000-\u001f]/.test(text) ? text.replaceAll('^', '^^') : undefined;
}

/** A column of the data object at the start of the tokens, with or without alias. */
function columnAt(tokens: Tokens, scope: Scope): { readonly column: Column; readonly rest: Tokens } | undefined {
  const isName = (token: SqlToken | undefined): boolean => token?.kind === 'word' || token?.kind === 'quoted';
  const [first, dot, second] = tokens;
  const isQualified = dot?.text === '.';
  const name = isQualified ? second : first;
  if (!isName(first) || !isName(name) || name === undefined || first === undefined) return undefined;
  if (isQualified && identifierKey(first.text, 'duckdb') !== scope.alias) return undefined;
  const column = scope.columns.get(identifierKey(name.text, 'duckdb'));
  return column && { column, rest: tokens.slice(isQualified ? 3 : 1) };
}

/** The operator at the start of the tokens. */
function operatorText(tokens: Tokens): string {
  const end = tokens.findIndex(({ text }) => !/^[<>=!]$/.test(text));
  return (end < 0 ? tokens : tokens.slice(0, end)).map(({ text }) => text).join('');
}
