import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Absolute path of the project's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Git-ignored folder of everything that can be recreated. */
export const cacheFolder = join(root, '.cache');

/** Whether the file with this `import.meta.url` was started, not imported. */
export function isMainModule(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}
