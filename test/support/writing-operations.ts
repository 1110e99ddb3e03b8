import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkFile } from '../../server/src/check/check-file.ts';
import { importGraph } from '../../server/src/operations/imports/import-graph.ts';
import { listEntities } from '../../server/src/operations/graph-files/list-entities.ts';
import { storedGraph } from '../../server/src/operations/stored-graphs/stored-graph.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { openStore } from '../../server/src/store/duckdb-store.ts';
import { startLspClient } from '../server/lsp-client.ts';
import { csvSources, graphText } from './import-text.ts';
import { runCli } from './run-cli.ts';
import { runCommand } from './run-command.ts';
import { fingerprint, folderWith, pathsBelow, removeFolder } from './temporary-folder.ts';
import { waitUntil } from './wait-until.ts';
import { noSecrets } from './no-secrets.ts';

const { signal } = new AbortController();

/** The last imported text, and its later modification. */
const imported = graphText(
  '  - { activityName: Place, dataObject: orders, key: id, startTimestamp: at, properties: all }\n',
);
const changed = `${imported}# changed since\n`;
const csv = (rows: number): string =>
  `id,at,note\n${Array.from({ length: rows }, (_, i) => `${i},2024-01-0${(i % 9) + 1} 08:00:00,note ${i}`).join('\n')}\n`;

/** Event counts of the existing graph, and of the next import. */
export const [rowsBefore, rowsAfter] = [20, 30];

/** Result of a run. */
export interface OperationRun {
  /** Whether it reported success. */
  readonly isDone: boolean;
  /** Other messages; empty after a crash. */
  readonly code: string;
  readonly said: string;
}

/** An operation that writes into a project, and its invariants when it is killed or fails. */
export interface WritingOperation {
  readonly name: string;
  /** Prepares a copy of the project for the operation. */
  readonly prepare?: (folder: string) => Promise<unknown>;
  readonly run: (folder: string, env: Readonly<Record<string, string>>) => Promise<OperationRun>;
  /** Verifies that files are in their old or new state. Rejects otherwise. */
  readonly check: (folder: string, isDone: boolean) => Promise<void>;
  /** Message of a run repeated after it was killed at its very end. */
  readonly refusal?: string;
  /** Whether leftovers are deleted when an editor opens the folder, because no later command handles them. */
  readonly isSweptInEditor?: true;
  /** Harmless leftovers that are never deleted. */
  readonly mayLeave?: RegExp;
}

/** A project with one import, and new data. The caller deletes it. */
export async function importedProject(): Promise<string> {
  const folder = await folderWith({
    'entity-sources.yaml': csvSources(),
    'graph.entity.yaml': imported,
    'orders.csv': csv(rowsBefore),
    'existing.svg': '<svg>before</svg>',
    'existing.json': '{"before": true}',
    '.entity-graph/layout/graph.json': layoutText(1),
    'given/graph.entity.yaml': changed,
  });
  const outcome = await importIn(folder);
  assert.equal(outcome.status, 'imported', JSON.stringify(outcome));
  await writeFile(join(folder, 'orders.csv'), csv(rowsAfter));
  await writeFile(join(folder, 'graph.entity.yaml'), changed);
  return folder;
}

/** A copy of a project for one round. */
export async function freshCopy(project: string, parent: string): Promise<string> {
  const folder = join(parent, `round-${process.pid}-${(rounds += 1)}`);
  await rm(folder, { recursive: true, force: true });
  await cp(project, folder, { recursive: true, preserveTimestamps: true });
  return folder;
}

let rounds = 0;

export async function importIn(folder: string) {
  const file = await readGraphFile(join(folder, 'graph.entity.yaml'), projectContextIn(folder));
  return importGraph(file, projectContextIn(folder), {
    onProgress: () => undefined,
    signal,
    request: { kind: 'build', isFull: true },
  });
}

