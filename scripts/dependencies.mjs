// The packages of package-lock.json. Plain Node, because it runs before packages are installed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { runNpm } from './run-command.mjs';

/** Installs the packages of package-lock.json if missing or outdated. */
export async function ensureDependencies() {
  const reason = installReason();
  if (!reason) return;
  console.log(`set-up: npm ci (${reason})`);
  await runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root }).catch((error) => {
    throw new Error(`The packages could not be installed. Is the npm registry reachable?\n${error.message}`);
  });
}

/** Why the packages must be installed; undefined if they are there. */
export function installReason() {
  // npm writes this file last, so an interrupted installation lacks it.
  const installed = readPackages('node_modules/.package-lock.json');
  if (!installed) return 'node_modules is missing';
  const wanted = Object.entries(readPackages('package-lock.json'));
  const stale = wanted.find(
    ([path, { version, optional }]) =>
      path !== '' && (installed[path] ? installed[path].version !== version : !optional),
  );
  return stale && `${stale[0]} is not at ${stale[1].version}`;
}

function readPackages(path) {
  const file = join(root, path);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}
