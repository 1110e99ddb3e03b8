import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

export interface UserFolders {
  readonly platform: NodeJS.Platform;
  readonly home: () => string;
}

export const thisUser: UserFolders = { platform: process.platform, home: homedir };

/** The folder in which programs of the user keep their caches; undefined without one. */
export function userCacheFolder(
  environment: Environment,
  { platform, home }: UserFolders = thisUser,
): string | undefined {
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
