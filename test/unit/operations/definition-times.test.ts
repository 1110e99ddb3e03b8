import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type EntityCache,
  type EntityReading,
  listEntities,
} from '../../../server/src/operations/graph-files/list-entities.ts';
import { createGitReader } from '../../../server/src/project/committed-definitions.ts';
import { neverImported } from '../../../server/src/state/entity-status.ts';
import { writeStatus } from '../../../server/src/state/status-file.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

const text = 'version: 1\nname: Orders\ndataSource: files\nelements: []\n';

describe('times of a definition', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources: { files: { kind: csv, path: "*.csv" } }\n',
      'orders.entity.yaml': text,
    });
    file = join(folder, 'orders.entity.yaml');
  });
  afterEach(() => removeFolder(folder));

  const times = async (reading: EntityReading = {}) => {
    const [row] = (await listEntities(folder, { workspaceFolderOf: () => folder, ...reading })).rows;
    return [row?.created, row?.modified];
  };

  it('sed -i and touch without a change keep both times', async () => {
    const memory: EntityCache = new Map();
    const before = await times({ memory });
    execFileSync('sed', ['-i', 's/nothing/like it/', file]);
    await utimes(file, new Date('2030-01-01'), new Date('2030-01-01'));
    assert.deepEqual(await times({ memory }), before);
    // Of another window too.
    assert.deepEqual(await times(), before);
  });

  it('a saved change is a modification, an unsaved one is not', async () => {
    const [created, modified] = await times();
    const memory: EntityCache = new Map();
    const changed = `${text}# changed\n`;
    assert.deepEqual(await times({ memory, openText: () => changed }), [created, modified]);
    await writeFile(file, changed);
    await utimes(file, new Date('2030-01-01'), new Date('2030-01-01'));
    assert.deepEqual(await times({ memory, openText: () => changed }), [created, '2030-01-01T00:00:00.000Z']);
  });

  it('an imported text is at least as old as its import', async () => {
    const imported = '2024-05-01T00:00:00.000Z';
    const status = { ...neverImported, status: 'Imported', imported, text } as const;
    await writeStatus(join(folder, '.entity-graph'), 'orders', status);
    assert.deepEqual(await times(), [imported, imported]);
  });

  it('a clone has the times of its commits', async () => {
    const git = (...args: readonly string[]): void => {
      const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
      execFileSync('git', ['-C', folder, ...who, ...args]);
    };
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'Add', '--date=2024-01-01T00:00:00Z');
    const reading = { git: createGitReader() };
    const committed = '2024-01-01T00:00:00.000Z';
    assert.deepEqual(await times(reading), [committed, committed]);
    await writeFile(file, `${text}# changed\n`);
    await utimes(file, new Date('2030-01-01'), new Date('2030-01-01'));
    assert.deepEqual(await times(reading), [committed, '2030-01-01T00:00:00.000Z']);
    await writeFile(file, text);
    assert.deepEqual(await times(reading), [committed, committed]);
  });

  it('an untrusted workspace is read only', async () => {
    await times({ isReadOnly: true });
    assert.deepEqual((await readdir(folder)).sort(), ['entity-sources.yaml', 'orders.entity.yaml']);
  });
});
