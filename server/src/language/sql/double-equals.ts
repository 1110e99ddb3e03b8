import type { LocatedSql } from '../../model/source-range.ts';
import type { Problem } from '../../model/problem.ts';
import { sqlTokens } from '../../query/sql-tokens.ts';

/** `==` of other languages, which PostgreSQL parses as a user-defined operator. @param engine display name */
export function doubleEquals(sql: LocatedSql | undefined, engine: string): readonly Problem[] {
  if (!sql?.value.includes('==')) return [];
  return sqlTokens(sql.value).flatMap(({ kind, start, text }) => {
    const isAlone = kind === 'symbol' && text === '=' && operatorAt(sql.value, start) === '==';
    const range = {
      start: sql.sourceOffsets[start] ?? sql.range.start,
      end: sql.sourceOffsets[start + 2] ?? sql.range.end,
    };
    return isAlone && !isOperatorSign(sql.value[start - 1])
      ? {
          code: 'sql-error',
          severity: 'warning',
          range,
          suggestions: ['='],
          isVerbatim: true,
          message: `${engine} has no operator "==". Did you mean "="?`,
        }
      : [];
  });
}

function operatorAt(sql: string, start: number): string {
  let end = start;
  while (isOperatorSign(sql[end])) end += 1;
  return sql.slice(start, end);
}

function isOperatorSign(sign: string | undefined): boolean {
  return sign !== undefined && '+-*/<>=~!@#%^&|`?'.includes(sign);
}
