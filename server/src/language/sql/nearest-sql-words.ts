import type { SqlDialect } from '../../catalog/catalog.ts';
import { nearestNames } from '../../model/nearest-name.ts';
import { conditionWords, joinWords } from './sql-keywords.ts';

/** Words of SQL that look like one that means nothing, in its letter case; none when it is one itself. */
export function nearestSqlWords(word: string, dialect: SqlDialect | undefined): readonly string[] {
  const upper = word.toUpperCase();
  const words = new Set([...conditionWords(dialect), ...joinWords(dialect)].flatMap((each) => each.split(' ')));
  if (!/^[A-Z]{3,}$/.test(upper) || words.has(upper)) return [];
  const nearest = nearestNames(upper, words);
  return word === upper ? nearest : nearest.map((each) => each.toLowerCase());
}
