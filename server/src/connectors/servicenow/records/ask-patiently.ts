import { tookTooLong } from './ask-page.ts';

/** Of a query beside the pages: each may take minutes until the instance gives up. */
const mostAttempts = 3;

/**
 * Asks what is good to know but no record of the import: while the instance cancels it, again, and for half as much. Undefined
 * when it always does; what is done without the answer is for the caller to say.
 * @param most how many records are asked for at first
 */
export async function askPatiently<T extends object>(
  most: number,
  ask: (most: number) => Promise<T>,
): Promise<T | undefined> {
  for (let attempt = 1, wanted = most; ; attempt += 1, wanted = Math.ceil(wanted / 2)) {
    try {
      return await ask(wanted);
    } catch (error) {
      if (!tookTooLong(error)) throw error;
      if (attempt === mostAttempts) return undefined;
    }
  }
}
