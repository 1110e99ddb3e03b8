import assert from 'node:assert/strict';
import { mkdir, readFile, readdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createExportFolder, workFolderOf } from '../../server/src/operations/stored-graphs/export-folder.ts';
import { endedProcess, tagOf } from '../support/ended-process.ts';
import { exportProject } from '../support/export-project.ts';
import { systemError, withHookedFiles } from '../support/hook-files.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';

const manifest = '.entity-graph-export.json';

/** Exports these files into `out`, like the formats do. */
async function publish(parent: string, files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const output = join(parent, 'out');
  const folder = await createExportFolder(await workFolderOf(output));
  try {
    await writeFiles(folder.path, files);
    return await folder.publishInto(Object.keys(files), output);
  } finally {
    await folder.remove();
  }
}

/** The files of a folder with their content; the manifest parsed. */
async function content(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const names = (await readdir(folder)).toSorted();
  const read = async (name: string): Promise<unknown> => {
    const text = await readFile(join(folder, name), 'utf8');
    return name === manifest ? JSON.parse(text) : text;
  };
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await read(name)] as const)));
}

describe('export into a folder', () => {
  const two = { 'events_1.csv': 'one', 'events_2.csv': 'two' };
  const one = { 'events_1.csv': 'new' };

  interface Case {
    readonly name: string;
    /** The state before. */
    readonly prepare: (parent: string) => Promise<unknown>;
    readonly after: Readonly<Record<string, unknown>>;
  }
  const cases: readonly Case[] = [
    { name: 'that does not exist', prepare: async () => undefined, after: {} },
    { name: 'that is empty', prepare: (parent) => mkdir(join(parent, 'out')), after: {} },
    { name: 'with an earlier export removes its obsolete files', prepare: (parent) => publish(parent, two), after: {} },
    {
      name: 'with an earlier export and other files removes the export only',
      prepare: async (parent) => {
        await publish(parent, two);
        await writeFiles(join(parent, 'out'), { 'events_3.csv': 'mine', 'notes.txt': 'mine' });
      },
      after: { 'events_3.csv': 'mine', 'notes.txt': 'mine' },
    },
    {
      name: 'with files of unknown origin keeps them',
      prepare: (parent) => writeFiles(join(parent, 'out'), two),
      after: { 'events_2.csv': 'two' },
    },
    {
      name: 'behind a link keeps the link',
      prepare: async (parent) => {
        await publish(parent, two);
        await rename(join(parent, 'out'), join(parent, 'elsewhere'));
        await symlink('elsewhere', join(parent, 'out'), 'dir');
      },
      after: {},
    },
    {
      name: 'whose manifest names files elsewhere touches none of them',
      prepare: (parent) =>
        writeFiles(parent, {
          'precious.txt': 'keep',
          [`out/${manifest}`]: JSON.stringify({ files: ['../precious.txt', '..', '', 7, 'events_2.csv'] }),
          'out/events_2.csv': 'old',
        }),
      after: {},
    },
    {
      name: 'whose manifest is not JSON',
      prepare: (parent) => writeFiles(parent, { [`out/${manifest}`]: '{', 'out/events_2.csv': 'old' }),
      after: { 'events_2.csv': 'old' },
    },
  ];
  for (const { name, prepare, after } of cases) {
    it(name, async () => {
      const parent = await folderWith({});
      try {
        await prepare(parent);
        const before = await readdir(parent);
        assert.deepEqual(await publish(parent, one), [join(parent, 'out', 'events_1.csv')]);
        assert.deepEqual(await content(join(parent, 'out')), {
          ...after,
          ...one,
          [manifest]: { files: ['events_1.csv'] },
        });
        assert.deepEqual(await readdir(parent), [...new Set([...before, 'out'])].toSorted());
      } finally {
        await removeFolder(parent);
      }
    });
  }

  it('an interrupted export is reported, and the next one repairs the folder', async () => {
    const parent = await folderWith({});
    try {
      await publish(parent, { ...two, 'a.csv': 'old' });
      await writeFiles(parent, { 'out/mine.txt': 'mine' });
      const failsAt = join(parent, 'out/events_1.csv');
      await withHookedFiles(
        ({ name, args }) => {
          if (name === 'rename' && args[1] === failsAt) throw systemError('EIO', name, failsAt);
        },
        () => assert.rejects(publish(parent, { 'a.csv': 'new', 'events_1.csv': 'new' }), { code: 'EIO' }),
      );
      assert.deepEqual(await content(join(parent, 'out')), {
        [manifest]: { files: ['events_1.csv', 'events_2.csv', 'a.csv'], unfinished: true },
        'a.csv': 'new',
        'events_1.csv': 'one',
        'events_2.csv': 'two',
        'mine.txt': 'mine',
      });
      await publish(parent, one);
      assert.deepEqual(await content(join(parent, 'out')), {
        [manifest]: { files: ['events_1.csv'] },
        'events_1.csv': 'new',
        'mine.txt': 'mine',
      });
    } finally {
      await removeFolder(parent);
    }
  });

  it('a folder or device at the path of a file is refused before anything is replaced', async () => {
    const parent = await folderWith({ 'out/a.csv': 'old', 'out/events_1.csv/mine': 'mine' });
    try {
      await assert.rejects(publish(parent, { 'a.csv': 'new', 'events_1.csv': 'new' }), { code: 'file-in-the-way' });
      assert.equal(await readFile(join(parent, 'out/a.csv'), 'utf8'), 'old');
    } finally {
      await removeFolder(parent);
    }
  });

  it('after a kill during the swap, the previous folder is restored', async () => {
    const killed = `.entity-graph-export-${await tagOf(endedProcess)}-abc`;
    const parent = await folderWith({
      [`${killed}/previous/out/events_1.csv`]: 'old',
      [`${killed}/files/events_1.csv`]: 'half',
    });
    try {
      await (await createExportFolder(parent)).remove();
      assert.deepEqual(await readdir(parent), ['out']);
      assert.deepEqual(await content(join(parent, 'out')), { 'events_1.csv': 'old' });
    } finally {
      await removeFolder(parent);
    }
  });

  it('omits the table of a removed element', async () => {
    const element = (name: string): string =>
      `  - { activityName: ${name}, dataObject: orders, key: id, startTimestamp: at, properties: [note] }\n`;
    const files = {
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': graphText(element('Place') + element('Pay')),
      'orders.csv': 'id,at,note\n1,2024-01-01,a\n',
    };
    await withProject(files, async (of) => {
      const removed = { parquet: 'properties_2.parquet', csv: 'properties_2.csv', neo4j: 'events_2.csv' };
      assert.equal((await of.import()).status, 'imported');
      for (const [format, name] of Object.entries(removed)) {
        assert.ok((await readdir(await exportProject(of, format, format))).includes(name), format);
      }
      await of.write({ 'graph.entity.yaml': graphText(element('Place')) });
      assert.equal((await of.import()).status, 'imported');
      for (const [format, name] of Object.entries(removed)) {
        assert.ok(!(await readdir(await exportProject(of, format, format))).includes(name), format);
      }
    });
  });
});
