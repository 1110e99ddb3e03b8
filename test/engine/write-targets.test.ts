import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../server/src/cli/commands/index.ts';
import { toFailure } from '../../server/src/operations/operation-error.ts';
import type { Failure } from '../../protocol/query-results.ts';
import { exportFormats } from '../../server/src/export/export-formats.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { makeDevice } from '../support/make-device.ts';
import { runCli } from '../support/run-cli.ts';
import { fingerprint, folderWith, removeFolder } from '../support/temporary-folder.ts';
import { withoutPrivileges } from '../support/without-privileges.ts';
import { noSecrets } from '../support/no-secrets.ts';

const graph = graphText('  - { activityName: A, dataObject: orders, key: id, startTimestamp: at, properties: all }\n');

/** A command that writes to a path named by the user. */
interface Writer {
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Refuses to overwrite a file. */
  readonly isNew?: true;
  readonly ending: string;
  /** Operands and options that name an output path. */
  readonly args: (path: string, folder: string) => readonly string[];
}

const graphFile = (folder: string): string => join(folder, 'shop.entity.yaml');
const writers: readonly Writer[] = [
  ...Object.entries(exportFormats).map(([form, { singleFile }]): Writer => ({
    name: `export as ${form}`,
    kind: singleFile === undefined ? 'folder' : 'file',
    ending: '',
    args: (path, folder) => ['export', graphFile(folder), '--as', form, '--output', path],
  })),
  { name: 'map', kind: 'file', ending: '.svg', args: (path, folder) => ['map', graphFile(folder), '--output', path] },
  {
    name: 'new',
    kind: 'file',
    isNew: true,
    ending: '.entity.yaml',
    args: (path, folder) => ['new', 'shop', '--sources', join(folder, 'entity-sources.yaml'), '--output', path],
  },
  {
    name: 'copy',
    kind: 'file',
    isNew: true,
    ending: '.entity.yaml',
    args: (path, folder) => ['copy', graphFile(folder), path],
  },
  {
    name: 'export-config',
    kind: 'file',
    ending: '',
    args: (path, folder) => ['export-config', graphFile(folder), '--as', 'json', '--output', path],
  },
  {
    name: 'import-config',
    kind: 'folder',
    ending: '',
    args: (path, folder) => ['import-config', graphFile(folder), '--into', path],
  },
];

/** Runs a command in this process like the command line does. */
async function run(args: readonly string[], folder: string): Promise<Failure | undefined> {
  const [name, ...rest] = args;
  const command = commands.find((each) => each.name === name);
  assert.ok(command);
  const options: Record<string, string> = {};
  const operands: string[] = [];
  for (let index = 0; index < rest.length; index += 1) {
    const word = rest[index] ?? '';
    if (word.startsWith('--')) options[word.slice(2)] = rest[(index += 1)] ?? '';
    else operands.push(word);
  }
  const silent = {
    result: () => undefined,
    document: () => undefined,
    note: () => undefined,
    progress: () => undefined,
    endProgress: () => undefined,
  };
  const { signal } = new AbortController();
  const projectContext = {
    ...noSecrets,
    environment: process.env,
    workspaceFolderOf: () => folder,
  };
  try {
    await command.run({
      ...{ operands, options, lists: {}, signal, projectContext, format: 'json' },
      terminal: { ...silent, ask: undefined },
      readInput: async () => '',
    });
    return undefined;
  } catch (error) {
    return toFailure(error, signal);
  }
}

interface BadTarget {
  readonly name: string;
  readonly for: readonly Writer['kind'][];
  /** Creates what is in the way, and returns the named path. */
  readonly path: (folder: string, ending: string) => Promise<string> | string;
  readonly code: string;
  readonly message: RegExp;
}

