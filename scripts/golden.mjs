// `npm run golden`: writes the golden files in test/golden anew. Read the difference before it is committed.
import { spawnSync } from 'node:child_process';
import { root } from './paths.mjs';

const args = ['--import', 'tsx', 'node_modules/mocha/bin/mocha.js', '--timeout', '120000'];
const { status } = spawnSync(process.execPath, [...args, 'test/engine/golden-plans.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, RENEW_GOLDEN: '1' },
});
process.exitCode = status ?? 1;
