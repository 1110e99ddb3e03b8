import type { CatalogContent, DataObject } from '../../catalog/catalog.ts';
import type { OperationOptions } from '../connector.ts';
import { isSourceError } from '../source-error.ts';
import { buildObjects, withStatistics, type BuiltObjects } from './build-catalog.ts';
import { catalogQueries, statisticsQuery } from './catalog-queries.ts';
import { groupBy } from './group-by.ts';
import { serverPreviewTimeoutMs } from '../preview-timeout.ts';
import type { Cluster } from './preview.ts';
import type { TrinoConfig } from './read-settings.ts';
import { openSession, type Session } from './session.ts';
import type { TrinoRow } from './statement-answer.ts';

/** Reads the configured catalogs: four queries each, and the statistics of tables. Rejects with a `SourceError`. */
export async function introspect(cluster: Cluster, { signal, onProgress }: OperationOptions): Promise<CatalogContent> {
  const { config } = cluster;
  const session = openSession({ ...cluster, statementTimeoutMs: serverPreviewTimeoutMs(config) });
  const warnings: string[] = [];
  const built: BuiltObjects[] = [];
  for (const part of partsOf(config)) {
    onProgress?.(`Reading the catalog ${part.catalog}`);
    built.push(await readPart(session, part, config, { signal, warn: (warning) => warnings.push(warning) }));
  }
  const objects = inOrder(
    built.flatMap((each) => each.objects),
    config,
  );
  const unreadable = built.flatMap((each) => each.unreadable);
  if (unreadable.length > 0) {
    warnings.push(
      `${unreadable.length} objects are left out because their columns cannot be read: ${few(unreadable)}.`,
    );
  }
  onProgress?.(`Reading the statistics of ${objects.length} objects`);
  return {
    objects: await estimated(session, objects, signal),
    complete: true,
    ...(unreadable.length > 0 && { unreadable }),
    readAt: new Date().toISOString(),
    warnings,
  };
}

interface Part {
  readonly catalog: string;
  /** Empty for all schemas. */
  readonly schemas: readonly string[];
}

/** The configured parts, each catalog once. */
function partsOf({ catalog, schemas, others }: TrinoConfig): readonly Part[] {
  const groups = groupBy(others, (part) => part.catalog);
  const further = [...groups]
    .filter(([name]) => name !== catalog)
    .map(([name, parts]) => {
      const named = parts.flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
      return { catalog: name, schemas: named.length === parts.length ? named : [] };
    });
  return [{ catalog, schemas }, ...further];
}

interface PartOptions {
  readonly signal: AbortSignal | undefined;
  readonly warn: (warning: string) => void;
}

async function readPart(
  session: Session,
  { catalog, schemas }: Part,
  config: TrinoConfig,
  { signal, warn }: PartOptions,
): Promise<BuiltObjects> {
  const queries = catalogQueries(catalog, schemas);
  const found = new Set((await session.rows(queries.schemas, { signal })).map(([name]) => name));
  for (const schema of schemas) {
    if (!found.has(schema)) warn(`Schema ${schema} does not exist in ${catalog}, or the user may not see it.`);
  }
  const objects = await session.rows(queries.objects, { signal });
  const columns = await session.rows(queries.columns, { signal });
  const comments = await optional(session.rows(queries.comments, { signal }));
  const [first] = config.schemas;
  const nameOf = (schema: string, table: string): string => {
    if (catalog !== config.catalog) return `${catalog}.${schema}.${table}`;
    return schema === first ? table : `${schema}.${table}`;
  };
  return buildObjects({ catalog, objects, columns, comments: comments ?? [] }, nameOf);
}

/** Optional metadata: undefined if the connector lacks it or the user may not read it. */
async function optional(rows: Promise<readonly TrinoRow[]>): Promise<readonly TrinoRow[] | undefined> {
  return rows.catch((error: unknown) => {
    if (isSourceError(error) && !lost.has(error.code)) return undefined;
    throw error;
  });
}

const lost = new Set(['connection-lost', 'source-unreachable', 'authentication-failed', 'tls-failed']);

/** Objects of the first schema come first, as their names are the shortest. */
function inOrder(objects: readonly DataObject[], { catalog, schemas }: TrinoConfig): readonly DataObject[] {
  const placeOf = ({ path: [ofCatalog = '', schema = ''] }: DataObject): number => {
    const place = schemas.indexOf(schema);
    return ofCatalog !== catalog ? schemas.length + 1 : place < 0 ? schemas.length : place;
  };
  return objects.toSorted((left, right) => placeOf(left) - placeOf(right));
}

/** Runs one statement for each table, several at a time. Stops after a time limit, because estimates are optional. */
async function estimated(
  session: Session,
  objects: readonly DataObject[],
  signal: AbortSignal | undefined,
): Promise<readonly DataObject[]> {
  const until = performance.now() + statisticsMs;
  const result = [...objects];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < objects.length && performance.now() < until) {
      const index = next++;
      const object = objects[index];
      if (object?.kind !== 'table') continue;
      const rows = await optional(session.rows(statisticsQuery(object.path), { signal }));
      if (rows) result[index] = withStatistics(object, rows);
    }
  };
  await Promise.all(Array.from({ length: statementsAtOnce }, work));
  return result;
}

const statisticsMs = 15_000;
const statementsAtOnce = 4;

function few(names: readonly string[]): string {
  return `${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}`;
}
