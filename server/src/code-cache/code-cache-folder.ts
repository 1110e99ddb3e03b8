import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Folder for compiled code in the user's cache folder. Undefined when there is none, when Node's own variable
 * `NODE_DISABLE_COMPILE_CACHE` forbids such caches, and while coverage is measured, which needs all code compiled anew.
 */
export function codeCacheFolder(
  environment: Environment,
  { platform, home }: { readonly platform: NodeJS.Platform; readonly home: () => string } = {
    platform: process.platform,
    home: homedir,
  },
): string | undefined {
  if (environment['NODE_DISABLE_COMPILE_CACHE'] || environment['NODE_V8_COVERAGE']) return undefined;
  const caches = cachesOf(environment, platform, home);
  return caches === undefined ? undefined : join(caches, 'entity-graph', 'code');
}

function cachesOf(environment: Environment, platform: NodeJS.Platform, home: () => string): string | undefined {
  const given = environment[platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME'];
  if (given !== undefined && isAbsolute(given)) return given;
  const user = homeOf(home);
  if (user === undefined) return undefined;
  if (platform === 'win32') return join(user, 'AppData', 'Local');
  return platform === 'darwin' ? join(user, 'Library', 'Caches') : join(user, '.cache');
}

/** Users without an entry in the system's list have no home. */
function homeOf(home: () => string): string | undefined {
  try {
    const path = home();
    return isAbsolute(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
