import type { SettingWarning } from '../../catalog/catalog.ts';
import type { OperationOptions } from '../connector.ts';
import { reportWait } from '../http/with-retries.ts';
import { isSourceDown } from '../source-down.ts';
import { isSourceError, type SourceError } from '../source-error.ts';
import type { RestEndpoint } from './endpoint.ts';
import { pagesByPlace, readRestPages, type PageSource, type RestPage } from './read-pages.ts';

/** The first page of an endpoint, and a reason to expect pages that its settings do not reach. */
export async function firstPage(
  source: PageSource,
  endpoint: RestEndpoint,
  { signal, onProgress }: OperationOptions,
): Promise<RestPage> {
  const pages = readRestPages(source, endpoint, { signal, onWait: reportWait(onProgress) });
  const { value } = await pages.next();
  await pages.return();
  return value ?? { records: [] };
}

/** Why an import of an endpoint would fail, by its first page. Rejects with a `SourceError` when it is unreachable. */
export async function checkFirstPage(
  source: PageSource,
  endpoint: RestEndpoint,
  options: OperationOptions,
): Promise<SourceError | undefined> {
  // These are read until a page is empty.
  if (pagesByPlace(endpoint) || endpoint.pagination?.style === 'none') return undefined;
  try {
    const { doubt } = await firstPage(source, endpoint, options);
    return isSourceError(doubt) ? doubt : undefined;
  } catch (error) {
    if (!isSourceError(error) || isSourceDown(error)) throw error;
    return error;
  }
}

/** A doubt about the first page as a warning at a setting. */
export function doubtAt(path: readonly string[], doubt: SourceError | string): SettingWarning {
  if (typeof doubt === 'string') return { path, message: doubt };
  return { path, message: [doubt.message, doubt.details.remedy].filter((part) => part !== undefined).join(' ') };
}
