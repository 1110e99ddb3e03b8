import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { committedTimes, createGitReader } from '../../../server/src/project/committed-definitions.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

describe('definitions in a Git repository', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await folderWith({});
    git('init', '-q');
  });
  afterEach(() => removeFolder(folder));

  function git(...args: readonly string[]): void {
    const identity = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org', GIT_CONFIG_GLOBAL: '/dev/null' };
    const env = { ...process.env, ...identity, GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' };
    execFileSync('git', ['-C', folder, ...args], { env });
  }
  function commit(date: string): void {
    git('add', '-A');
    git('commit', '-q', '-m', 'Change', `--date=${date}`);
  }
  const read = async (name: string, text: string) => {
    const file = join(folder, name);
    const found = (await createGitReader()([file])).get(file);
    return found && [found.created, found.modified, found.has(text)];
  };

  it('a file has the times of its first commit and of the last change of its content', async () => {
    writeFileSync(join(folder, 'ä b.entity.yaml'), 'one\n');
    commit('2024-01-01T10:00:00+02:00');
    writeFileSync(join(folder, 'ä b.entity.yaml'), 'two\n');
    commit('2024-02-01T10:00:00+00:00');
    mkdirSync(join(folder, 'sub'));
    renameSync(join(folder, 'ä b.entity.yaml'), join(folder, 'sub/c.entity.yaml'));
    commit('2024-03-01T10:00:00+00:00');
    const times = ['2024-01-01T08:00:00.000Z', '2024-02-01T10:00:00.000Z'];
    assert.deepEqual(await read('sub/c.entity.yaml', 'two\n'), [...times, true]);
    assert.deepEqual(await read('sub/c.entity.yaml', 'two\r\n'), [...times, true]);
    assert.deepEqual(await read('sub/c.entity.yaml', 'three\n'), [...times, false]);
  });

  it('the times of a file are unknown if it is not committed, without commits, and without Git', async () => {
    writeFileSync(join(folder, 'a.entity.yaml'), 'one\n');
    assert.equal(await read('a.entity.yaml', 'one\n'), undefined);
    const file = join(folder, 'a.entity.yaml');
    assert.equal((await createGitReader('no-such-program-as-this')([file])).size, 0);
    const plain = await folderWith({ 'a.entity.yaml': 'one\n' });
    assert.equal((await createGitReader()([join(plain, 'a.entity.yaml')])).size, 0);
    await removeFolder(plain);
  });

  it('a later commit is noticed by the same reader', async () => {
    const file = join(folder, 'a.entity.yaml');
    const reader = createGitReader();
    writeFileSync(file, 'one\n');
    commit('2024-01-01T10:00:00Z');
    assert.equal((await reader([file])).get(file)?.modified, '2024-01-01T10:00:00.000Z');
    writeFileSync(file, 'two\n');
    commit('2024-05-01T10:00:00Z');
    assert.equal((await reader([file])).get(file)?.modified, '2024-05-01T10:00:00.000Z');
  });

  it('programs named by the configuration of the repository do not run', async () => {
    const file = join(folder, 'a.entity.yaml');
    const trap = join(folder, 'trap.sh');
    writeFileSync(trap, `#!/bin/sh\ntouch ${join(folder, 'sprung')}\n`);
    chmodSync(trap, 0o755);
    writeFileSync(file, 'one\n');
    writeFileSync(join(folder, '.gitattributes'), '*.yaml diff=trap filter=trap\n');
    commit('2024-01-01T10:00:00Z');
    for (const setting of ['core.pager', 'core.fsmonitor', 'gpg.program', 'diff.external', 'diff.trap.textconv']) {
      git('config', setting, trap);
    }
    git('config', 'log.showSignature', 'true');
    git('config', 'pager.log', 'true');
    assert.equal((await createGitReader()([file])).size, 1);
    assert.equal(existsSync(join(folder, 'sprung')), false);
  });

  it('a file that was deleted and created again is a new one', () => {
    const entries = [
      ['2024-03-01T00:00:00Z', 'A', 'a.entity.yaml'],
      ['2024-02-01T00:00:00Z', 'D', 'a.entity.yaml'],
      ['2024-01-01T00:00:00Z', 'A', 'a.entity.yaml'],
    ];
    const log = entries.map(([time, status, path]) => `\u0001${time}\0\n${status}\0${path}\0`).join('');
    const time = '2024-03-01T00:00:00.000Z';
    assert.deepEqual([...committedTimes(log)], [['a.entity.yaml', { created: time, modified: time }]]);
  });
});
