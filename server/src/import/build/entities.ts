import { type GraphShape, rowsTable } from './rows.ts';
import type { StagedElement } from './staged-element.ts';

/** One entity per distinct entity type and key over all elements; ids are ordered by type and key. */
export function createEntitiesSql(elements: readonly StagedElement[], { dialect }: GraphShape): string {
  const { sortedText } = dialect.build;
  const keys = elements.map(
    (element) =>
      `SELECT DISTINCT ${dialect.literals.text(element.plan.entityType)} AS entity_type, key FROM ${rowsTable(element)} WHERE key IS NOT NULL`,
  );
  return `CREATE TABLE ${dialect.graph}.entity AS
    SELECT row_number() OVER (ORDER BY ${sortedText('entity_type')}, ${sortedText('key')}) AS id, entity_type, key FROM (${keys.join('\nUNION\n')}) AS keys`;
}
