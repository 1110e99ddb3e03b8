import { createHash } from 'node:crypto';
import { factsFile } from '../../files/facts-file.ts';
import { readUserCache, writeUserCache } from '../../files/user-cache-file.ts';
import type { SqlMistake, SqlQuestion, SqlTable } from '../../language/sql/sql-validator.ts';
import { tableShape } from '../../sql/background-validator.ts';

/** What an earlier run of the program learnt of the SQL of an entity graph, so that it need not load the engine again. */
export interface EarlierAnswers {
  of(question: SqlQuestion): readonly SqlMistake[] | undefined;
  remember(question: SqlQuestion, answer: readonly SqlMistake[]): void;
  /** Writes the answers to this run's questions for the next one, if there are new ones. Never throws. */
  keep(): void;
}

type Answer = readonly [question: string, answer: readonly SqlMistake[]];

/**
 * @param graph absolute path
 * @param program its file: another version may bring another engine
 */
export function earlierAnswers(
  graph: string,
  program: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): EarlierAnswers | undefined {
  const cache = factsFile({ kind: 'sql', about: [graph], program }, environment);
  if (!cache) return undefined;
  const bytes = readUserCache(cache);
  // A cache file is trusted: it has a digest of its content, and only this program writes it.
  const earlier = new Map(bytes && (JSON.parse(bytes.toString('utf8')) as readonly Answer[]));
  const asked = new Map<string, readonly SqlMistake[]>();
  let isNew = false;
  return {
    of(question) {
      const key = keyOf(question);
      const answer = earlier.get(key);
      if (answer) asked.set(key, answer);
      return answer;
    },
    remember(question, answer) {
      asked.set(keyOf(question), answer);
      isNew = true;
    },
    keep() {
      if (isNew) writeUserCache(cache, Buffer.from(JSON.stringify([...asked])));
      isNew = false;
    },
  };
}

/** Equal only for questions with the same answer. */
function keyOf({ statement, tables, gives }: SqlQuestion): string {
  const hash = createHash('sha256').update(JSON.stringify([statement, gives, tables !== undefined]));
  for (const table of tables ?? []) hash.update(shapeOf(table));
  return hash.digest('base64');
}

/** Tables recur, and may have hundreds of columns. */
const shapes = new WeakMap<SqlTable, string>();

function shapeOf(table: SqlTable): string {
  const known = shapes.get(table);
  if (known !== undefined) return known;
  const shape = tableShape(table);
  shapes.set(table, shape);
  return shape;
}
