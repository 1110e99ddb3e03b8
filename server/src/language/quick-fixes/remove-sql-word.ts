import type { QuickFix } from './quick-fix.ts';
import { sqlFix, sqlOf } from './sql-of.ts';

/** Removes a leading keyword that the generated SQL already contains, or a dangling AND or OR. */
export const removeSqlWord: QuickFix = {
  codes: ['sql-syntax'],
  fixes({ range }, { parsed }) {
    const sql = sqlOf(parsed.graph).find((each) => each.range.start <= range.start && range.end <= each.range.end);
    const word = parsed.yaml.text.slice(range.start, range.end);
    const from = sql?.sourceOffsets.indexOf(range.start) ?? -1;
    if (!sql || from < 0 || !sql.value.startsWith(word, from)) return [];
    const [before, after] = [sql.value.slice(0, from), sql.value.slice(from + word.length)];
    const title = `Remove "${word}"`;
    const sourceOf = (at: number): number => sql.sourceOffsets[at] ?? range.end;
    // In a plain scalar, the rest must not start with a YAML indicator.
    const begins = /["'|>]/.test(parsed.yaml.text[sql.range.start] ?? '') ? /^\s+\S/ : /^\s+[\w(]/;
    if (/^where$/i.test(word) && before.trim() === '' && begins.test(after)) {
      const end = sourceOf(from + word.length + after.search(/\S/));
      return sqlFix(title, parsed.yaml, { range: { start: range.start, end }, newText: '' });
    }
    if (/^(?:and|or)$/i.test(word) && after.trim() === '' && /\S\s+$/.test(before)) {
      const start = sourceOf(before.trimEnd().length - 1) + 1;
      return sqlFix(title, parsed.yaml, { range: { start, end: range.end }, newText: '' });
    }
    return [];
  },
};
