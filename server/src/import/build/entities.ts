import { quoteLiteral } from '../../query/quote.ts';
import { rowsTable } from './rows.ts';
import type { StagedElement } from './staged-element.ts';

/** One entity for each distinct entity type and key over all elements; ids follow type and key. */
export function createEntitiesSql(elements: readonly StagedElement[]): string {
  const keys = elements.map(
    (element) =>
      `SELECT DISTINCT ${quoteLiteral(element.plan.entityType, 'duckdb')} AS entity_type, key FROM ${rowsTable(element)} WHERE key IS NOT NULL`,
  );
  return `CREATE TABLE graph.entity AS
    SELECT row_number() OVER (ORDER BY entity_type, key) AS id, entity_type, key FROM (${keys.join('\nUNION\n')})`;
}
