import type { StatementOptions, StoreReader } from '../../store/duckdb-store.ts';
import { ExportError } from '../export-error.ts';

/**
 * The case entity type of a log: the requested one, or the only one with events. Rejects with an `ExportError` that lists the
 * available ones.
 */
export async function chosenEntityType(
  store: StoreReader,
  wanted: string | undefined,
  options: StatementOptions,
): Promise<string> {
  const rows = await store.query('SELECT DISTINCT entity_type AS name FROM entity ORDER BY 1', options);
  const types = rows.map(({ name }) => String(name));
  if (wanted !== undefined && types.includes(wanted)) return wanted;
  if (wanted === undefined) {
    // Entities without events, such as master data, make no case.
    const [only, ...others] = types.length > 1 ? await typesWithEvents(store, options) : types;
    if (only !== undefined && others.length === 0) return only;
  }
  if (types.length === 0) throw new ExportError('no-entities', 'The graph has no entities.', 'Import some rows first.');
  const listed = types.join(', ');
  if (wanted === undefined) {
    const message = 'The cases of an event log are the entities of one type, and the graph has several.';
    throw new ExportError('entity-type-missing', message, `Name one with --type: ${listed}.`);
  }
  const message = `The graph has no entities of the type ${wanted}.`;
  throw new ExportError('entity-type-unknown', message, `Name one of these with --type: ${listed}.`);
}

async function typesWithEvents(store: StoreReader, options: StatementOptions): Promise<readonly string[]> {
  const rows = await store.query(
    'SELECT DISTINCT entity_type AS name FROM entity WHERE id IN (SELECT entity_id FROM event_entity) ORDER BY 1',
    options,
  );
  return rows.map(({ name }) => String(name));
}
