import { tookTooLong } from './request-page.ts';

/** Maximum number of attempts of an auxiliary query: each may take minutes until the instance cancels it. */
const maxAttempts = 3;

/**
 * Runs an auxiliary query, which the import can do without: while the instance cancels it, retries with half the size.
 * Undefined when it is always cancelled.
 * @param most initial number of records
 */
export async function retryWithHalfSize<T extends object>(
  most: number,
  ask: (most: number) => Promise<T>,
): Promise<T | undefined> {
  for (let attempt = 1, wanted = most; ; attempt += 1, wanted = Math.ceil(wanted / 2)) {
    try {
      return await ask(wanted);
    } catch (error) {
      if (!tookTooLong(error)) throw error;
      if (attempt === maxAttempts) return undefined;
    }
  }
}
