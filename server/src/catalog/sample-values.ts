import { namesSecret } from './secret-column.ts';

/** Number and length of example values of a column. */
const [maxSamples, longestSample] = [3, 40];

/** The first distinct values of a column as examples. None for columns whose names suggest secrets. */
export function sampleValues(column: string, values: Iterable<unknown>): { readonly samples?: readonly string[] } {
  if (namesSecret(column)) return {};
  const samples = new Set<string>();
  for (const value of values) {
    if (value === null || value === undefined || value === '') continue;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
    samples.add(text.length > longestSample ? `${text.slice(0, longestSample - 1)}…` : text);
    if (samples.size === maxSamples) break;
  }
  return samples.size === 0 ? {} : { samples: [...samples] };
}
