import { type StagedMasterData, entityRowsTable } from './master-data.ts';
import type { LinkedKeys } from './row-correlations.ts';
import { type GraphShape, rowsTable } from './rows.ts';
import type { StagedElement } from './staged-element.ts';

/** Whatever makes entities. */
interface EntityMakers {
  readonly elements: readonly StagedElement[];
  readonly entities: readonly StagedMasterData[];
  readonly linked: readonly LinkedKeys[];
}

/** One entity for each distinct entity type and key over all that makes entities; ids follow type and key. */
export function createEntitiesSql({ elements, entities, linked }: EntityMakers, { dialect }: GraphShape): string {
  const { sortedText } = dialect.build;
  const keysOf = (entityType: string, from: string): string =>
    `SELECT DISTINCT ${dialect.literals.text(entityType)} AS entity_type, key FROM ${from}`;
  const keys = [
    ...elements
      .filter(({ plan }) => plan.ownEntity)
      .map((element) => `${keysOf(element.plan.entityType, rowsTable(element))} WHERE key IS NOT NULL`),
    ...entities.map((entry) => keysOf(entry.plan.entityType, entityRowsTable(entry))),
    ...linked.map(({ correlation, from }) => keysOf(correlation.plan.entityType, `${from} AS linked`)),
  ];
  return `CREATE TABLE ${dialect.graph}.entity AS
    SELECT row_number() OVER (ORDER BY ${sortedText('entity_type')}, ${sortedText('key')}) AS id, entity_type, key FROM (${keys.join('\nUNION\n')}) AS keys`;
}
