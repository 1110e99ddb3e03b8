import { hasReaders } from './readers.mjs';
import { wantsTrino } from './trino-install.mjs';

/**
 * The parts of `npm test`, in the order in which they start.
 *
 * * `needs` is set up first; `databases` are servers that all test processes share. Parts with the same `uses` do not run
 *   at the same time.
 * * `seconds` is the time limit of a check, a script or a file, after which it is stopped and fails. `usualSeconds` is the
 *   usual time of all other files together, on a machine with two processors.
 * * The `longest` files start first, so that no processor waits for one of them at the end.
 * * The `waiting` files run beside the others, because they wait most of the time. So do parts with a `lane`: those with a
 *   screen wait for half of the time, and several at once would need too much memory.
 * * `duckdbThreads` is for small data, for which handing it from thread to thread takes DuckDB a third of the processor
 *   time. The `parallel` files have one thread per processor, because they have much data, limit its memory, or compare
 *   whole graphs.
 * * An `optional` part needs large external tools. It runs when it is named, which installs them, and otherwise only if
 *   `runsByItself` returns true; `why` is the reason why it is skipped. A part that runs by itself is also skipped if its
 *   `tools` (one of its needs) cannot be set up; tests that have not ended `endsAfter` seconds after the start of the whole
 *   run are skipped, too.
 */
export const testParts = [
  { name: 'lint', checks: lintChecks(), seconds: 900, usualSeconds: 50 },
  {
    name: 'typecheck',
    checks: [{ name: 'tsc', script: 'node_modules/typescript-7/bin/tsc', args: ['-b'] }],
    seconds: 900,
    usualSeconds: 15,
  },
  // Loading modules takes most of its time, so one process is faster than two.
  { name: 'unit', uses: 'one process', seconds: 900, usualSeconds: 230 },
  { name: 'e2e', needs: ['package', 'chromium', 'vscode'], lane: 'screen', seconds: 900, usualSeconds: 400 },
  {
    name: 'host',
    needs: ['build', 'chromium', 'vscode'],
    lane: 'screen',
    script: 'scripts/run-host-tests.mjs',
    seconds: 900,
    usualSeconds: 60,
  },
  {
    name: 'webview',
    needs: ['build', 'chromium'],
    lane: 'screen',
    seconds: 900,
    usualSeconds: 260,
    duckdbThreads: 1,
  },
  {
    name: 'engine',
    needs: ['build', 'databases'],
    seconds: 900,
    usualSeconds: 1460,
    longest: [
      'source-engine',
      'log-identity',
      'full-disk',
      'ten-million-rows',
      'postgresql-values',
      'incremental-import',
      'process-rules',
      'servicenow-complete',
      'export-valid',
      'process-map',
      'event-graph',
      'kill',
      'text-keys',
      'drafts',
      'postgresql-halted',
      'reliability',
      'killed-writes',
      'cli-bad-input',
      'clock',
    ],
    waiting: ['kept-rows', 'diagnose-source', 'import-lock', 'sqlite-source', 'http-network', 'rest-connection'],
    duckdbThreads: 1,
    parallel: [
      'csv-pull',
      'fetched-memory',
      'golden-graphs',
      'invariants',
      'reliability',
      'retry-with-more-memory',
      'samples-incidents',
      'store',
      'ten-million-rows',
    ],
  },
  {
    name: 'databases',
    needs: ['build', 'databases', 'mariadb'],
    seconds: 900,
    usualSeconds: 160,
    longest: ['split-random'],
    duckdbThreads: 1,
  },
  {
    name: 'server',
    needs: ['build', 'databases'],
    seconds: 900,
    usualSeconds: 270,
    longest: ['large-documents', 'queries', 'hostile-workspaces', 'nasty-documents', 'fuzz'],
    waiting: ['slow-sources', 'nasty-sources'],
    duckdbThreads: 1,
  },
  {
    name: 'readers',
    needs: ['build', 'readers'],
    optional: { runsByItself: hasReaders, why: 'whose tools are not installed: npm test -- readers installs them' },
    seconds: 1200,
    usualSeconds: 300,
  },
  {
    name: 'trino',
    needs: ['build', 'databases', 'trino'],
    // One server for all files.
    uses: 'one process',
    optional: {
      runsByItself: wantsTrino,
      why: 'which needs ENTITY_GRAPH_TRINO=1, Maven and Python: npm test -- trino runs it, too',
      tools: 'trino',
      // So that a run of all parts ends within an hour and a half, also with second tries.
      endsAfter: 4500,
    },
    seconds: 1800,
    usualSeconds: 1800,
  },
  {
    name: 'citus',
    needs: ['build'],
    // One cluster for all files.
    uses: 'one process',
    optional: {
      runsByItself: () => Boolean(process.env.ENTITY_GRAPH_CITUS),
      why: 'which needs ENTITY_GRAPH_CITUS, the folder of a PostgreSQL with Citus',
    },
    seconds: 1800,
    usualSeconds: 600,
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
