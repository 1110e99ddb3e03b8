import { namesSecret } from './secret-column.ts';

/** How many values of a column are kept as examples, and how long they may be. */
const [mostSamples, longestSample] = [3, 40];

/**
 * A few different values of a column, as examples of what it holds: the first of those given. None for columns whose names
 * say that they hold secrets.
 */
export function sampleValues(column: string, values: Iterable<unknown>): { readonly samples?: readonly string[] } {
  if (namesSecret(column)) return {};
  const samples = new Set<string>();
  for (const value of values) {
    if (value === null || value === undefined || value === '') continue;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
    samples.add(text.length > longestSample ? `${text.slice(0, longestSample - 1)}…` : text);
    if (samples.size === mostSamples) break;
  }
  return samples.size === 0 ? {} : { samples: [...samples] };
}
