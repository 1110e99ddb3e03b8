// The rounds of full-disk.test.ts, which runs mocha for them on a small disk, if one can be mounted: ENTITY_GRAPH_DISK
// is its folder. Otherwise files may not grow beyond a limit. ENTITY_GRAPH_POSTGRES is a sources file of a server with
// a table `orders`.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type WriteMoment, atWrite, readTrace } from '../support/at-write.ts';
import { startPagedService } from '../simulator/paged-service.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { graphText } from '../support/import-text.ts';
import { instanceSettings } from '../support/servicenow-source.ts';
import { countSoak, hasSoakTime, isSoak, soakCases, soakIt, soakList } from '../support/soak.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import {
  type WritingOperation,
  contentOf,
  freshCopy,
  importIn,
  importing,
  importedProject,
  leftovers,
  rowsAfter,
  rowsBefore,
  writingOperations,
} from '../support/writing-operations.ts';

const disk = process.env['ENTITY_GRAPH_DISK'];
const sources = process.env['ENTITY_GRAPH_POSTGRES'] ?? '';
const filler = join(disk ?? '', 'filler');
const momentOf = (at: number): WriteMoment =>
  disk === undefined ? { at, action: 'limit' } : { at, action: 'fill', filler };

/** The phases of an import, by the files written in them. */
const phases: Readonly<Record<string, RegExp>> = {
  'beginning, the lock': /^open .*state\/\.entity-graph-[^ ]* wx$/,
  'schema discovery, the catalog': /^open .*catalog\/\.entity-graph-[^ ]* wx$/,
  'schema discovery, the words of the catalog': /^handle\.writeFile$/,
  'data pull, the folder': /^mkdir .*\.building-/,
  'data pull, the first file': /^sql ATTACH .*AS entity_graph_rows/,
  'data pull, the store': /^sql ATTACH .*AS graph/,
  'data pull, an element': /^sql CREATE TABLE "element_1"/,
  'graph build, entities': /^sql CREATE TABLE graph\.entity /,
  'graph build, events': /^sql CREATE TABLE graph\.entity_graph_storage\.coded_event /,
  'graph build, the last table': /^sql CREATE TABLE graph\.process_map_path /,
  'post-load checks, the record of the run': /^sql CREATE TABLE graph\.run/,
  'post-load checks, writing the graph': /^sql CHECKPOINT graph/,
  'rows for the next import': /^sql CREATE TABLE kept_rows/,
  'rows for the next import, written': /^sql CHECKPOINT$/,
  'the graph takes its place': /^rename .*graph\.duckdb /,
  'rows for the next import take their place': /^rename .*entity_graph_rows/,
};

/** A source of fetched records, with the same numbers before and after `change` as the other projects. */
interface FetchedSource {
  readonly settings: object;
  readonly element: string;
  change(): void;
  close(): Promise<void>;
}

async function startPlatform(): Promise<FetchedSource> {
  const simulator = await startSimulator({ incidents: rowsAfter });
  const incidents = simulator.instance.data.get('incident') ?? [];
  const later = incidents.splice(rowsBefore);
  return {
    settings: instanceSettings(simulator, { tables: ['incident'], incremental: true, pageSize: 10 }),
    element: '{ activityName: Open, dataObject: incident, startTimestamp: opened_at, properties: all }',
    change() {
      incidents.push(...later.map((each) => ({ ...each, sys_updated_on: '2024-06-01 10:00:00' })));
    },
    close: () => simulator.close(),
  };
}

async function startService(): Promise<FetchedSource> {
  const service = await startPagedService(rowsAfter, 10, { accepts: () => true });
  const later = service.orders.splice(rowsBefore);
  const pagination = { style: 'offset', total: 'meta.total' };
  const endpoint = { name: 'orders', key: 'id', path: '/by-offset', records: 'data.items', pagination };
  return {
    settings: { kind: 'rest', baseUrl: service.url, endpoints: [endpoint] },
    element: '{ activityName: Place, dataObject: orders, key: id, startTimestamp: at, properties: all }',
    change: () => void service.orders.push(...later),
    close: () => service.close(),
  };
}

