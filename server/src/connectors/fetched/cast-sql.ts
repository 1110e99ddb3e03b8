import { isFineTimeSql } from '../../dialects/standard/fine-times.ts';

/** SQL that converts a text to a DuckDB type; fails when information would be lost. */
export function castSql(text: string, type: string): string {
  const lossy = lossySql(text, type);
  return lossy === undefined ? cast(text, type) : `CASE WHEN ${lossy} THEN error('lossy') ELSE ${cast(text, type)} END`;
}

/** Like `castSql`, but NULL for texts that do not fit the type. */
export function tryCastSql(text: string, type: string): string {
  const value = cast(text, type).replaceAll(/\bCAST\(/g, 'TRY_CAST(');
  const lossy = lossySql(text, type);
  return lossy === undefined ? value : `CASE WHEN ${lossy} THEN NULL ELSE ${value} END`;
}

function cast(text: string, type: string): string {
  switch (type) {
    case 'VARCHAR':
      return text;
    case 'BIGINT':
      // Durations are times since 1970.
      return `CASE WHEN ${text} LIKE '____-__-__ __:__:__' THEN CAST(epoch(CAST(${text} AS TIMESTAMP)) AS BIGINT) ELSE CAST(${text} AS BIGINT) END`;
    case 'TIME':
      return `CASE WHEN contains(${text}, '-') THEN CAST(CAST(${text} AS TIMESTAMP) AS TIME) ELSE CAST(${text} AS TIME) END`;
    default:
      return `CAST(${text} AS ${type})`;
  }
}

/** A decimal text, without exponent, whose digits are not those of the shortest text of its double. */
function isRoundedSql(text: string, number: string): string {
  const isLong = `length(${text}) > 16 AND regexp_full_match(${text}, '\\s*[+-]?[0-9]*[.]?[0-9]*\\s*')`;
  return `CASE WHEN ${isLong} THEN ${digitsSql(text)} <> ${digitsSql(`CAST(${number} AS VARCHAR)`)} ELSE false END`;
}

function digitsSql(text: string): string {
  return `trim(regexp_replace(${text}, '[eE].*$|[^0-9]', '', 'g'), '0')`;
}

/** DuckDB silently drops parts of some texts: the fraction of a number, the time after a date, the offset of a time, its digits below microseconds. */
function lossySql(text: string, type: string): string | undefined {
  const number = `TRY_CAST(${text} AS DOUBLE)`;
  switch (type) {
    case 'BIGINT':
      return `(contains(${text}, '.') OR contains(${text}, 'e')) AND ${number} <> round(${number})`;
    case 'DOUBLE':
      return `isinf(${number}) AND NOT contains(lower(${text}), 'inf') OR ${isRoundedSql(text, number)}`;
    case 'DATE':
      return `TRY_CAST(${text} AS TIMESTAMP) IS DISTINCT FROM CAST(TRY_CAST(${text} AS DATE) AS TIMESTAMP)`;
    case 'TIME':
      return `NOT regexp_full_match(${text}, '([0-9]{4}-[0-9]{2}-[0-9]{2} )?[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6}0*)?)?')`;
    case 'TIMESTAMP':
      return `contains(${text}, '+') OR ${text} LIKE '%:%-%' OR ends_with(${text}, 'Z') OR ${isFineTimeSql(text)}`;
    case 'TIMESTAMP WITH TIME ZONE':
    case 'TIMESTAMPTZ':
      return isFineTimeSql(text);
    default: {
      const [, scale] = /^DECIMAL\(\d+,\s*(\d+)\)$/.exec(type) ?? [];
      return scale === undefined ? undefined : `regexp_matches(${text}, '[.][0-9]{${scale}}[0-9]*[1-9]')`;
    }
  }
}
