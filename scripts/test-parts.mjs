/**
 * The parts of `npm test`, in the order in which they run. `needs` is set up first; `seconds` is the budget, after which
 * a part is stopped and counts as failed.
 */
export const testParts = [
  { name: 'lint', checks: lintChecks(), seconds: 120 },
  {
    name: 'typecheck',
    checks: [{ name: 'tsc', script: 'node_modules/typescript/bin/tsc', args: ['-b'] }],
    seconds: 120,
  },
  { name: 'unit', needs: [], seconds: 240 },
  { name: 'server', needs: ['build'], seconds: 420 },
  { name: 'engine', needs: ['build'], seconds: 1200 },
  { name: 'webview', needs: ['build', 'chromium'], seconds: 360 },
  { name: 'host', needs: ['build', 'chromium', 'vscode'], script: 'scripts/run-host-tests.mjs', seconds: 240 },
  { name: 'e2e', needs: ['package', 'chromium', 'vscode'], seconds: 900 },
];

function lintChecks() {
  return [
    { name: 'eslint', script: 'node_modules/eslint/bin/eslint.js', args: ['.'] },
    {
      name: 'prettier',
      script: 'node_modules/prettier/bin/prettier.cjs',
      args: ['--check', '.', '--log-level', 'warn'],
    },
    { name: 'imports', script: 'scripts/check-imports.mjs', args: [] },
    { name: 'l10n', script: 'scripts/l10n.mjs', args: ['--check'] },
  ];
}
