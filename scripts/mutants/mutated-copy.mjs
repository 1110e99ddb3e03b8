import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheFolder, root } from '../paths.mjs';
import { endWithin, startGroup } from '../process-group.mjs';

/** Seconds after which tests have lost themselves in a loop. */
const longestRun = 900;

/** Folders of `.cache/` that builds and tests write. */
const written = /^(calls|host-tests|package|pictures|screenshots|surfaces|types)/;

/**
 * A copy of the project in a temporary folder, in which a file is changed at a time.
 * @param {readonly string[]} files of the project
 */
export function mutatedCopy(files) {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-mutants-'));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  mkdirSync(join(folder, '.cache'));
  for (const name of existsSync(cacheFolder) ? readdirSync(cacheFolder) : []) {
    if (!written.test(name)) symlinkSync(join(cacheFolder, name), join(folder, '.cache', name), 'junction');
  }
  /** What was built last: bundles of the unchanged text are used for all tests without a change. */
  let built;
  let changed;

  async function run(args) {
    const group = startGroup(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [group.child.stdout, group.child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    const { code, timedOut } = await endWithin(group, longestRun);
    return { code, timedOut, output };
  }

  async function build(script) {
    const state = JSON.stringify([script, changed]);
    if (built === state) return true;
    built = undefined;
    const { code } = await run([script]);
    if (code === 0) built = state;
    return code === 0;
  }

  function restore() {
    if (changed !== undefined) cpSync(join(root, changed.file), join(folder, changed.file));
    changed = undefined;
  }

  return {
    restore,
    /** @param {import('./make-mutants.mjs').Mutant} mutant */
    change(mutant) {
      restore();
      const path = join(folder, mutant.file);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.slice(0, mutant.start) + mutant.after + text.slice(mutant.end));
      changed = mutant;
    },
    /**
     * Runs test files to the first failure, or `test/host`, whose files run together.
     * @param {readonly string[]} tests of one part
     * @returns {Promise<{ result: 'passed' | 'failed' | 'timed out' | 'not built', failure?: string }>}
     */
    async test(tests) {
      const [first] = tests;
      const script = first.startsWith('test/e2e/') ? 'scripts/package.mjs' : 'scripts/build.mjs';
      if (!first.startsWith('test/unit/') && !(await build(script))) return { result: 'not built' };
      const mocha = [
        '--import',
        'tsx',
        'node_modules/mocha/bin/mocha.js',
        '--timeout',
        '300000',
        '--bail',
        '--reporter',
        'tap',
      ];
      const args = first === 'test/host' ? ['scripts/run-host-tests.mjs'] : ['--no-warnings', ...mocha, ...tests];
      const { code, timedOut, output } = await run(args);
      if (timedOut) return { result: 'timed out' };
      if (code === 0) return { result: 'passed' };
      const [, failure = output.trim().split('\n')[0] ?? ''] = /^(?:not ok \d+|\s*✗) (.*)$/m.exec(output) ?? [];
      return { result: 'failed', failure };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
