import type { CallOptions } from '../api/call-platform.ts';
import type { ServiceNowClient } from '../api/client.ts';
import { type Missing, whyMissing } from './hidden-records.ts';
import type { KeyCounter } from './key-counter.ts';
import { keyConditions, type PagedRead } from './page-parameters.ts';
import { tookTooLong } from './request-page.ts';
import { readPages } from './read-pages.ts';

/** Determines why records of a read are missing, by reading small parts again. */
export function whyTableLacks(
  client: ServiceNowClient,
  read: PagedRead,
  tally: KeyCounter,
  options: CallOptions,
): Promise<Missing> {
  return whyMissing({
    tally,
    small: 2 * read.pageSize,
    count: async (range) => read.count?.([...(read.conditions ?? []), ...keyConditions({ range })]),
    async read(range) {
      let records = 0;
      try {
        for await (const page of readPages(client.tables, { ...read, fields: [], range }, options))
          records += page.length;
        return records;
      } catch (error) {
        if (tookTooLong(error)) return undefined;
        throw error;
      }
    },
  });
}
