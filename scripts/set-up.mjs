// Set-up of `npm start` and `npm test`. Plain Node, because it runs before packages are installed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { databasePrograms, missingDebianPackages } from './debian-packages.mjs';
import { root } from './paths.mjs';
import { runNpm } from './run-command.mjs';
import { hasReaders } from './readers.mjs';
import { hasTrino } from './trino-install.mjs';
import { hasVsCodeHost } from './vscode-install.mjs';

/** Installs the packages of package-lock.json if missing or outdated. */
export async function ensureDependencies() {
  const reason = whyInstall();
  if (!reason) return;
  console.log(`set-up: npm ci (${reason})`);
  await runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root }).catch((error) => {
    throw new Error(`The packages could not be installed. Is the npm registry reachable?\n${error.message}`);
  });
}

function whyInstall() {
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

/** Builds every program, which takes about a second. */
export async function ensureBuild() {
  const { build } = await import('./build.mjs');
  await build();
}

/**
 * Descriptions of what a test run will install.
 * @param {ReadonlySet<string>} needs as of the parts in test-parts.mjs
 * @returns {readonly string[]}
 */
export function describeMissing(needs) {
  return [
    ...(whyInstall() ? ['the packages of package-lock.json (npm ci)'] : []),
    ...(needs.has('chromium') ? missingDebianPackages().map((name) => `${name} (apt-get)`) : []),
    ...(needs.has('mariadb') ? missingDebianPackages(databasePrograms).map((name) => `${name} (apt-get)`) : []),
    ...(needs.has('vscode') && !hasVsCodeHost() ? ['a VS Code server in .cache/ (npm registry, about 500 MB)'] : []),
    ...(needs.has('readers') && !hasReaders()
      ? ['readers of exports in .cache/ (pm4py, Rust4PM, DuckDB for Python, Neo4j; about 700 MB)']
      : []),
    ...(needs.has('trino') && !hasTrino() ? ['Trino and a Java in .cache/ (900 MB of downloads, 570 MB kept)'] : []),
  ];
}
