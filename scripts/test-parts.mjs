import { hasMcpClients } from './mcp-clients.mjs';
import { hasReaders } from './readers.mjs';
import { trinoCases } from './trino-cases.mjs';
import { wantsTrino } from './trino-install.mjs';

/**
 * The parts of `npm test`.
 *
 * * `needs` is set up first; `databases` are servers that all test processes share. Files of parts with the same `uses` do not run at the same time.
 * * `seconds` is the time limit of a check, a script or a file, after which it is stopped and fails.
 * * Parts with a `lane` run one file at a time beside the others: those with a screen wait for half of the time, and several
 *   at once would need too much memory.
 * * `cases` tells which tests of the part run, and why.
 * * An `optional` part needs large external tools. It runs when it is named, which installs them, and otherwise only if
 *   `runsByItself` returns true; `why` is the reason why it is skipped. A part that runs by itself is also skipped if its
 *   `tools` (one of its needs) cannot be set up; tests that have not ended `endsAfter` seconds after the start of the whole
 *   run are skipped, too.
 */
export const testParts = [
  { name: 'lint', checks: lintChecks(), seconds: 900 },
  {
    name: 'typecheck',
    checks: [{ name: 'tsc', script: 'node_modules/typescript-7/bin/tsc', args: ['-b'] }],
    seconds: 900,
  },
  { name: 'unit', seconds: 900 },
  { name: 'e2e', needs: ['package', 'chromium', 'vscode'], lane: 'screen', seconds: 900 },
  { name: 'oldest', needs: ['package', 'chromium', 'oldest vscode'], lane: 'screen', seconds: 600 },
  {
    name: 'host',
    needs: ['build', 'chromium', 'vscode'],
    lane: 'screen',
    script: 'scripts/run-host-tests.mjs',
    seconds: 900,
  },
  { name: 'webview', needs: ['build', 'chromium'], lane: 'screen', seconds: 900 },
  { name: 'engine', needs: ['build', 'databases'], seconds: 900 },
  { name: 'databases', needs: ['build', 'databases', 'mariadb'], seconds: 900 },
  { name: 'server', needs: ['build', 'databases'], seconds: 900 },
  {
    name: 'readers',
    needs: ['build', 'readers'],
    optional: { runsByItself: hasReaders, why: 'whose tools are not installed: npm test -- readers installs them' },
    seconds: 1200,
  },
  {
    name: 'mcp',
    needs: ['build', 'mcp clients'],
    optional: { runsByItself: hasMcpClients, why: 'whose clients are not installed: npm test -- mcp installs it' },
    seconds: 900,
  },
  {
    name: 'trino',
    needs: ['build', 'databases', 'trino'],
    // One server for all files.
    uses: 'trino',
    cases: trinoCases,
    optional: {
      runsByItself: wantsTrino,
      why: 'which needs ENTITY_GRAPH_TRINO=1, Maven and Python: npm test -- trino runs it, too',
      tools: 'trino',
      // So that a run of all parts ends within an hour and a half, also with second tries.
      endsAfter: 4500,
    },
    seconds: 1800,
  },
];

function lintChecks() {
  // Both look at each file by itself, so that the results of unchanged files stay true.
  const cached = (name) => ['--cache', '--cache-strategy', 'content', '--cache-location', `.cache/${name}`];
  return [
    { name: 'eslint', script: 'node_modules/eslint/bin/eslint.js', args: ['.', ...cached('eslint')] },
    {
      name: 'prettier',
      script: 'node_modules/prettier/bin/prettier.cjs',
      args: ['--check', '.', '--log-level', 'warn', ...cached('prettier')],
    },
    { name: 'imports', script: 'scripts/check-imports.mjs', args: [] },
    { name: 'l10n', script: 'scripts/l10n.mjs', args: ['--check'] },
    { name: 'schemas', script: 'scripts/schemas.mjs', args: ['--check'] },
  ];
}