const cli =
  (...args: readonly string[]): WritingOperation['run'] =>
  async (folder, env) => {
    const all = [...args, '--workspace', folder, '--format', 'json'];
    // Only interrupted operations need a process.
    const run = await (Object.keys(env).length === 0 ? runCommand(all, folder) : runCli(all, { cwd: folder, env }));
    const last =
      run.stdout
        .trim()
        .split(/\n(?=\{)/)
        .at(-1) ?? '';
    const { error, files } = (run.stdout === '' ? {} : JSON.parse(last)) as {
      readonly error?: { readonly code: string; readonly message: string };
      readonly files?: readonly { readonly action?: string; readonly message?: string }[];
    };
    const refused = files?.find(({ action }) => action === 'refused')?.message;
    return {
      isDone: run.code === 0,
      code: error?.code ?? (refused === undefined ? '' : 'refused'),
      said: `${error?.message ?? refused ?? ''} ${run.stderr}`,
    };
  };

/** Through the language server, which ends with the operation. */
const lsp =
  (
    work: (client: Awaited<ReturnType<typeof startLspClient>>, folder: string) => Promise<OperationRun>,
  ): WritingOperation['run'] =>
  async (folder, env) => {
    const client = await startLspClient({ folder, env, initializationOptions: { trusted: true, extended: true } });
    const ended = client.ended().then(() => ({ isDone: false, code: '', said: '' }));
    const run = await Promise.race([work(client, folder), ended]);
    await client.kill();
    return run;
  };

const oneOf = async (path: string, ...texts: readonly (string | RegExp | undefined)[]): Promise<void> => {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const isKnown = texts.some((each) =>
    each instanceof RegExp ? text !== undefined && each.test(text) : each === text,
  );
  assert.ok(isKnown, `${path} holds ${text === undefined ? 'nothing' : JSON.stringify(text.slice(0, 200))}`);
};

/** An import of the project, or of one with as many events. */
export function importing(...flags: readonly string[]): WritingOperation {
  return {
    name: 'import',
    run: cli('import', 'graph.entity.yaml', ...flags),
    async check(folder, isDone) {
      const events = await eventsOf(folder, 'graph.entity.yaml');
      assert.ok(isDone ? events === rowsAfter : [rowsBefore, rowsAfter].includes(events), `${events} events`);
    },
  };
}

export const writingOperations: readonly WritingOperation[] = [
  importing('--full'),
  {
    name: 'reset',
    run: cli('reset', 'graph.entity.yaml'),
    check: (folder, isDone) => oneOf(join(folder, 'graph.entity.yaml'), imported, ...(isDone ? [] : [changed])),
  },
  {
    name: 'copy',
    refusal: 'file-exists',
    isSweptInEditor: true,
    run: cli('copy', 'graph.entity.yaml', 'below/copy.entity.yaml'),
    async check(folder, isDone) {
      const copied = changed.replace('name: Test', 'name: Test (copy)');
      await oneOf(join(folder, 'below/copy.entity.yaml'), copied, ...(isDone ? [] : [undefined]));
      // Without positions, an interrupted copy is laid out again.
      await oneOf(join(folder, '.entity-graph/layout/below/copy.json'), layoutText(1), undefined);
      await oneOf(join(folder, 'graph.entity.yaml'), changed);
    },
  },
  {
    name: 'new',
    refusal: 'file-exists',
    run: cli('new', 'shop', '--sources', 'entity-sources.yaml', '--output', 'new.entity.yaml'),
    check: (folder, isDone) =>
      oneOf(
        join(folder, 'new.entity.yaml'),
        /^version: 1\nname: shop[^]*\n {4}startTimestamp: at\n(?:[^]*\n)?$/,
        ...(isDone ? [] : [undefined]),
      ),
  },
  {
    name: 'map',
    run: cli('map', 'graph.entity.yaml', '--output', 'existing.svg'),
    check: (folder, isDone) =>
      oneOf(join(folder, 'existing.svg'), /^<\?xml[^]*<\/svg>\n$/, ...(isDone ? [] : ['<svg>before</svg>'])),
  },
  {
    name: 'export-config',
    run: cli('export-config', 'graph.entity.yaml', '--as', 'json', '--output', 'existing.json'),
    async check(folder, isDone) {
      const { before, name } = JSON.parse(await readFile(join(folder, 'existing.json'), 'utf8')) as {
        before?: true;
        name?: string;
      };
      assert.ok(name === 'Test' || (!isDone && before));
    },
  },
  {
    name: 'import-config',
    prepare: (folder) => writeFile(join(folder, 'graph.entity.yaml'), imported),
    run: cli('import-config', 'given/graph.entity.yaml', '--into', '.', '--existing', 'replace'),
    check: (folder, isDone) => oneOf(join(folder, 'graph.entity.yaml'), changed, ...(isDone ? [] : [imported])),
  },
  {
    name: 'export as ocel-json',
    run: cli('export', 'graph.entity.yaml', '--as', 'ocel-json', '--output', 'existing.json'),
    async check(folder, isDone) {
      const { before, events } = JSON.parse(await readFile(join(folder, 'existing.json'), 'utf8')) as {
        before?: true;
        events?: unknown[];
      };
      assert.ok(events?.length === rowsBefore || (!isDone && before));
    },
  },
  {
    name: 'export as csv',
    prepare: async (folder) => {
      await mkdir(join(folder, 'out'));
      await writeFile(join(folder, 'out/event.csv'), 'before');
      await writeFile(join(folder, 'out/gone.csv'), 'before');
      await writeFile(join(folder, 'out/.entity-graph-export.json'), '{"files":["event.csv","gone.csv"]}\n');
    },
    run: cli('export', 'graph.entity.yaml', '--as', 'csv', '--output', 'out'),
    async check(folder, isDone) {
      const names = await pathsBelow(folder);
      const out = names.includes('out') ? 'out' : names.find((name) => name.endsWith('previous/out'));
      assert.ok(out !== undefined, names.join());
      const events = await readFile(join(folder, out, 'event.csv'), 'utf8');
      const isNew = events.split('\n').length === rowsBefore + 2;
      assert.ok(isNew || (!isDone && events === 'before'), events);
      assert.equal(names.includes(`${out}/gone.csv`), !isNew);
    },
  },
  {
    name: 'delete',
    refusal: 'file-missing',
    run: cli('delete', 'graph.entity.yaml', '--yes'),
    async check(folder, isDone) {
      // The file is deleted last, so that leftovers still belong to it.
      const names = await pathsBelow(folder);
      const state = names.filter((name) => /^\.entity-graph\/(?:state|layout)\/graph\.json$|\.duckdb$/.test(name));
      if (isDone) assert.ok(!names.includes('graph.entity.yaml'));
      if (!names.includes('graph.entity.yaml')) assert.deepEqual(state, []);
      else await oneOf(join(folder, 'graph.entity.yaml'), changed);
    },
    mayLeave: /^\.entity-graph\/state\/graph\.lock/,
  },
  {
    name: 'rename in the editor',
    prepare: async (folder) => {
      await writeFile(join(folder, 'graph.entity.yaml'), imported);
      await listIn(folder);
      await rename(join(folder, 'graph.entity.yaml'), join(folder, 'renamed.entity.yaml'));
    },
    run: lsp(async ({ connection, received }, folder) => {
      const [oldUri, newUri] = ['graph', 'renamed'].map(
        (name) => pathToFileURL(join(folder, `${name}.entity.yaml`)).href,
      );
      await connection.sendNotification('workspace/didRenameFiles', { files: [{ oldUri, newUri }] });
      // Polled, because renames are followed in the background.
      const told = () => received<{ message: string }>('window/showMessage');
      const isFollowed = await waitUntil('the rename was followed', async () => {
        await connection.sendRequest('entityGraph/entities', {});
        if (told().length > 0) return 'no';
        return existsSync(join(folder, '.entity-graph/state/renamed.json')) ? 'yes' : undefined;
      });
      return {
        isDone: isFollowed === 'yes',
        code: 'disk-full',
        said: told()
          .map(({ message }) => message)
          .join(),
      };
    }),
    async check(folder) {
      // The next listing completes it.
      const { rows } = await listIn(folder);
      const renamed = rows.find(({ file }) => file.endsWith('renamed.entity.yaml'));
      assert.equal(renamed?.status, 'Imported', JSON.stringify(rows));
      assert.equal(await eventsOf(folder, 'renamed.entity.yaml'), rowsBefore);
      await oneOf(join(folder, '.entity-graph/layout/renamed.json'), layoutText(1));
    },
    mayLeave: /^\.entity-graph\/state\/graph\.lock/,
  },
  {
    name: 'places on the canvas',
    run: lsp(async ({ connection }, folder) => {
      const uri = pathToFileURL(join(folder, 'graph.entity.yaml')).href;
      const layout = { elements: { Place: { x: 2, y: 2 } } };
      const saved = await connection.sendRequest<{ ok: boolean; error?: { code: string; message: string } }>(
        'entityGraph/saveLayout',
        { uri, layout },
      );
      return { isDone: saved.ok, code: saved.error?.code ?? '', said: saved.error?.message ?? '' };
    }),
    check: (folder, isDone) =>
      oneOf(join(folder, '.entity-graph/layout/graph.json'), layoutText(2), ...(isDone ? [] : [layoutText(1)])),
  },
];

/** Unknown leftovers of a run: temporary files, locks, builds. */
export async function leftovers(folder: string): Promise<readonly string[]> {
  const names = await pathsBelow(folder);
  return names.filter((name) =>
    /\.tmp$|\.lock$|\.lock\.discard$|\.building-|\.entity-graph-export-|\.entity-graph-probe-|\.exporting-|\.part\d$/.test(
      name,
    ),
  );
}

/** Everything in a folder except for traces of the test itself. */
export async function contentOf(folder: string): Promise<readonly string[]> {
  return (await fingerprint(folder)).filter(
    (line) => !/^\/\.entity-graph\/(?:state\/|known\.json|catalog\/|\.gitignore)/.test(line),
  );
}

export { removeFolder };

function layoutText(place: number): string {
  return `{\n  "version": 1,\n  "elements": {\n    "Place": {"x":${place},"y":${place}}\n  }\n}\n`;
}

function projectContextIn(folder: string) {
  return { ...noSecrets, environment: process.env, workspaceFolderOf: () => folder };
}

function listIn(folder: string) {
  return listEntities(folder, { workspaceFolderOf: () => folder });
}

/** Event count of the graph in the status file, after all checks passed. */
async function eventsOf(folder: string, name: string): Promise<number> {
  const file = await readGraphFile(join(folder, name), projectContextIn(folder));
  const store = await storedGraph(file, projectContextIn(folder));
  const hash = createHash('sha256')
    .update(await readFile(store))
    .digest('hex');
  const known = eventsOfStores.get(hash);
  if (known !== undefined) return known;
  const { results } = await checkFile(store, signal);
  assert.deepEqual(
    results.filter(({ ok }) => !ok),
    [],
  );
  const reader = await openStore(store);
  const [row] = await reader.query('SELECT count(*)::INT AS events FROM event').finally(() => reader.close());
  const events = Number(row?.['events']);
  eventsOfStores.set(hash, events);
  return events;
}

/** Event counts of stores that passed all checks, by the hash of their bytes: after most rounds, it is the old one. */
const eventsOfStores = new Map<string, number>();
