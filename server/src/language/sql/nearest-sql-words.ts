import type { SqlDialect } from '../../catalog/catalog.ts';
import { nearestNames } from '../../model/nearest-name.ts';
import { completionOf } from './sql-keywords.ts';

/** Keywords similar to an unknown word, in its letter case; none for a keyword. */
export function nearestSqlWords(word: string, dialect: SqlDialect | undefined): readonly string[] {
  const upper = word.toUpperCase();
  const { conditionWords, joinWords } = completionOf(dialect);
  const words = new Set([...conditionWords, ...joinWords].flatMap((each) => each.split(' ')));
  if (!/^[A-Z]{3,}$/.test(upper) || words.has(upper)) return [];
  const nearest = nearestNames(upper, words);
  return word === upper ? nearest : nearest.map((each) => each.toLowerCase());
}
