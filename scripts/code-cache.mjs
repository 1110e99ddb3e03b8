import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, root } from './paths.mjs';

let environment;

/** The environment of processes that start the server's programs often: each program is compiled once for a run. */
export function withCodeCache() {
  environment ??= emptyCache();
  return { ...process.env, ...environment };
}

function emptyCache() {
  const folder = join(cacheFolder, 'code');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const preload = `--require=${JSON.stringify(join(root, 'scripts/code-cache.cjs'))}`;
  const options = [process.env.NODE_OPTIONS, preload].filter((each) => each !== undefined);
  return { NODE_OPTIONS: options.join(' '), ENTITY_GRAPH_CODE_CACHE: folder };
}
