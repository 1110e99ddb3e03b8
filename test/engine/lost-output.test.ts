import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { cliPath } from '../support/run-cli.ts';

const project = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graphText('  - { activityName: A, dataObject: orders, key: id, startTimestamp: at }\n'),
  'orders.csv': 'id,at\n1,2024-01-01 08:00:00\n',
};

/** A command of each way of printing, and formats. */
const commands: readonly (readonly string[])[] = [
  ['--help'],
  ['objects', 'shop', '--format', 'json'],
  ['validate', 'graph.entity.yaml', '--format', 'json'],
  ['show-query', 'graph.entity.yaml', '--element', 'A'],
  ['plan', 'graph.entity.yaml', '--format', 'json'],
  ['test-query', 'graph.entity.yaml', '--element', 'A', '--format', 'json'],
  ['import', 'graph.entity.yaml', '--format', 'json'],
];

/** Runs a command whose output goes to a file. */
function runInto(path: string, args: readonly string[], cwd: string, wrapper: readonly string[] = []) {
  const output = openSync(path, 'w');
  try {
    const [program = '', ...rest] = [...wrapper, process.execPath, cliPath, ...args];
    const run = spawnSync(program, rest, { cwd, stdio: ['ignore', output, 'pipe'], encoding: 'utf8' });
    return { code: run.status, stderr: run.stderr };
  } finally {
    closeSync(output);
  }
}

describe('output that cannot be written', function () {
  this.timeout(0);

  it('is an error of every command, with the reason and what to do', () =>
    withProject(project, ({ folder }) => {
      if (!existsSync('/dev/full')) return Promise.resolve();
      for (const args of commands) {
        const { code, stderr } = runInto('/dev/full', args, folder);
        assert.equal(code, 1, `${args.join(' ')}: ${stderr}`);
        assert.match(stderr, /error: The disk is full, .*the output could not be written\. \[disk-full\]/);
        assert.match(stderr, /Free some space/);
      }
      return Promise.resolve();
    }));

  it('is an error also where a part of it fits, which stays', () =>
    withProject(project, async ({ folder }) => {
      if (spawnSync('prlimit', ['--version']).status !== 0) return;
      const path = join(folder, 'help.txt');
      const { code, stderr } = runInto(path, ['--help'], folder, ['prlimit', '--fsize=500']);
      assert.equal(code, 1, stderr);
      assert.match(stderr, /\[disk-full\]/);
      const written = await readFile(path);
      assert.equal(runInto(path, ['--help'], folder).code, 0);
      const whole = await readFile(path);
      assert.equal(written.length, 500);
      assert.ok(whole.length > 500 && whole.subarray(0, 500).equals(written));
    }));
});
