import { dirname } from 'node:path';
import { insideFolder } from '../files/follow-links.ts';

/**
 * Resolves to a path in the state folder, or to that folder itself, when no link leads from it out of the folder of the sources file: a
 * workspace that somebody else has made must not have files written, read or removed elsewhere. Rejects with `link-leads-out`, else with
 * the error of the file system.
 */
export function insideStateFolder(stateFolder: string, path: string): Promise<string> {
  return insideFolder(path, dirname(stateFolder));
}
