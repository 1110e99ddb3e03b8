import { relatedToEntity } from '../model/related-types.ts';
import { graphJudged } from '../process-rules/read-rule.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { severalMessage } from '../rule-kinds/named-uses.ts';
import { relatedUsesIn, sqlNameMistake } from '../rule-kinds/named-values-sql.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { QuestionError } from './question-error.ts';

/**
 * Refuses SQL over entities with names that mean nothing, such as those of a type that no relationship joins to theirs,
 * and those of several entities without an aggregate,
 * with `QuestionError`. Rejects as the store does. @param entityType that of the entities, if it is one
 */
export async function refuseUnknownNames(
  texts: readonly string[],
  entityType: string | undefined,
  graph: JudgedGraphTables,
  store: StoreReader,
  options: StatementOptions,
): Promise<void> {
  for (const sql of texts) {
    const mistake = sqlNameMistake(sql, 'entity', graph);
    if (mistake !== undefined) throw new QuestionError(`${sql}: ${mistake}`);
  }
  const named = texts.map((sql) => ({ sql, uses: relatedUsesIn(sql, 'entity', graph) }));
  if (entityType === undefined || named.every(({ uses }) => uses.length === 0)) return;
  const imported = await graphJudged(store, undefined, options);
  // A graph of another tool has no text.
  if (imported.elements.length === 0) return;
  const subject = `An entity of the type "${entityType}"`;
  for (const { sql, type, aggregate } of named.flatMap(({ sql, uses }) =>
    uses.flatMap(({ types, aggregate }) => types.map((type) => ({ sql, type, aggregate }))),
  )) {
    const number = relatedToEntity(entityType, type, imported);
    if (number === 'several' && aggregate === undefined)
      throw new QuestionError(`${sql}: ${severalMessage(subject, type)}`);
    if (number !== 'none') continue;
    throw new QuestionError(
      `${sql}: ${subject} is related to none of the type "${type}".`,
      'Add a relationship to the file and import it, or choose another --entity-type.',
    );
  }
}
