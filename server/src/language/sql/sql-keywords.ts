import type { SqlDialect } from '../../catalog/catalog.ts';
import type { Completion, Dialect } from '../../dialects/dialect.ts';
import { allDialects, dialectNamed } from '../../dialects/index.ts';
import { commonCompletion } from '../../dialects/standard/completion.ts';

/** Functions and keywords of a dialect; of all dialects if unknown. */
export function completionOf(dialect: SqlDialect | undefined): Completion {
  return dialect === undefined ? commonCompletion : dialectNamed(dialect).completion;
}

/** Whether a word is a keyword in some dialect, so that it is not a column name. */
export function isKeyword(word: string): boolean {
  const dialects = allDialects();
  if (keywords?.dialects !== dialects) keywords = { dialects, words: wordsOf(dialects) };
  return keywords.words.has(word.toUpperCase());
}

/** Cached, because every token of a file is looked up. */
let keywords: { readonly dialects: readonly Dialect[]; readonly words: ReadonlySet<string> } | undefined;

function wordsOf(dialects: readonly Dialect[]): ReadonlySet<string> {
  const all = dialects.flatMap(({ completion }) => [...completion.conditionWords, ...completion.joinWords]);
  return new Set([...all, moreWords].flatMap((words) => words.split(' ')));
}

const moreWords =
  'ASC DESC NULLS FIRST LAST OUTER NATURAL UNION EXCEPT INTERSECT ALL SOME ESCAPE WITH VALUES ROWS BY IS';
