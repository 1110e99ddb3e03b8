import type { SqlLexis } from '../dialects/standard/lexis.ts';
import { type SqlToken, sqlTokens } from '../query/sql-tokens.ts';

/** A name with a qualifier in the SQL of a rule or a measure, such as `event.time` or `"order".amount`. */
export interface SqlName {
  readonly qualifier: SqlToken;
  /** `*` for all columns. */
  readonly name: SqlToken;
  readonly start: number;
  readonly end: number;
}

/** Names of an entity, and of an event, that are no properties (docs/semantics.md#172-expectations). */
export const namesOfEntities = ['key', 'events', 'first', 'last'] as const;
export const namesOfEvents = ['time', 'activity'] as const;

/** The aggregates of DuckDB that are no window functions, and those that only PostgreSQL and Trino have. */
export const aggregates: ReadonlySet<string> = new Set(
  `any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_max_nulls_last arg_min
  arg_min_null arg_min_nulls_last argmax argmin array_agg avg bit_and bit_or bit_xor bitstring_agg bool_and bool_or corr
  count count_if count_star countif covar_pop covar_samp entropy favg first fsum geometric_mean group_concat histogram
  histogram_exact kahan_sum kurtosis kurtosis_pop last list listagg mad max max_by mean median min min_by mode product
  quantile quantile_cont quantile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy
  regr_syy reservoir_quantile sem skewness stddev stddev_pop stddev_samp string_agg sum sum_no_overflow sumkahan var_pop
  var_samp variance approx_distinct approx_percentile bitwise_and_agg bitwise_or_agg every json_agg jsonb_agg map_agg
  percentile_cont percentile_disc`.split(/\s+/),
);

/** Aggregates that are 0 without entities. */
export const counts: ReadonlySet<string> = new Set(
  'count count_if count_star countif approx_count_distinct approx_distinct regr_count'.split(' '),
);

/** A call of an aggregate, with FILTER and WITHIN GROUP. */
interface AggregateCall {
  /** In lower case. */
  readonly function: string;
  readonly start: number;
  readonly end: number;
  /** Over a window, so that each row has a value. */
  readonly isWindow: boolean;
}

export function wordsOf(sql: string, lexis: SqlLexis): readonly SqlToken[] {
  return sqlTokens(sql, lexis).filter(({ kind }) => kind !== 'comment');
}

/** The names with a qualifier, in order. Calls of functions of a schema are none. */
export function sqlNamesIn(tokens: readonly SqlToken[]): readonly SqlName[] {
  return tokens.flatMap((qualifier, index) => {
    const [dot, name, next] = tokens.slice(index + 1, index + 4);
    if (!isName(qualifier) || !isSign(dot, '.') || !name || !(isName(name) || isSign(name, '*'))) return [];
    if (isSign(tokens[index - 1], '.') || isSign(next, '(') || isSign(next, '.')) return [];
    return [{ qualifier, name, start: qualifier.start, end: name.end }];
  });
}

/** Whether a text is one name with a qualifier, or one aggregate. */
export function isOneName(text: string, lexis: SqlLexis): boolean {
  const tokens = wordsOf(text, lexis);
  const named = [...sqlNamesIn(tokens), ...aggregateCallsIn(tokens)];
  return named.some(({ start, end }) => start === 0 && end === text.length);
}

/** The calls of aggregates that are in no other one. */
export function aggregateCallsIn(tokens: readonly SqlToken[]): readonly AggregateCall[] {
  const calls: AggregateCall[] = [];
  for (const [index, token] of tokens.entries()) {
    const name = token.text.toLowerCase();
    if (!isName(token) || !aggregates.has(name) || !isSign(tokens[index + 1], '(')) continue;
    if (isSign(tokens[index - 1], '.') || token.start < (calls.at(-1)?.end ?? 0)) continue;
    const call = endOfCall(tokens, index + 1);
    if (call) calls.push({ function: name, start: token.start, ...call });
  }
  return calls;
}

function endOfCall(tokens: readonly SqlToken[], opening: number): Pick<AggregateCall, 'end' | 'isWindow'> | undefined {
  let last = endOfBrackets(tokens, opening);
  while (last !== undefined) {
    const next = isWord(tokens[last + 1], 'within') ? last + 2 : last + 1;
    const isMore = isWord(tokens[next], 'filter') || (next === last + 2 && isWord(tokens[next], 'group'));
    const end: number | undefined = isMore ? endOfBrackets(tokens, next + 1) : undefined;
    if (end === undefined) break;
    last = end;
  }
  const token = last === undefined ? undefined : tokens[last];
  return token && { end: token.end, isWindow: isWord(tokens[(last ?? 0) + 1], 'over') };
}

