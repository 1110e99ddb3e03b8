// Set-up of `npm start` and `npm test`. Plain Node, because it runs before packages are installed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { findProgram, runCommand, runNpm } from './run-command.mjs';
import { ensurePythonReaders, hasPythonReaders } from './python-readers.mjs';
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

/** Whether the third-party tools of the part `readers` are installed. */
export function hasReaders() {
  return hasPythonReaders();
}

/** Installs them into `.cache/`. */
export async function ensureReaders() {
  await ensurePythonReaders();
}

/** Programs needed by the host, webview and e2e tests, with their Debian packages. */
const debianPackages = { chromium: 'chromium', rg: 'ripgrep' };

/** @type {readonly (keyof typeof debianPackages)[]} */
const testPrograms = ['chromium', 'rg'];

function missingDebianPackages(programs) {
  return programs.filter((program) => !findProgram(program)).map((program) => debianPackages[program]);
}

/**
 * Descriptions of what a test run will install.
 * @param {ReadonlySet<string>} needs as of the parts in test-parts.mjs
 * @returns {readonly string[]}
 */
export function describeMissing(needs) {
  return [
    ...(whyInstall() ? ['the packages of package-lock.json (npm ci)'] : []),
    ...(needs.has('chromium') ? missingDebianPackages(testPrograms).map((name) => `${name} (apt-get)`) : []),
    ...(needs.has('vscode') && !hasVsCodeHost() ? ['a VS Code server in .cache/ (npm registry, about 500 MB)'] : []),
    ...(needs.has('readers') && !hasReaders() ? ['readers of exports in .cache/ (pm4py, Rust4PM, DuckDB)'] : []),
  ];
}

/**
 * Installs missing `programs` with apt-get if permitted, else rejects with the command to run.
 * @param {readonly (keyof typeof debianPackages)[]} programs
 */
export async function ensureDebianPackages(programs = testPrograms) {
  const missing = missingDebianPackages(programs);
  if (missing.length === 0) return;
  const install = `apt-get install --yes --no-install-recommends ${missing.join(' ')}`;
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !findProgram('apt-get')) {
    throw new Error(`${missing.join(' and ')} must be installed first. On Debian or Ubuntu: sudo ${install}`);
  }
  console.log(`set-up: ${install}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand('apt-get', ['update', '-qq'], { env });
  await runCommand('apt-get', install.split(' ').slice(1), { env });
}
