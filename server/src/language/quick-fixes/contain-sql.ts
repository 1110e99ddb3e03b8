import type { QuickFix } from './quick-fix.ts';
import { sqlFix, sqlOf } from './sql-of.ts';

/** Closes a parenthesis after the last word of custom SQL, or removes the character that ends the statement. */
export const containSql: QuickFix = {
  codes: ['sql-not-contained'],
  fixes({ range }, { parsed }) {
    const sign = parsed.yaml.text.slice(range.start, range.end);
    if (sign === ';' || sign === ')') return sqlFix(`Remove "${sign}"`, parsed.yaml, { range, newText: '' });
    const sql = sqlOf(parsed.graph).find((each) => each.range.start <= range.start && range.end <= each.range.end);
    const last = sql && sql.value.trimEnd().length - 1;
    if (sign !== '(' || !sql || last === undefined || /--[^\n]*$/.test(sql.value.trimEnd())) return [];
    const at = (sql.sourceOffsets[last] ?? 0) + 1;
    return sqlFix('Close the parenthesis', parsed.yaml, { range: { start: at, end: at }, newText: ')' });
  },
};