/** Names that the SQL itself gives, in lower case: parameters of lambda functions, of comprehensions, and aliases. */
export function localNamesIn(tokens: readonly SqlToken[]): ReadonlySet<string> {
  const names = tokens.flatMap((token, index): readonly (SqlToken | undefined)[] => {
    if (isArrow(tokens, index)) {
      const before = index - 1;
      return isSign(tokens[before], ')') ? namesBefore(tokens, before) : [tokens[before]];
    }
    if (isWord(token, 'lambda') || isWord(token, 'for')) return namesFrom(tokens, index + 1);
    const isAlias = isWord(token, 'as') || isSign(token, ')') || isWord(tokens[index - 1], 'from', 'join');
    if (!isAlias || !isName(tokens[index + 1])) return [];
    const columns = isSign(tokens[index + 2], '(') ? namesFrom(tokens, index + 3, ')') : [];
    return [tokens[index + 1], ...columns];
  });
  return new Set(names.flatMap((token) => (isName(token) ? [token.text.toLowerCase()] : [])));
}

/** `->` of a lambda function: what a path of JSON is, is a literal. */
function isArrow(tokens: readonly SqlToken[], index: number): boolean {
  const [token, next, after] = tokens.slice(index, index + 3);
  if (!isSign(token, '-') || !isSign(next, '>') || next?.start !== token?.end) return false;
  return after?.kind !== 'literal' && !isSign(after, '>');
}

function namesBefore(tokens: readonly SqlToken[], closing: number): readonly SqlToken[] {
  const opening = tokens.slice(0, closing).findLastIndex((token) => isSign(token, '('));
  return opening < 0 ? [] : tokens.slice(opening + 1, closing);
}

/** Names with commas between. @param end the sign that must follow */
function namesFrom(tokens: readonly SqlToken[], start: number, end?: string): readonly SqlToken[] {
  const names: SqlToken[] = [];
  for (let index = start; ; index += 2) {
    const [name, comma] = tokens.slice(index, index + 2);
    if (!isName(name)) return end === undefined ? names : [];
    names.push(name);
    if (isSign(comma, ',')) continue;
    return end === undefined || isSign(comma, end) ? names : [];
  }
}

/**
 * Names without a qualifier that may be properties: no function, type, unit, argument, alias or part of another name.
 * @param words those that are none without quotes
 */
export function bareNamesIn(tokens: readonly SqlToken[], words: ReadonlySet<string>): readonly SqlToken[] {
  const locals = localNamesIn(tokens);
  return tokens.filter((token, index) => {
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (!isName(token) || locals.has(token.text.toLowerCase())) return false;
    if (isSign(before, '.', ':') || isSign(after, '.', '(') || isWord(before, 'collate')) return false;
    if ((isSign(after, ':') || isSign(after, '=')) && isSign(tokens[index + 2], '=', '>')) return false;
    if (isAfterAs(tokens, index)) return false;
    if (token.kind === 'quoted') return true;
    if (before?.kind === 'literal' || after?.kind === 'literal') return false;
    if (isWord(before, 'nulls') || (isSign(before, '(') && isWord(tokens[index - 2], 'extract'))) return false;
    return !words.has(token.text.toLowerCase());
  });
}

/** Such as the words of a type in a cast. */
function isAfterAs(tokens: readonly SqlToken[], index: number): boolean {
  for (const token of tokens.slice(0, index).toReversed()) {
    if (isWord(token, 'as')) return true;
    if (!isName(token)) return false;
  }
  return false;
}

export function isName(token: SqlToken | undefined): token is SqlToken {
  return token?.kind === 'word' || token?.kind === 'quoted';
}

export function isSign(token: SqlToken | undefined, ...signs: readonly string[]): boolean {
  return token?.kind === 'symbol' && signs.includes(token.text);
}

export function isWord(token: SqlToken | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toLowerCase());
}

/** The place of the closing bracket. */
function endOfBrackets(tokens: readonly SqlToken[], opening: number): number | undefined {
  let depth = 0;
  for (let index = opening; index < tokens.length; index += 1) {
    if (isSign(tokens[index], '(')) depth += 1;
    else if (isSign(tokens[index], ')')) depth -= 1;
    if (depth === 0) return index;
  }
  return undefined;
}
