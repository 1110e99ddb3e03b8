import { setImmediate } from 'node:timers/promises';
import type { Catalog, DataObject } from '../../catalog/catalog.ts';
import { namesSecret } from '../../catalog/secret-column.ts';
import type { Connector } from '../../connectors/connector.ts';
import { isSourceError } from '../../connectors/source-error.ts';
import { dialectNamed } from '../../dialects/index.ts';
import { sampleLimits, sampleRows, type TableInput, type TableSample } from '../../draft/table-sample.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import { isQuotable, quotePath } from '../../query/quote.ts';
import { sampleCases } from './sample-cases.ts';

export interface SampleOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ((message: string) => void) | undefined;
  /** The draft has no other data source, to whose rows those of this one may belong. */
  readonly isAlone?: boolean;
}

/**
 * Data objects with their first rows, if these add to the catalog: one bounded, read-only query each. Sources with a
 * REST interface are not queried. For a data object with unreadable rows, the catalog has to suffice.
 */
export async function readSamples(
  connector: Connector,
  catalog: Catalog,
  objects: readonly DataObject[],
  { signal, onProgress, isAlone = true }: SampleOptions,
): Promise<readonly TableInput[]> {
  const inputs: TableInput[] = [];
  const declaresReferences = objects.some(({ foreignKeys }) => foreignKeys.length > 0);
  for (const object of objects) {
    signal.throwIfAborted();
    if (catalog.isFetched || (isAlone && declaresReferences && isKnownWell(object))) {
      inputs.push({ object });
      continue;
    }
    onProgress?.(object.name);
    const sample = await readSample(connector, catalog, object, signal);
    inputs.push({ object, sample });
    await setImmediate();
  }
  return inputs;
}

/** A table without times needs no sample if a database has its key and its row count, and declares what refers to it. */
function isKnownWell({ primaryKey, statistics, columns }: DataObject): boolean {
  const hasTimes = columns.some(({ sense }) => sense === 'timestamp' || sense === 'date');
  return !hasTimes && primaryKey.length > 0 && (statistics.rowEstimate ?? 0) > 0;
}

async function readSample(
  connector: Connector,
  catalog: Catalog,
  object: DataObject,
  signal: AbortSignal,
): Promise<TableSample | undefined> {
  const query = sampleQuery(catalog, object);
  if (!query) return undefined;
  const limit = sampleRows(query.columns.length);
  try {
    const { rows, truncated } = await connector.preview(query, { limit, signal, keepCastFailures: true });
    const sample: TableSample = { columns: query.columns, rows, isWhole: !truncated };
    // Rows of databases are not sorted in a misleading way, and statistics describe them.
    if (!truncated || !catalog.hasRowOrder) return sample;
    return (await sampleCases(connector, catalog, object, { query, sample, limit }, signal)) ?? sample;
  } catch (error) {
    if (signal.aborted || !isSourceError(error)) throw error;
    return undefined;
  }
}

/** The first rows without binary columns and those whose names say that they hold secrets; long texts are cut off. */
function sampleQuery({ dialect }: Catalog, { name, path, columns }: DataObject): CompiledQuery | undefined {
  const known = dialectNamed(dialect);
  const read = columns.filter(
    (column) => !namesSecret(column.name) && column.sense !== 'binary' && isQuotable(column.name),
  );
  if (read.length === 0) return undefined;
  const list = read.map((column) => {
    const quoted = known.identifiers.quote(column.name);
    if (column.sense !== 'text') return quoted;
    return `${known.types.firstCharacters(quoted, sampleLimits.textLength)} AS ${quoted}`;
  });
  return {
    dialect,
    sql: `SELECT ${list.join(', ')}\nFROM ${quotePath(path, known)}`,
    columns: read.map((column) => column.name),
    dataObjects: [name],
    fragments: [],
    references: [],
  };
}
