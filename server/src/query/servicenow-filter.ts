import type { Column } from '../catalog/catalog.ts';
import { isOfMoney } from './servicenow-money.ts';
import { identifierKey } from './sql-names.ts';
import { sqlMoment, type SqlMoment, type TimeSpan } from './sql-moment.ts';
import type { SqlToken } from './sql-tokens.ts';
import {
  isWord,
  plainLiteral,
  significant,
  split,
  splitAt,
  textOf,
  withoutParentheses,
  type Tokens,
} from './token-lists.ts';

/** When a filter is used: conditions that move with the time hold for all of it. */
export interface FilterPeriod {
  /** Milliseconds since the epoch. */
  readonly from: number;
  /** How long it may be in use, milliseconds. */
  readonly forMs: number;
}

/** As long as an import may take. */
export const filterForMs = 86_400_000;

/**
 * Translates the parts of an SQL condition that are joined by AND, as far as they certainly let no row through less than
 * SQL would: the platform compares texts without case and reads literal times in a zone of its own choice, and the whole
 * condition is checked again on what it sends. Column types are told by `sourceType`.
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
    // Nobody says how long an address may be.
    const isShort = [...encoded, ...(terms ?? [])].join('^').length <= longestFilter;
    if (terms && isShort) encoded.push(...terms);
    else local.push(textOf(part, sql));
  }
  return { encoded, local };
}

/** The filters of all places that read a data object, as the platform can filter by them. */
export interface TranslatedFilters {
  /** Encoded queries of which a row must meet one to be needed; empty when any row may be. */
  readonly branches: readonly string[];
  /** Conditions, as written, of which the platform knows nothing. */
  readonly local: readonly string[];
}

/** Translates filters. Many are more than an address can hold: what all of them have in common is then asked for. */
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

/** A condition that selects records by values of a column; undefined when the platform might take them for something else. */
export function keyCondition({ name, sourceType = '' }: Column, values: readonly string[]): string | undefined {
  const encoded = values.map((value) => {
    if (integerTypes.has(sourceType)) return /^-?\d{1,18}$/.test(value) ? value : undefined;
    const isText = textTypes.has(sourceType) || keyTypes.has(sourceType);
    return isText && !value.includes(',') ? encodedText(value) : undefined;
  });
  return encoded.every((value) => value !== undefined) ? `${name}IN${encoded.join(',')}` : undefined;
}

const longestFilter = 1500;

/** Characters of all branches: with a long list of fields, and written for an address, they stay within the 8 KB of many servers. */
const longestQuery = 3000;

/** What every branch repeats of the place of a page. */
const repeatedLength = 80;

interface Scope {
  readonly sql: string;
  readonly period: FilterPeriod;
  readonly alias: string;
  readonly columns: ReadonlyMap<string, Column>;
}

/** Conditions that must all hold, or undefined when the part cannot be translated. */
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
  // The platform's OR joins single conditions only.
  const single = terms.flatMap((each) => (each?.length === 1 && each[0] !== undefined ? [each[0]] : []));
  return single.length === choices.length ? [single.join('^OR')] : undefined;
}

/** One comparison. Most give one condition, ranges two. */
function translateCondition(tokens: Tokens, scope: Scope): readonly string[] | undefined {
  const isNegated = isWord(tokens[0], 'not');
  const named = columnAt(isNegated ? tokens.slice(1) : tokens, scope);
  if (!named) return isNegated ? undefined : translateFlipped(tokens, scope);
  const { column, rest } = named;
  const { name, sourceType } = column;
  // What an instance makes of fields of child classes in a filter is not certain.
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

/** A comparison with the column behind it, as `now() - INTERVAL 7 DAY < opened_at`. */
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

/** The comparison that signs stand for, in the platform's spelling. */
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

/** A comma in a value cannot be told from the ones between values, so each gets a condition of its own then. */
function translateIn(column: Column, tokens: Tokens): readonly string[] | undefined {
  if (tokens[0]?.text !== '(' || tokens.at(-1)?.text !== ')') return undefined;
  const values = splitAt(tokens.slice(1, -1), ',').map((each) => exactValue(column, each));
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0 || known.length !== values.length) return undefined;
  if (known.some((value) => value.includes(','))) return [known.map((value) => `${column.name}=${value}`).join('^OR')];
  return [`${column.name}IN${known.join(',')}`];
}

/** Text operators on a reference would look at what it shows, not at its key. */
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
  // Texts are compared without case and by a collation that nobody tells.
  return integerTypes.has(sourceType) && ['!=', '<', '<=', '>', '>='].includes(operator)
    ? [`${name}${operator}${value}`]
    : undefined;
}

/** Whether literal times are UTC or in the zone of the user is not certain: two more zones' worth of rows costs little. */
const marginMs = 26 * 3_600_000;

/** Clocks may be set meanwhile, and a month that has just begun for one of them has not for another. */
const clockMs = 15 * 3_600_000;

const dayMs = 86_400_000;

/**
 * Bounds of a time that SQL compares with. Those that move with the time hold from before the filter is used until after, and are
 * those of whole days: the filter is then the same for a day.
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
    // Years of other lengths are written in ways that the platform does not know.
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

/** Milliseconds: further times than this are none of JavaScript's. */
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

/** A literal that a column of this type can be equal to, as the platform writes it. */
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

/** The text as a value of an encoded query; undefined for one that the platform would take for something else. */
function encodedText(text: string): string | undefined {
  const isPlain = text !== '' && text === text.trim() && !/^(?:javascript:|null$|[=<>!*%@])/i.test(text);
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return isPlain && !/[\u0000-\u001f]/.test(text) ? text.replaceAll('^', '^^') : undefined;
}

/** A column of the data object at the beginning of tokens, bare or behind its alias. */
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

/** The signs at the beginning, which the tokens give one by one. */
function operatorText(tokens: Tokens): string {
  const end = tokens.findIndex(({ text }) => !/^[<>=!]$/.test(text));
  return (end < 0 ? tokens : tokens.slice(0, end)).map(({ text }) => text).join('');
}
