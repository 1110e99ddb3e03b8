import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

/** The exports of `scripts/trino-cases.mjs`, which has no types. */
interface TrinoCases {
  trinoCases(folder: string): {
    readonly cases: ReadonlyMap<string, readonly string[]> | undefined;
    readonly reason: string;
  };
  noteWholeRun(folder: string): void;
  parseCases(text: string): ReadonlyMap<string, readonly string[]>;
}

describe('cases of the test part trino', () => {
  let scripts: TrinoCases;
  let folder: string;
  before(async () => {
    scripts = (await import(new URL('../../../scripts/trino-cases.mjs', import.meta.url).href)) as TrinoCases;
  });
  beforeEach(async () => {
    folder = await folderWith({
      'server/src/query/print.ts': '',
      'server/src/connectors/trino/pull.ts': '',
      'server/src/lsp/main.ts': '',
      'test/trino/values.test.ts': '',
      'test/trino/chosen-cases.txt':
        '# By breadth.\nvalues.test.ts: values of Trino: shown\nvalues.test.ts: times\nrules.test.ts: rules\n',
    });
    git('init', '--quiet', '--initial-branch', 'main');
    commit('first');
  });
  afterEach(() => removeFolder(folder));

  function git(...args: readonly string[]): void {
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.org'];
    execFileSync('git', [...author, ...args], { cwd: folder, stdio: 'pipe' });
  }
  function commit(message: string): void {
    git('add', '--all');
    git('commit', '--quiet', '--message', message);
  }
  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const count = (): number | undefined => {
    const { cases } = scripts.trinoCases(folder);
    return cases && [...cases.values()].flat().length;
  };

  it('are all where no whole run is noted', () => {
    const { cases, reason } = scripts.trinoCases(folder);
    assert.equal(cases, undefined);
    assert.equal(reason, 'all cases, as test/trino/last-whole-run.txt names no commit before this one');
  });

  it('are the chosen ones after a whole run, and after changes that do not decide about them', () => {
    scripts.noteWholeRun(folder);
    commit('noted');
    write('server/src/lsp/main.ts', 'changed');
    commit('other code');
    assert.deepEqual(
      scripts.trinoCases(folder).cases,
      new Map([
        ['test/trino/values.test.ts', ['values of Trino: shown', 'times']],
        ['test/trino/rules.test.ts', ['rules']],
      ]),
    );
  });

  for (const file of ['server/src/query/print.ts', 'server/src/connectors/trino/new.ts', 'test/trino/values.test.ts']) {
    it(`are all when ${file} has changed, committed or not`, () => {
      scripts.noteWholeRun(folder);
      assert.equal(count(), 3);
      write(file, 'changed');
      const { cases, reason } = scripts.trinoCases(folder);
      assert.deepEqual([cases, reason], [undefined, `all cases, as ${file} has changed since they ran last`]);
      commit('changed');
      assert.equal(count(), undefined);
      scripts.noteWholeRun(folder);
      assert.equal(count(), 3);
    });
  }

  it('are all when the noted commit does not lead to this one', () => {
    git('switch', '--quiet', '--create', 'other');
    write('server/src/lsp/main.ts', 'changed');
    commit('other');
    scripts.noteWholeRun(folder);
    assert.equal(count(), 3);
    git('switch', '--quiet', 'main');
    assert.equal(count(), undefined);
    write('test/trino/last-whole-run.txt', `${'0'.repeat(40)}\n`);
    assert.equal(count(), undefined);
  });

  it('are refused without a title', () =>
    assert.throws(() => scripts.parseCases('values.test.ts'), /a line without file and title: values.test.ts/));
});
