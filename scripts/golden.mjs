// `npm run golden`: rewrites the golden files in test/golden. Review the difference before committing it.
import { spawnSync } from 'node:child_process';
import { root } from './paths.mjs';

const args = ['--import', 'tsx', 'node_modules/mocha/bin/mocha.js', '--timeout', '120000'];
const { status } = spawnSync(
  process.execPath,
  [...args, 'test/engine/golden-plans.test.ts', 'test/engine/golden-graphs.test.ts'],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, RENEW_GOLDEN: '1' },
  },
);
process.exitCode = status ?? 1;
