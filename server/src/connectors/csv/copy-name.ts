import { createHash } from 'node:crypto';
import type { InspectedFile } from './inspected-file.ts';

/** The name of a temporary copy: names of data objects may be equal, and may have any characters. */
export function copyName({ path, plan }: Pick<InspectedFile, 'path' | 'plan'>): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([path, plan]))
    .digest('hex');
  return `utf-8-${hash.slice(0, 32)}.csv`;
}
