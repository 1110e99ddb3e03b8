import { inOrder } from './code-types.ts';
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
 * common. An engine that keeps row order sorts the keys of each type on their own, in two thirds of the time that types
 * and keys take together, and numbers sorted rows in half the time of a window.
 */
export function createEntitiesSql(makers: EntityMakers, { dialect }: GraphShape): string {
  const { keepsRowOrder, sortedText } = dialect.build;
  const { text } = dialect.literals;
  const sources = makersOfEntities(makers);
  const types = [...new Set(sources.map(({ entityType }) => entityType))];
  const distinctRows = (type: string, columns: string, names: string): string => {
    const ofType = sources
      .filter(({ entityType }) => entityType === type)
      .map(({ from }) => `SELECT DISTINCT ${columns} FROM ${from}`);
    return ofType.length > 1 ? `SELECT ${names} FROM (${ofType.join('\nUNION\n')}) AS same_type` : ofType.join();
  };
  const create = `CREATE TABLE ${dialect.graph}.entity AS`;
  if (keepsRowOrder) {
    const sorted = inOrder(types).map((type) => {
      const keys = distinctRows(type, 'key', 'key');
      return `SELECT ${text(type)} AS entity_type, key FROM (SELECT key FROM (${keys}) AS keys ORDER BY ${sortedText('key')}) AS sorted`;
    });
    return `${create}
    SELECT row_number() OVER () AS id, entity_type, key FROM (${sorted.join('\nUNION ALL\n')}) AS typed`;
  }
  const keys = types.map((type) => distinctRows(type, `${text(type)} AS entity_type, key`, 'entity_type, key'));
  return `${create}
    SELECT row_number() OVER (ORDER BY ${sortedText('entity_type')}, ${sortedText('key')}) AS id, entity_type, key FROM (${keys.join('\nUNION ALL\n')}) AS keys`;
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
