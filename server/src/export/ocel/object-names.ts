import type { StatementOptions, StoreReader } from '../../store/duckdb-store.ts';

/**
 * Creates the temporary table `object_name` (`id`, `name`, `type`): readable ids of type and key, numbered if they
 * collide. A key that begins with its type is the id of an object of an exported log.
 */
export async function createObjectNames(store: StoreReader, options: StatementOptions): Promise<void> {
  const name = "CASE WHEN starts_with(key, entity_type || ':') THEN key ELSE entity_type || ':' || key END";
  // Only such names can collide: counting them all takes far longer than to look for these.
  const [row] = await store.query(
    `SELECT count(*) - count(DISTINCT ${name}) AS twice FROM entity
     WHERE (SELECT bool_or(starts_with(key, entity_type || ':') OR contains(entity_type, ':')) FROM entity)`,
    options,
  );
  const unique = Number(row?.['twice']) > 0 ? `${name} || '#' || id` : name;
  await store.run(
    `CREATE TEMP TABLE object_name AS SELECT id, ${unique} AS name, entity_type AS type FROM entity`,
    options,
  );
}
