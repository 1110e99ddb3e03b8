import type { CatalogContent, Column, DataObject, SettingWarning, UndescribedObject } from '../../catalog/catalog.ts';
import type { OperationOptions } from '../connector.ts';
import { columnSense } from '../../dialects/duckdb/types.ts';
import { inferColumns } from '../fetched/json-records.ts';
import { unreachable } from '../source-down.ts';
import { isSourceError, type SourceError } from '../source-error.ts';
import type { FindEndpoints, KnownEndpoint } from './find-endpoints.ts';
import { doubtAt, firstPage } from '../endpoints/first-page.ts';
import type { PageSource, RestPage } from '../endpoints/read-pages.ts';

/**
 * The catalog of a REST source: one data object per endpoint, with the columns of its first page and declared ones. An
 * unreadable endpoint becomes a warning; if all are unreadable, rejects with the first `SourceError`.
 */
export async function introspect(
  { name, pages, findEndpoints }: RestService,
  { signal, onProgress }: OperationOptions,
): Promise<CatalogContent> {
  const objects: DataObject[] = [];
  const faults: SourceError[] = [];
  const doubts: SettingWarning[] = [];
  const undescribed: UndescribedObject[] = [];
  // The time before reading, because later changes are newer.
  const readAt = new Date().toISOString();
  const found = await findEndpoints(signal);
  const warnings = [...found.warnings];
  for (const [index, endpoint] of found.endpoints.entries()) {
    signal?.throwIfAborted();
    onProgress?.(endpoint.name);
    try {
      const { object, doubt } = await describeEndpoint(endpoint, pages, signal);
      objects.push(object);
      // Those of the settings come first, in their order.
      if (doubt !== undefined) doubts.push(doubtAt([name, 'endpoints', String(index), 'name'], doubt));
      if (object.columns.length === 0) {
        warnings.push(
          `The endpoint ${endpoint.name} has no records: its columns are not known. Declare them as columns.`,
        );
      }
    } catch (error) {
      if (!isSourceError(error)) throw error;
      faults.push(error);
      undescribed.push({ name: endpoint.name, reason: error.message, ...unreachable(error) });
    }
  }
  const [first] = faults;
  if (first && objects.length === 0) throw first;
  return {
    objects,
    complete: faults.length === 0 && warnings.length === 0,
    readAt,
    warnings: [
      ...faults.map(({ message }) => message),
      ...warnings,
      ...doubts.map(({ message }) => message),
      ...found.leftOut,
    ],
    ...(doubts.length > 0 && { doubtfulSettings: doubts }),
    ...(undescribed.length > 0 && { undescribed }),
    ...(found.furtherFiles.length > 0 && { furtherFiles: found.furtherFiles }),
  };
}

interface RestService {
  /** Name of the data source. */
  readonly name: string;
  readonly pages: PageSource;
  readonly findEndpoints: FindEndpoints;
}

async function describeEndpoint(
  endpoint: KnownEndpoint,
  source: PageSource,
  signal: AbortSignal | undefined,
): Promise<{ readonly object: DataObject; readonly doubt: RestPage['doubt'] }> {
  const page = endpoint.isDescribed ? undefined : await firstPage(source, endpoint, { signal });
  const records = page?.records ?? [];
  const columns = withDeclared(inferColumns(records, endpoint.key), endpoint);
  const isAll = (endpoint.pagination?.style ?? 'none') === 'none' && !isSourceError(page?.doubt);
  const rowEstimate = page?.total ?? (isAll && page ? records.length : undefined);
  const object: DataObject = {
    name: endpoint.name,
    kind: 'endpoint',
    path: [endpoint.name],
    ...(endpoint.comment !== undefined && { comment: endpoint.comment }),
    columns,
    primaryKey: endpoint.key,
    foreignKeys: [],
    statistics: { columnCount: columns.length, ...(rowEstimate !== undefined && { rowEstimate }) },
  };
  return { object, doubt: page?.doubt };
}

/** Declared types override inferred ones; a declared column exists even if the first page lacks it. */
function withDeclared(found: readonly Column[], { columns, key, notes }: KnownEndpoint): readonly Column[] {
  const declared = Object.entries(columns).map(([name, type]): Column => {
    const isKey = key.includes(name);
    const { comment, values } = notes?.get(name) ?? {};
    return {
      name,
      type: type.toUpperCase(),
      sense: columnSense(type),
      nullable: !isKey,
      primaryKey: isKey,
      ...(comment !== undefined && { comment }),
      ...(values !== undefined && { values }),
    };
  });
  const known = found.map((column) => {
    const said = declared.find(({ name }) => name === column.name);
    return said ? { ...said, ...(column.samples && { samples: column.samples }) } : column;
  });
  return [...known, ...declared.filter(({ name }) => !found.some((column) => column.name === name))];
}
