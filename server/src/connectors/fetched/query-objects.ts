import type { CatalogContent } from '../../catalog/catalog.ts';
import type { CompiledQuery, ObjectRead } from '../../query/compiled-query.ts';
import { wholeReads } from '../../query/object-reads.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { isDuckDbError } from '../../store/duckdb-store.ts';
import { queryError } from '../embedded/query-error.ts';
import type { OperationOptions } from '../connector.ts';
import { redactSecrets } from '../redact-secrets.ts';
import { SourceError, isSourceError } from '../source-error.ts';
import type { RecordSource } from './record-source.ts';

/** The columns that a query reads of each data object. Without them, whole objects are read. */
export interface ReadFinder {
  (query: CompiledQuery, options: OperationOptions): Promise<readonly ObjectRead[]>;
}

export function readFinder(source: RecordSource): ReadFinder {
  let described: Promise<CatalogContent> | undefined;
  return async (query, options) => {
    const known = query.reads;
    if (known?.every(({ columns }) => columns.length > 0)) return known;
    const catalog = await (described ??= source.describe(options).catch((error: unknown) => {
      described = undefined;
      throw error;
    }));
    const whole = wholeReads(query.dataObjects, catalog);
    const missing = whole.find(({ columns }) => columns.length === 0);
    if (missing) throw objectMissing(source, missing.dataObject, catalog);
    return whole.map(
      (read) => known?.find((each) => each.dataObject === read.dataObject && each.columns.length > 0) ?? read,
    );
  };
}

/**
 * The statement that creates a view of a fetched table under the name of its data object, without validation columns.
 */
export function viewSql(dataObject: string, table: string, proof?: string): string {
  const columns = proof === undefined ? '*' : `* EXCLUDE (${quoteIdentifier(proof)})`;
  return `CREATE OR REPLACE TEMP VIEW ${quoteIdentifier(dataObject)} AS SELECT ${columns} FROM temp.${quoteIdentifier(table)}`;
}

export function dropViewSql(dataObject: string): string {
  return `DROP VIEW IF EXISTS temp.${quoteIdentifier(dataObject)}`;
}

/**
 * A DuckDB error mapped to the core SELECT, which starts at `coreOffset` of the statement; other errors with secrets
 * redacted.
 */
export function placedQueryError(
  error: unknown,
  source: RecordSource,
  query: CompiledQuery,
  coreOffset: number,
): unknown {
  if (!isDuckDbError(error)) return redactTrace(error, source);
  const core = { offset: coreOffset, length: query.sql.length };
  return queryError(error, { core, objects: query.dataObjects }, undefined);
}

/** Server messages may echo credentials. */
export function redactTrace(error: unknown, source: Pick<RecordSource, 'secrets'>): unknown {
  if (!isSourceError(error)) return error;
  const secrets = [...source.secrets];
  const { cause: _cause, remedy, hint, said, ...details } = error.details;
  const shown = (text: string): string => redactSecrets(text, secrets);
  const isShown = [error.message, remedy, hint, said].every((text) => text === undefined || shown(text) === text);
  if (isShown) return error;
  return new SourceError(error.code, shown(error.message), {
    ...details,
    ...(remedy !== undefined && { remedy: shown(remedy) }),
    ...(hint !== undefined && { hint: shown(hint) }),
    ...(said !== undefined && { said: shown(said) }),
  });
}

function objectMissing(source: RecordSource, name: string, { objects, undescribed = [] }: CatalogContent): SourceError {
  const found = undescribed.find((each) => each.name === name);
  // The remedy of an unreachable source applies, because the object may exist.
  if (found?.isUnreachable) return new SourceError('source-unreachable', found.reason);
  return new SourceError('object-missing', found?.reason ?? `Data source ${source.name} has no data object ${name}.`, {
    remedy: `Its data objects are: ${objects.map((object) => object.name).join(', ')}.`,
  });
}