const takingIn = {
  'a segment': /^stream\.open .*\.jsonl$/,
  'records in it': /^stream\.write$/,
  'taking it in': /^sql INSERT INTO temp\."fetched 1/,
  'what queries read': /^sql CREATE TABLE "element_1"/,
};
const keeping = {
  'records for the next import': /^sql COPY \(SELECT/,
  'records for the next import, in their place': /^rename .*\.parquet/,
  'what is told of them': /^open .*records.*\.entity-graph-[^ ]* wx$/,
  'what is told of them, its words': /^handle\.writeFile$/,
};

const fetchedSources: readonly (readonly [
  name: string,
  phases: Readonly<Record<string, RegExp>>,
  flags: readonly string[],
  start: () => Promise<FetchedSource>,
])[] = [
  ['the platform, all of them', { ...takingIn, ...keeping }, ['--full'], startPlatform],
  [
    'the platform, what changed',
    { 'records of the import before': /^copyFile .*\.parquet/, ...takingIn, ...keeping },
    [],
    startPlatform,
  ],
  ['a REST interface', takingIn, [], startService],
];

describe(`full disk${disk === undefined ? ' (simulated by a file size limit)' : ''}`, function () {
  this.timeout(0);
  let project = '';
  before(async () => (project = await importedProject()));
  after(() => removeFolder(project));

  const start = async ({ prepare }: Pick<WritingOperation, 'prepare'>, from = project): Promise<string> => {
    const folder = await freshCopy(from, disk ?? tmpdir());
    await prepare?.(folder);
    return folder;
  };
  const momentsOf = async (operation: WritingOperation, from?: string): Promise<readonly string[]> => {
    const trace = join(tmpdir(), `entity-graph-trace-${randomUUID()}`);
    const folder = await start(operation, from);
    const done = await operation.run(folder, atWrite({ trace }));
    assert.ok(done.isDone, done.said);
    await removeFolder(folder);
    const moments = await readTrace(trace);
    await rm(trace, { force: true });
    return moments;
  };

  /**
   * One run on a full disk: the state is the one before or after, the message explains, nothing is left over, and a
   * repetition with enough room succeeds.
   */
  async function round(
    operation: WritingOperation,
    at: number,
    about: string,
    from?: string,
    again?: WritingOperation,
  ): Promise<'done' | 'refused'> {
    const folder = await start(operation, from);
    try {
      // Caches may be newer than what the operation was to write.
      const cache = again ? /^\/\.entity-graph\/records\/|\/layouts\.kept / : /\/layouts\.kept /;
      const content = async (): Promise<readonly string[]> =>
        (await contentOf(folder)).filter((line) => !cache.test(line));
      const before = await content();
      const run = await operation.run(folder, atWrite(momentOf(at)));
      if (disk !== undefined) {
        const { bavail } = await statfs(disk);
        assert.ok(bavail < 2000, `${about}: the disk was not full`);
      }
      await rm(filler, { force: true });
      if (!run.isDone) {
        assert.match(run.said, /disk is full/, `${about}: ${run.code} ${run.said}`);
        if (run.code !== 'refused') assert.equal(run.code, 'disk-full', `${about}: ${run.said}`);
        assert.deepEqual(await content(), before, about);
      }
      await operation.check(folder, run.isDone);
      assert.deepEqual(await leftovers(folder), [], about);
      // The row cache may be newer than the graph; the next import continues from it.
      if (again) assert.deepEqual(await keptFiles(folder), await describedFiles(folder), about);
      const next = await (again ?? operation).run(folder, {});
      assert.ok(next.isDone || next.code === operation.refusal, `${about}, again: ${next.said}`);
      await operation.check(folder, true);
      countSoak();
      return run.isDone ? 'done' : 'refused';
    } catch (error) {
      throw new Error(`${about}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    } finally {
      await rm(filler, { force: true });
      await removeFolder(folder);
    }
  }

  const [fullImport, ...others] = writingOperations;
  assert.ok(fullImport?.name === 'import');

  const imports = [
    ['files', undefined, {}],
    [
      'PostgreSQL',
      sources,
      {
        'data pull, a file of rows': /^open .*postgresql-1-1\.csv w$/,
        'data pull, rows': /^handle\.writev$/,
      } satisfies Record<string, RegExp>,
    ],
  ] as const;
  // The graph is the most that is written; the soak has all phases, both sources, and every other operation.
  const representative = 'post-load checks, writing the graph';
  for (const [name, sourcesText, more] of soakList(imports, imports.slice(0, 1))) {
    it(`in each phase of an import from ${name}`, async () => {
      const from = await freshCopy(project, tmpdir());
      if (sourcesText !== undefined) {
        // The same rows, so that the previous import is one of the same source.
        await writeFile(join(from, 'entity-sources.yaml'), sourcesText);
        assert.equal((await importIn(from)).status, 'imported');
      }
      const moments = await momentsOf(fullImport, from);
      const named = new Map<number, string>();
      const isTried = (phase: string): boolean => isSoak || phase === representative;
      for (const [phase, pattern] of Object.entries({ ...phases, ...more }).filter(([phase]) => isTried(phase))) {
        const at = moments.findIndex((moment) => pattern.test(moment));
        assert.ok(at >= 0, `Nothing is written in: ${phase}\n${moments.join('\n')}`);
        named.set(at, phase);
      }
      // The status is written last.
      const status = moments.findLastIndex((moment) => moment.startsWith('rename') && moment.endsWith('graph.json'));
      const placed = moments.findIndex((moment) => /^rename .*graph\.duckdb /.test(moment));
      for (let at = placed + 1; at <= status && isTried('state writing'); at += 1)
        named.set(at, `state writing, ${moments[at]?.split(' ')[0]}`);
      const outcomes = new Set<string>();
      const tried = soakList([...named.keys()], [...named.keys()]);
      for (const at of new Set([...tried, ...someOf(moments, 1 / 16)])) {
        if (outcomes.has('refused') && !hasSoakTime()) break;
        outcomes.add(await round(fullImport, at, `full at ${at}, ${named.get(at) ?? moments[at]}`, from));
      }
      assert.ok(outcomes.has('refused'));
      await removeFolder(from);
    });
  }

  for (const [name, phasesOfSource, flags, start] of fetchedSources) {
    soakIt(`while records of ${name} are loaded`, async () => {
      const from = await freshCopy(project, tmpdir());
      const source = await start();
      try {
        await writeFile(
          join(from, 'entity-sources.yaml'),
          JSON.stringify({ version: 1, dataSources: { shop: source.settings } }),
        );
        await writeFile(join(from, 'graph.entity.yaml'), graphText(`  - ${source.element}\n`));
        assert.equal((await importIn(from)).status, 'imported');
        source.change();
        const operation = importing(...flags);
        const moments = await momentsOf(operation, from);
        const outcomes = new Set<string>();
        for (const [phase, pattern] of soakList(Object.entries(phasesOfSource), [])) {
          if (outcomes.has('refused') && !hasSoakTime()) break;
          const at = moments.findIndex((moment) => pattern.test(moment));
          assert.ok(at >= 0, `Nothing is written in: ${phase}\n${moments.join('\n')}`);
          outcomes.add(await round(operation, at, `full at ${at}, ${phase}`, from, importing()));
        }
        for (const at of someOf(moments, 1 / 32))
          outcomes.add(await round(operation, at, `full at ${at}, ${moments[at]}`, from, importing()));
        assert.ok(outcomes.has('refused'));
      } finally {
        await source.close();
        await removeFolder(from);
      }
    });
  }

  for (const operation of soakList(others, [])) {
    it(`during ${operation.name}`, async () => {
      const moments = await momentsOf(operation);
      const outcomes = new Set<string>();
      const few = [0, Math.floor(moments.length / 2), Math.max(0, moments.length - 2)];
      for (const at of new Set([...few, ...someOf(moments, 1 / 8 / others.length)])) {
        if (outcomes.has('refused') && !hasSoakTime()) break;
        outcomes.add(await round(operation, at, `full at ${at}, ${moments[at]}`));
      }
      // Only operations that create nothing and just move names need no room.
      assert.ok(
        outcomes.has('refused') || ['delete', 'rename in the editor'].includes(operation.name),
        [...outcomes].join(),
      );
    });
  }

  // Only a real disk can be full.
  const aheadOfWork = disk === undefined ? [] : ['before anything is written: it is told before any work'];
  for (const name of aheadOfWork)
    soakIt(name, async () => {
      const folder = await start({});
      try {
        for (const operation of writingOperations.filter(({ name }) => /^(?:map|new|copy|export)/.test(name))) {
          const trace = join(tmpdir(), `entity-graph-trace-${randomUUID()}`);
          await writeFile(filler, '');
          await fillUp();
          const run = await operation.run(folder, atWrite({ trace }));
          await rm(filler);
          assert.deepEqual([run.isDone, run.code], [false, 'disk-full'], `${operation.name}: ${run.said}`);
          // No graph and no source was opened.
          assert.deepEqual(
            (await readTrace(trace)).filter((moment) => moment.startsWith('sql ')),
            [],
            operation.name,
          );
          await rm(trace, { force: true });
        }
        assert.ok(
          (await readdir(folder)).length > 0 && (await readFile(join(folder, 'graph.entity.yaml'), 'utf8')) !== '',
        );
      } finally {
        await rm(filler, { force: true });
        await removeFolder(folder);
      }
    });
});

/** Files of the row cache, and those named by its descriptions. */
async function keptFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(folder, '.entity-graph/records/shop')).catch(() => []);
  return names.filter((name) => !name.endsWith('.json')).sort();
}

async function describedFiles(folder: string): Promise<readonly string[]> {
  const records = join(folder, '.entity-graph/records/shop');
  const names = (await readdir(records).catch(() => [])).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(names.map((name) => readFile(join(records, name), 'utf8')));
  return texts.map((text) => (JSON.parse(text) as { readonly file: string }).file).sort();
}

/** Random moments of the soak. */
function someOf(moments: readonly string[], share: number): readonly number[] {
  return soakList(Object.keys(moments).map(Number), []).slice(0, soakCases(0, share));
}

async function fillUp(): Promise<void> {
  for (let size = 1 << 20; size >= 1; size = Math.floor(size / 2)) {
    for (;;) {
      try {
        await writeFile(filler, Buffer.alloc(size, 1), { flag: 'a' });
      } catch {
        break;
      }
    }
  }
}
