// What `npm start` and `npm test` need before they can do their work. Plain Node: runs before anything is installed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingDebianPackages } from './debian-packages.mjs';
import { root } from './paths.mjs';
import { runNpm } from './run-command.mjs';
import { hasReaders } from './readers.mjs';
import { hasVsCodeHost } from './vscode-install.mjs';

/** Installs the packages of package-lock.json when they are missing or others than it names. */
export async function ensureDependencies() {
  const reason = whyInstall();
  if (!reason) return;
  console.log(`set-up: npm ci (${reason})`);
  await runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root }).catch((error) => {
    throw new Error(`The packages could not be installed. Is the npm registry reachable?\n${error.message}`);
  });
}

function whyInstall() {
  // npm writes this file as its last step, so an install that was interrupted has none.
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

/** Builds every program; it takes about a second, so it is never skipped. */
export async function ensureBuild() {
  const { build } = await import('./build.mjs');
  await build();
}

/**
 * What a run of the tests is going to install, for people to read.
 * @param {ReadonlySet<string>} needs as of the parts in test-parts.mjs
 * @returns {readonly string[]}
 */
export function describeMissing(needs) {
  return [
    ...(whyInstall() ? ['the packages of package-lock.json (npm ci)'] : []),
    ...(needs.has('chromium') ? missingDebianPackages().map((name) => `${name} (apt-get)`) : []),
    ...(needs.has('vscode') && !hasVsCodeHost() ? ['a VS Code server in .cache/ (npm registry, about 500 MB)'] : []),
    ...(needs.has('readers') && !hasReaders()
      ? ['readers of exports in .cache/ (pm4py, Rust4PM, DuckDB for Python, Neo4j; about 700 MB)']
      : []),
  ];
}
