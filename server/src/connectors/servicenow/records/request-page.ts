import { ResponseTooLarge } from '../../http/response-too-large.ts';
import { isSourceError } from '../../source-error.ts';
import type { PageSize } from './page-size.ts';
import { TransactionCancelled } from '../api/platform-failure.ts';
import type { TablePage } from '../api/table-api.ts';

/** Maximum number of consecutive attempts: each may take minutes until the instance cancels it. */
const maxHalvings = 10;

interface RequestedPage {
  readonly page: TablePage;
  /** Page size of the successful request. */
  readonly limit: number;
}

/** Requests a page, with a smaller page size while the instance takes too long. */
export async function requestPage(sizes: PageSize, ask: (limit: number) => Promise<TablePage>): Promise<RequestedPage> {
  for (let halvings = 0; ; halvings += 1) {
    const limit = sizes.next();
    const started = performance.now();
    try {
      const page = await ask(limit);
      sizes.arrived({ asked: limit, bytes: page.size, milliseconds: performance.now() - started });
      return { page, limit };
    } catch (error) {
      if (!tookTooLong(error) || halvings >= maxHalvings) throw error;
      sizes.tookTooLong(limit);
    }
  }
}

/** Whether a smaller page may succeed. */
export function tookTooLong(error: unknown): boolean {
  if (error instanceof TransactionCancelled || error instanceof ResponseTooLarge) return true;
  return isSourceError(error) && error.code === 'statement-timeout';
}
