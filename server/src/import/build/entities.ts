import { type StagedMasterData, entityRowsTable } from './master-data.ts';
import type { LinkedKeys } from './row-correlations.ts';
import { type GraphShape, rowsTable } from './rows.ts';
import type { StagedElement } from './staged-element.ts';

/** Everything that makes entities. */
export interface EntityMakers {
  readonly elements: readonly StagedElement[];
  readonly entities: readonly StagedMasterData[];
  readonly linked: readonly LinkedKeys[];
}

/**
 * One entity for each distinct entity type and key; ids follow type and key. Only makers of one type can have keys in
 * common. An engine that keeps row order numbers sorted rows in half the time of a window.
 */
export function createEntitiesSql(makers: EntityMakers, { dialect }: GraphShape): string {
  const { keepsRowOrder, sortedText } = dialect.build;
  const sources = makersOfEntities(makers);
  const types = [...new Set(sources.map(({ entityType }) => entityType))];
  const keysByType = types.map((type) => {
    const ofType = sources
      .filter(({ entityType }) => entityType === type)
      .map(({ from }) => `SELECT DISTINCT ${dialect.literals.text(type)} AS entity_type, key FROM ${from}`);
    return ofType.length > 1
      ? `SELECT entity_type, key FROM (${ofType.join('\nUNION\n')}) AS same_type`
      : ofType.join();
  });
  const order = `ORDER BY ${sortedText('entity_type')}, ${sortedText('key')}`;
  const keys = `(${keysByType.join('\nUNION ALL\n')}) AS keys`;
  return `CREATE TABLE ${dialect.graph}.entity AS
    ${
      keepsRowOrder
        ? `SELECT row_number() OVER () AS id, entity_type, key FROM (SELECT entity_type, key FROM ${keys} ${order}) AS sorted`
        : `SELECT row_number() OVER (${order}) AS id, entity_type, key FROM ${keys}`
    }`;
}

/** A relation of keys, as SQL behind FROM, and their entity type. */
export interface KeysOfType {
  readonly entityType: string;
  readonly from: string;
}

/** The relations of keys. */
export function makersOfEntities({ elements, entities, linked }: EntityMakers): readonly KeysOfType[] {
  return [
    ...elements
      .filter(({ plan }) => plan.ownEntity)
      .map((element) => ({
        entityType: element.plan.entityType,
        from: `${rowsTable(element)} WHERE key IS NOT NULL`,
      })),
    ...entities.map((entry) => ({ entityType: entry.plan.entityType, from: entityRowsTable(entry) })),
    ...linked.map(({ correlation, from }) => ({
      entityType: correlation.plan.entityType,
      from: `${from} AS linked`,
    })),
  ];
}
