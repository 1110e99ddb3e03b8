import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/**
 * The entity type that a process map shows by default: of the types with directly-follows steps (of all types if none
 * has any), the one with the most own events, then with the most pairs of event and entity, then the first in the file.
 * Undefined for a graph without entities.
 */
export async function defaultEntityType(store: StoreReader, options: StatementOptions): Promise<string | undefined> {
  const rows = await store.query(
    'SELECT entity_type AS name, max(id) AS last FROM entity GROUP BY 1 ORDER BY last',
    options,
  );
  const types = rows.map((row) => String(row['name']));
  if (types.length < 2) return types[0];
  // Entity ids are ordered by type, so each type is a range of ids.
  const typeOf = `CASE ${rows.map((row, index) => `WHEN entity_id <= ${Number(row['last'])} THEN ${index}`).join(' ')} END`;
  const counts = async (from: string): Promise<ReadonlyMap<string, number>> => {
    const found = await store.query(`SELECT ${typeOf} AS type, count(*) AS n FROM ${from} GROUP BY 1`, options);
    return new Map(found.map((row) => [types[Number(row['type'])] ?? '', Number(row['n'])]));
  };
  const follows = await counts('directly_follows');
  const followed = types.filter((type) => follows.has(type));
  const own = most(followed.length > 0 ? followed : types, await counts('event WHERE entity_id IS NOT NULL'));
  if (own.length < 2) return own[0];
  const paired = most(own, await counts('(SELECT DISTINCT event_id, entity_id FROM event_entity) AS pair'));
  if (paired.length < 2) return paired[0];
  const placeOf = await placesInFile(store, typeOf, types, options);
  const place = (type: string): number => placeOf.get(type) ?? Infinity;
  return paired.reduce((first, type) => (place(type) < place(first) ? type : first));
}

/** The types with the largest count. */
function most(types: readonly string[], counts: ReadonlyMap<string, number>): readonly string[] {
  const largest = Math.max(...types.map((type) => counts.get(type) ?? 0));
  return types.filter((type) => (counts.get(type) ?? 0) === largest);
}

/**
 * The position of each type in the file: of its first element, else of the first element whose rows name it, else of its
 * entry of `entities`.
 */
async function placesInFile(
  store: StoreReader,
  typeOf: string,
  types: readonly string[],
  options: StatementOptions,
): Promise<ReadonlyMap<string, number>> {
  const found = await store.query(
    `SELECT DISTINCT ${typeOf} AS type, element FROM event WHERE entity_id IS NOT NULL`,
    options,
  );
  const [run] = await store.query('SELECT CAST(counts AS VARCHAR) AS counts FROM run', options);
  const { elements = [], entities = [] } = JSON.parse(String(run?.['counts'])) as StoredCounts;
  const places = new Map<string, number>();
  const note = (type: string, place: number): void =>
    void places.set(type, Math.min(place < 0 ? Infinity : place, places.get(type) ?? Infinity));
  for (const row of found) {
    const place = elements.findIndex(({ activityName }) => activityName === row['element']);
    note(types[Number(row['type'])] ?? '', place);
  }
  const later = [
    ...elements.flatMap(({ correlatesWith = [] }) => correlatesWith.map(({ entityType }) => entityType)),
    ...entities.map(({ name }) => name),
  ];
  for (const [index, type] of later.entries()) if (!places.has(type)) places.set(type, elements.length + index);
  return places;
}

/** Facts about the file in the run record. */
interface StoredCounts {
  readonly elements?: readonly {
    readonly activityName: string;
    readonly correlatesWith?: readonly { readonly entityType: string }[];
  }[];
  readonly entities?: readonly { readonly name: string }[];
}
