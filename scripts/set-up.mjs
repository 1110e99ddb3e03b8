// Set-up of `npm start` and `npm test`. Plain Node: it is loaded before packages are installed, and loads the build after.
import { databasePrograms, missingDebianPackages } from './debian-packages.mjs';
import { installReason } from './dependencies.mjs';
import { hasMcpClients } from './mcp-clients.mjs';
import { hasReaders } from './readers.mjs';
import { hasTrino } from './trino-install.mjs';
import { hasVsCodeHost } from './vscode-install.mjs';

/**
 * Builds every program, which takes about a second.
 * @param {{ production?: boolean }} [options] `production` builds them as they are packaged.
 */
export async function ensureBuild({ production = false } = {}) {
  const { build } = await import('./build.mjs');
  await build({ production });
}

/**
 * Descriptions of what a test run will install.
 * @param {ReadonlySet<string>} needs as of the parts in test-parts.mjs
 * @returns {readonly string[]}
 */
export function describeMissing(needs) {
  return [
    ...(installReason() ? ['the packages of package-lock.json (npm ci)'] : []),
    ...(needs.has('chromium') ? missingDebianPackages().map((name) => `${name} (apt-get)`) : []),
    ...(needs.has('mariadb') ? missingDebianPackages(databasePrograms).map((name) => `${name} (apt-get)`) : []),
    ...(needs.has('vscode') && !hasVsCodeHost() ? ['a VS Code server in .cache/ (npm registry, about 500 MB)'] : []),
    ...(needs.has('oldest vscode') && !hasVsCodeHost('oldest')
      ? ['the server of VS Code 1.93 in .cache/ (npm registry, about 400 MB)']
      : []),
    ...(needs.has('readers') && !hasReaders()
      ? ['readers of exports in .cache/ (pm4py, Rust4PM, DuckDB for Python, pyarrow, openpyxl, Neo4j; about 900 MB)']
      : []),
    ...(needs.has('mcp clients') && !hasMcpClients()
      ? ['the conformance suite and the inspector of the Model Context Protocol in .cache/ (npm registry, 170 MB)']
      : []),
    ...(needs.has('trino') && !hasTrino() ? ['Trino and a Java in .cache/ (900 MB of downloads, 570 MB kept)'] : []),
  ];
}
