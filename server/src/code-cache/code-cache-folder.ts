import { join } from 'node:path';
import { type UserFolders, thisUser, userCacheFolder } from '../files/user-cache-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Folder for compiled code in the user's cache folder. Undefined when there is none, when Node's own variable
 * `NODE_DISABLE_COMPILE_CACHE` forbids such caches, and while coverage is measured, which needs freshly compiled code.
 */
export function codeCacheFolder(environment: Environment, user: UserFolders = thisUser): string | undefined {
  if (environment['NODE_DISABLE_COMPILE_CACHE'] || environment['NODE_V8_COVERAGE']) return undefined;
  const caches = userCacheFolder(environment, user);
  return caches === undefined ? undefined : join(caches, 'entity-graph', 'code');
}