const badTargets: readonly BadTarget[] = [
  {
    name: 'a folder',
    for: ['file'],
    async path(folder, ending) {
      const path = join(folder, `there${ending}`);
      await mkdir(path);
      return path;
    },
    code: 'is-folder',
    message: /there\S* is a folder\.$/,
  },
  {
    name: 'a file',
    for: ['folder'],
    path: (folder) => join(folder, 'orders.csv'),
    code: 'file-in-the-way',
    message: /orders\.csv is a file/,
  },
  {
    name: 'below a file',
    for: ['file', 'folder'],
    path: (folder, ending) => join(folder, `orders.csv/below/it${ending}`),
    code: 'file-in-the-way',
    message: /orders\.csv is not a folder/,
  },
  {
    name: 'a pipe',
    for: ['file', 'folder'],
    path(folder, ending) {
      const path = join(folder, `pipe${ending}`);
      assert.equal(spawnSync('mkfifo', [path]).status, 0);
      return path;
    },
    code: '',
    message: /pipe\S* is a pipe/,
  },
  {
    name: 'a device behind a link',
    for: ['file', 'folder'],
    async path(folder, ending) {
      const path = join(folder, `device${ending}`);
      await makeDevice(join(folder, 'full'), 'full');
      await symlink('full', path);
      return path;
    },
    code: '',
    message: /device\S* is a device/,
  },
  {
    name: 'a device',
    for: ['file', 'folder'],
    async path(folder, ending) {
      const path = join(folder, `device${ending}`);
      await makeDevice(path, 'full');
      return path;
    },
    code: '',
    message: /device\S* is a device/,
  },
  {
    name: 'in a folder that cannot have files',
    for: ['file', 'folder'],
    path: (_folder, ending) => `/proc/entity-graph/below/it${ending}`,
    code: 'cannot-be-written',
    message: /^\/proc\/entity-graph\/below\/it\S* is not there, and cannot be created/,
  },
  {
    name: 'with a name that is too long',
    for: ['file', 'folder'],
    path: (folder, ending) => join(folder, `${'long'.repeat(80)}${ending}`),
    code: 'path-too-long',
    message: /is too long/,
  },
  {
    name: 'behind links that refer to each other',
    for: ['file', 'folder'],
    async path(folder, ending) {
      await symlink(`two${ending}`, join(folder, `one${ending}`));
      await symlink(`one${ending}`, join(folder, `two${ending}`));
      return join(folder, `one${ending}`);
    },
    code: 'cannot-be-written',
    message: /links that lead into each other/,
  },
];

