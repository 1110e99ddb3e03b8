import { dirname } from 'node:path';
import { insideFolder } from '../files/follow-links.ts';

/**
 * Resolves to a path in the state folder, or to the folder itself, when no link leads out of the folder of the sources
 * file: a foreign workspace must not cause files elsewhere to be written, read or deleted. Rejects with
 * `link-leads-out`, else with the file system error.
 */
export function insideStateFolder(stateFolder: string, path: string): Promise<string> {
  return insideFolder(path, dirname(stateFolder));
}
