import { isSourceError } from '../source-error.ts';
import type { CallOptions } from './call-platform.ts';
import type { RecordCount } from './check-complete.ts';
import type { ServiceNowClient } from './client.ts';
import { joined, tookTooLong, type PagedRead } from './read-pages.ts';

const attempts = 3;

/**
 * Records that a read and further conditions select, whatever the user may read where the instance counts that. A table may be
 * too large to be counted in time: pages of it can be read all the same.
 */
export async function countRecords(
  client: ServiceNowClient,
  { table, branches, conditions = [] }: Pick<PagedRead, 'table' | 'branches' | 'conditions'>,
  options: CallOptions,
): Promise<RecordCount> {
  const query = joined(branches, conditions).join('^');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { count: await client.aggregates.count(table, query, options), isRefused: false };
    } catch (error) {
      if (isSourceError(error) && error.code === 'permission-denied') break;
      // A busy instance cancels what it can do a moment later.
      if (!tookTooLong(error)) throw error;
      if (attempt === attempts) return { count: undefined, isRefused: false };
    }
  }
  const parameters = { limit: 1, fields: ['sys_id'], ...(query !== '' && { query }) };
  return { count: (await client.tables.list(table, parameters, options)).totalCount, isRefused: true };
}