describe('output files', () => {
  let folder = '';
  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'shop.entity.yaml': graph,
      'orders.csv': 'id,at\n1,2024-01-01 08:00:00\n',
    });
    assert.equal(await run(['import', graphFile(folder), '--workspace', folder], folder), undefined);
  });
  after(() => removeFolder(folder));

  for (const writer of writers) {
    for (const target of badTargets.filter((each) => each.for.includes(writer.kind))) {
      it(`${writer.name} › ${target.name} is refused with an explanation, and nothing is written`, async () => {
        const path = await target.path(folder, writer.ending);
        const before = await everything(folder);
        const failure = await run(writer.args(path, folder), folder);
        assert.ok(failure, 'It was written.');
        assert.match(failure.message, target.message);
        assert.notEqual(failure.code, 'internal-error');
        if (target.code !== '') assert.equal(failure.code, target.code, failure.message);
        assert.ok((failure.remedy ?? '').endsWith('.'), failure.message);
        assert.deepEqual(await everything(folder), before);
        for (const name of before.filter((each) => /^\/(there|pipe|device|full|one|two)/.test(each)))
          await rm(join(folder, name.split(' ')[0] ?? ''), { recursive: true });
      });
    }

    if (!writer.isNew) {
      it(`${writer.name} › a link to a ${writer.kind} is followed and kept`, async () => {
        const elsewhere = await mkdtemp(join(tmpdir(), 'entity-graph-test-'));
        const [real, link] = [join(elsewhere, `real${writer.ending}`), join(folder, `link${writer.ending}`)];
        try {
          if (writer.kind === 'folder') await mkdir(real);
          await symlink(real, link);
          // On the second run the output exists; a file must not exist on the first.
          for (const round of writer.name === 'import-config' ? [1] : [1, 2]) {
            assert.equal(await run(writer.args(link, folder), folder), undefined, `round ${round}`);
            assert.equal(await readlink(link), real);
            assert.deepEqual(await readdir(elsewhere), [`real${writer.ending}`]);
            const { size } = await stat(
              writer.kind === 'folder' ? join(real, (await readdir(real)).at(-1) ?? '') : real,
            );
            assert.ok(size > 0);
          }
        } finally {
          await rm(link, { force: true });
          await removeFolder(elsewhere);
        }
      });
    }

    it(`${writer.name} › missing write permission is reported`, async () => {
      const closed = await mkdtemp(join(tmpdir(), 'entity-graph-test-'));
      try {
        await chmod(closed, 0o555);
        for (const path of [join(closed, `it${writer.ending}`), join(closed, `below/it${writer.ending}`)]) {
          const done = await runCli([...writer.args(path, folder), '--workspace', folder, '--format', 'json'], {
            cwd: folder,
            ...withoutPrivileges,
          });
          const { error } = JSON.parse(done.stdout.trim().split('\n').at(-1) ?? '') as { error?: Failure };
          assert.deepEqual([done.code, error?.code], [1, 'no-write-permission'], done.stdout);
          assert.ok(error?.message.includes(path), error?.message);
        }
        assert.deepEqual(await readdir(closed), []);
      } finally {
        await chmod(closed, 0o755);
        await removeFolder(closed);
      }
    });
  }

  it('read-only project: each command that writes there reports it', async () => {
    const project = await folderWith({
      'entity-sources.yaml': csvSources(),
      'shop.entity.yaml': graph,
      'orders.csv': 'id,at\n1,2024-01-01 08:00:00\n',
    });
    const protect = (mode: string): void => assert.equal(spawnSync('chmod', ['-R', mode, project]).status, 0);
    const cases: readonly (readonly [args: readonly string[], isImported: boolean])[] = [
      [['import', 'shop.entity.yaml'], false],
      [['delete', 'shop.entity.yaml', '--yes'], false],
      [['import', 'shop.entity.yaml'], true],
      [['delete', 'shop.entity.yaml', '--yes'], true],
      [['reset', 'shop.entity.yaml'], true],
    ];
    try {
      for (const [args, isImported] of cases) {
        if (isImported && !(await readdir(project)).includes('.entity-graph')) {
          assert.equal(await run(['import', graphFile(project)], project), undefined);
          await writeFile(graphFile(project), `${graph}# changed\n`);
        }
        protect('a-w');
        const before = await everything(project);
        const done = await runCli([...args, '--workspace', project, '--format', 'json'], {
          cwd: project,
          ...withoutPrivileges,
        });
        const { error } = JSON.parse(done.stdout.trim().split('\n').at(-1) ?? '') as { error?: Failure };
        assert.deepEqual([done.code, error?.code], [1, 'no-write-permission'], `${args.join(' ')}: ${done.stdout}`);
        assert.deepEqual(await everything(project), before);
        protect('u+w');
      }
    } finally {
      protect('u+w');
      await removeFolder(project);
    }
  });

  it('a socket is refused', async () => {
    const path = join(folder, 'socket');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    try {
      const failure = await run(['export-config', graphFile(folder), '--as', 'yaml', '--output', path], folder);
      assert.match(failure?.message ?? '', /socket is a socket, not a file/);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('a read-only file is not replaced, even in a writable folder', async () => {
    const kept = await folderWith({ 'kept.svg': 'mine' });
    try {
      await chmod(kept, 0o777);
      await chmod(join(kept, 'kept.svg'), 0o444);
      const done = await runCli(
        ['map', graphFile(folder), '--output', join(kept, 'kept.svg'), '--format', 'json'],
        withoutPrivileges,
      );
      assert.match(done.stdout, /no-write-permission/);
      assert.equal(await readFile(join(kept, 'kept.svg'), 'utf8'), 'mine');
    } finally {
      await removeFolder(kept);
    }
  });

  it('a replaced file keeps its mode', async () => {
    const kept = await folderWith({ 'map.svg': 'old' });
    try {
      await chmod(join(kept, 'map.svg'), 0o640);
      assert.equal(await run(['map', graphFile(folder), '--output', join(kept, 'map.svg')], folder), undefined);
      assert.equal((await stat(join(kept, 'map.svg'))).mode & 0o777, 0o640);
      assert.match(await readFile(join(kept, 'map.svg'), 'utf8'), /<svg/);
    } finally {
      await removeFolder(kept);
    }
  });

  it('an export into a writable folder below a read-only one succeeds', async () => {
    const closed = await mkdtemp(join(tmpdir(), 'entity-graph-test-'));
    try {
      await mkdir(join(closed, 'out'));
      await chmod(join(closed, 'out'), 0o777);
      await chmod(closed, 0o555);
      for (const round of [1, 2]) {
        const args = [
          'export',
          graphFile(folder),
          '--as',
          'csv',
          '--output',
          join(closed, 'out'),
          '--workspace',
          folder,
        ];
        const done = await runCli(args, withoutPrivileges);
        assert.equal(done.code, 0, `${round}: ${done.stderr}`);
        const names = await readdir(join(closed, 'out'));
        assert.ok(
          names.includes('event.csv') && !names.some((name) => name.startsWith('.entity-graph-export-')),
          names.join(),
        );
      }
    } finally {
      await chmod(closed, 0o755);
      await removeFolder(closed);
    }
  });

  it('Reset refuses a graph that is a link out of its workspace', async () => {
    const outside = await folderWith({ 'profile.yaml': `${graph}# mine\n` });
    try {
      await rm(graphFile(folder));
      await symlink(join(outside, 'profile.yaml'), graphFile(folder));
      const failure = await run(['reset', graphFile(folder)], folder);
      assert.equal(failure?.code, 'link-leads-out', failure?.message);
      assert.match(await readFile(join(outside, 'profile.yaml'), 'utf8'), /# mine/);
    } finally {
      await removeFolder(outside);
    }
  });
});

/** The content of a folder: files with their content, links and others by kind. */
async function everything(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true });
  const others = await Promise.all(
    entries.map(async (path) => {
      const there = await lstat(join(folder, path));
      return there.isFile() ? [] : [`/${path} ${there.mode}`];
    }),
  );
  return [...(await fingerprint(folder)), ...others.flat()].toSorted();
}
