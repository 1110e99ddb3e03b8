import { inOrder } from './code-types.ts';
import { type StagedMasterData, entityRowsTable } from './master-data.ts';
import type { LinkedKeys } from './row-correlations.ts';
import type { BuildDialect } from './build-dialect.ts';
import { type GraphShape, rowsTable } from './rows.ts';
import type { StagedElement } from './staged-element.ts';

/** Everything that makes entities. */
interface EntityMakers {
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
  const sources = makersOfEntities(makers);
  const create = `CREATE TABLE ${dialect.graph}.entity AS`;
  if (keepsRowOrder) {
    const sorted = inOrder(typesOf(sources)).map(
      (type) =>
        `SELECT ${dialect.literals.text(type)} AS entity_type, key FROM (SELECT key FROM (${distinctRowsSql(sources, type, 'key', 'key')}) AS keys ORDER BY ${sortedText('key')}) AS sorted`,
    );
    return `${create}
    SELECT row_number() OVER () AS id, entity_type, key FROM (${sorted.join('\nUNION ALL\n')}) AS typed`;
  }
  return `${create}
    SELECT row_number() OVER (ORDER BY ${sortedText('entity_type')}, ${sortedText('key')}) AS id, entity_type, key FROM (${distinctKeysSql(sources, dialect)}) AS keys`;
}

/** The distinct keys of each type, as a SELECT of `entity_type` and `key`. @param sources at least one */
function distinctKeysSql(sources: readonly KeysOfType[], { literals }: BuildDialect): string {
  return typesOf(sources)
    .map((type) => distinctRowsSql(sources, type, `${literals.text(type)} AS entity_type, key`, 'entity_type, key'))
    .join('\nUNION ALL\n');
}

function typesOf(sources: readonly KeysOfType[]): readonly string[] {
  return [...new Set(sources.map(({ entityType }) => entityType))];
}

/** @param names the names of the columns */
function distinctRowsSql(sources: readonly KeysOfType[], type: string, columns: string, names: string): string {
  const ofType = sources
    .filter(({ entityType }) => entityType === type)
    .map(({ from }) => `SELECT DISTINCT ${columns} FROM ${from}`);
  return ofType.length > 1 ? `SELECT ${names} FROM (${ofType.join('\nUNION\n')}) AS same_type` : ofType.join();
}

/** A relation of keys, as SQL behind FROM, and their entity type. */
export interface KeysOfType {
  readonly entityType: string;
  readonly from: string;
}

/** The types of all entities. */
export function entityTypesOf(makers: EntityMakers): readonly string[] {
  return typesOf(makersOfEntities(makers));
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
