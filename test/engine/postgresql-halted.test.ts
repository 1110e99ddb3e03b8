import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportStep } from '../../protocol/import-progress.ts';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { type ImportedProject, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import type { ImportGraphOptions } from '../../server/src/operations/imports/import-graph.ts';
import { type TestPostgres, startPostgres } from '../support/postgres.ts';
import { type PassingStatement, type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts';
import { countSoak, hasSoakTime, soakCases, soakIt, soakList } from '../support/soak.ts';
import { entriesBelow, fingerprint } from '../support/temporary-folder.ts';
import { type ImportKind, type PhaseMoment, phasesOf } from './postgresql-phases.ts';

const graph = graphText(
  `  - { activityName: Place, dataObject: orders, key: id, startTimestamp: at, properties: [note] }
  - { activityName: Pay, dataObject: payments, key: id, startTimestamp: at }
`,
  `  - { name: pays, source: Pay, target: Place, mappings: [{ source: order_id, target: id }] }
`,
);
/** Enough rows for a COPY response in several pieces. */
const rows = 3000;
const tables = `CREATE TABLE orders (id int PRIMARY KEY, at timestamp, note text);
  CREATE TABLE payments (id int PRIMARY KEY, order_id int, at timestamp);
  INSERT INTO orders SELECT i, timestamp '2024-01-01' + i * interval '1 minute', repeat('x', 100) FROM generate_series(1, ${rows}) AS i;
  INSERT INTO payments SELECT i, i, timestamp '2024-02-01' + i * interval '1 minute' FROM generate_series(1, ${rows / 2}) AS i;`;

/**
 * A statement of an import, and when the server stops: before it gets the statement, or after it has begun to respond.
 */
interface Moment {
  readonly index: number;
  readonly sql: string;
  readonly step: ImportStep;
  /** Messages of the response. */
  readonly answers: number;
  readonly when: PhaseMoment;
}

const inSource = 'import: { engine: source, schema: ekg }\n';
const kinds: Readonly<
  Record<ImportKind, { readonly settings: string; readonly options: Partial<ImportGraphOptions> }>
> = {
  embedded: { settings: '', options: { request: { kind: 'build', isFull: true } } },
  source: { settings: inSource, options: { request: { kind: 'build', isFull: true } } },
  fetch: { settings: inSource, options: { request: { kind: 'fetch' } } },
};

const ofConnections = ['connection-lost', 'source-unreachable'];

describe('PostgreSQL that stops during an import', function () {
  let server: TestPostgres;
  let proxy: PostgresProxy;
  before(async () => {
    // Committed data survives a crash.
    server = await startPostgres({ settings: { synchronous_commit: 'on' } });
    proxy = await startPostgresProxy(server);
  });
  after(async () => {
    await proxy.close();
    await server.stop();
  });

  async function withImported(
    kind: ImportKind,
    use: (project: ImportedProject, database: string) => Promise<void>,
  ): Promise<void> {
    const database = await server.createDatabase();
    await server.query(database, tables);
    const sources = postgresqlSources({ ...server, port: proxy.port }, database);
    const files = { 'entity-sources.yaml': sources, 'graph.entity.yaml': graph + kinds[kind].settings };
    await withProject(files, async (project) => {
      proxy.listen({});
      const { status, error } = await project.import();
      assert.equal(status, 'imported', error?.message);
      if (kind === 'fetch') assert.equal((await project.import({ request: { kind: 'fetch' } })).status, 'imported');
      await use(project, database);
    });
  }

  /** Every statement of an import in order, twice. */
  async function momentsOf(project: ImportedProject, kind: ImportKind): Promise<readonly Moment[]> {
    const found: Omit<Moment, 'when' | 'answers'>[] = [];
    const answers: number[] = [];
    let step: ImportStep = 'schema discovery';
    proxy.listen({
      onStatement: ({ index, sql }) => void found.push({ index, sql, step }),
      async onAnswer({ index }, message) {
        answers[index] = message + 1;
        return undefined;
      },
    });
    const done = await project.import({ ...kinds[kind].options, onProgress: (progress) => (step = progress.step) });
    assert.equal(done.status, 'imported', done.error?.message);
    return found.flatMap((each) =>
      (['before', 'while it answers'] as const).map((when) => ({ ...each, answers: answers[each.index] ?? 0, when })),
    );
  }

  async function importUntil(
    project: ImportedProject,
    kind: ImportKind,
    { index, sql, answers, when }: Moment,
  ): Promise<ImportSummary> {
    let isHit = false;
    const hit = async (passing: PassingStatement): Promise<'lost' | undefined> => {
      if (passing.index !== index || isHit) return undefined;
      isHit = true;
      assert.equal(passing.sql.slice(0, 40), sql.slice(0, 40));
      await server.halt();
      return 'lost';
    };
    // Half of the rows have arrived by then.
    const message = sql.startsWith('COPY') ? Math.floor(answers / 2) : 0;
    proxy.listen(
      when === 'before'
        ? { onStatement: async (passing) => void (await hit(passing)) }
        : { onAnswer: async (passing, count) => (count === message ? hit(passing) : undefined) },
    );
    const summary = await project.import(kinds[kind].options);
    assert.ok(isHit, `The import never came to statement ${index}.`);
    return summary;
  }

  async function assertTidy({ folder }: ImportedProject): Promise<void> {
    const left = await entriesBelow(join(folder, '.entity-graph'));
    assert.deepEqual(
      left.map(({ name }) => name).filter((name) => /\.lock|\.building-|\.tmp$/.test(name)),
      [],
    );
  }

  for (const kind of soakList<ImportKind>(['embedded', 'source', 'fetch'], ['embedded'])) {
    it(`${kind} › at statements of every phase, the previous graph is intact, and the next import succeeds`, async function () {
      this.timeout(0);
      await withImported(kind, async (project, database) => {
        const moments = await momentsOf(project, kind);
        const chosen = chooseMoments(moments, kind);
        const graphs = () => fingerprint(join(project.folder, '.entity-graph/graphs'));
        const status = async () =>
          JSON.parse(await readFile(join(project.folder, '.entity-graph/state/graph.json'), 'utf8')) as {
            status: string;
            progress: string;
            run: string;
          };
        for (const [index, moment] of chosen.entries()) {
          if (index > 0 && !hasSoakTime()) break;
          const about = `${moment.when} statement ${moment.index} (${moment.step}): ${moment.sql.slice(0, 60)}`;
          const before = await graphs();
          const { run } = await status();
          const summary = await importUntil(project, kind, moment);
          await server.startAgain();
          await assertTidy(project);
          // After its last row, the import needs nothing of the source any more.
          if (summary.status === 'imported') assert.ok(isLast(moment, moments, kind), about);
          else {
            assert.equal(summary.status, 'failed', about);
            assert.ok(
              ofConnections.includes(summary.error?.code ?? ''),
              `${about}: ${summary.error?.code} ${summary.error?.message}`,
            );
            assert.ok((summary.error?.remedy ?? '') !== '', about);
            assert.deepEqual(await graphs(), before, about);
            const now = await status();
            assert.deepEqual([now.status, now.run], ['Imported', run], about);
            // A graph that was not fetched has no failure to report: it is in its source as before.
            assert.equal(/^Import failed at /.test(now.progress), kind !== 'fetch', `${about}: ${now.progress}`);
          }
          if (kind !== 'embedded') await assertWholeInSource(server, database, about);
          countSoak();
        }
        proxy.listen({});
        const next = await project.import(kinds[kind].options);
        assert.deepEqual([next.status, next.totals.events], ['imported', rows * 1.5], next.error?.message);
      });
    });
  }

  // From here on all rows are here: the source is no longer needed.
  for (const step of ['graph build', 'post-load checks'] as const) {
    soakIt(`engine: embedded › at the start of ${step}, the import succeeds`, async () => {
      await withImported('embedded', async (project) => {
        let isHit = false;
        const summary = await project.import({
          request: { kind: 'build', isFull: true },
          onProgress(progress) {
            if (progress.step !== step || isHit) return;
            isHit = true;
            server.haltNow();
          },
        });
        await server.startAgain();
        assert.ok(isHit);
        assert.deepEqual([summary.status, summary.totals.events], ['imported', rows * 1.5], summary.error?.message);
      });
    });
  }

  soakIt('at the start of validation, the import fails with an explanation', async () => {
    await withImported('embedded', async (project) => {
      const summary = await project.import({
        request: { kind: 'build', isFull: true },
        onProgress: ({ step }) => step === 'validation' && server.haltNow(),
      });
      await server.startAgain();
      assert.equal(summary.status, 'failed');
      assert.ok(ofConnections.includes(summary.error?.code ?? ''), summary.error?.message);
      await assertTidy(project);
    });
  });

  it('engine: source › when the response to COMMIT is lost, the message says that the graph may exist', async () => {
    await withImported('source', async (project, database) => {
      const moments = await momentsOf(project, 'source');
      const commit = moments.findLast(({ sql, when }) => sql === 'COMMIT' && when === 'while it answers');
      assert.ok(commit);
      const summary = await importUntil(project, 'source', commit);
      await server.startAgain();
      assert.equal(summary.error?.code, 'connection-lost');
      assert.match(
        summary.error?.message ?? '',
        /whether the new graph has taken the place of the one before is not known/,
      );
      assert.match(summary.error?.remedy ?? '', /import again/);
      await assertWholeInSource(server, database, 'after a lost answer');
      proxy.listen({});
      assert.equal((await project.import()).status, 'imported');
    });
  });
});

/** The source gets no request after the last row. */
function isLast({ index, when }: Moment, moments: readonly Moment[], kind: ImportKind): boolean {
  const last = Math.max(...moments.map((each) => each.index));
  return kind !== 'source' && index === last && when === 'while it answers';
}

/**
 * In `npm test` the moment at which rows arrive. In the soak the last two, the first statement of each phase before and
 * during its response, and others at random.
 */
function chooseMoments(moments: readonly Moment[], kind: ImportKind): readonly Moment[] {
  const firsts = Object.entries(phasesOf[kind]).flatMap(([phase, pattern]) =>
    (['before', 'while it answers'] as const).map((when) => {
      const first = moments.find((moment) => moment.when === when && pattern.test(moment.sql));
      const asked = moments.map(({ sql }) => sql).join('\n');
      assert.ok(first, `${kind}: nothing is asked in this phase: ${phase}\n${asked}`);
      return first;
    }),
  );
  const rowsArrive = moments.filter(({ sql, when }) => sql.startsWith('COPY') && when === 'while it answers');
  const needed = soakList([...new Set([...firsts, ...moments.slice(-2)])], rowsArrive.slice(0, 1));
  return [...new Set([...needed, ...soakList(moments, [])])].slice(0, Math.max(needed.length, soakCases(1, 1 / 3)));
}

/** One graph or the other, complete, without a partial one beside it. */
async function assertWholeInSource(server: TestPostgres, database: string, about: string): Promise<void> {
  const [found] = await server.query(
    database,
    `SELECT (SELECT count(*)::int FROM ekg.event) AS events, (SELECT count(*)::int FROM ekg.run) AS runs,
      (SELECT count(*)::int FROM pg_namespace WHERE nspname LIKE 'ekg%building') AS building`,
  );
  assert.deepEqual(found, { events: rows * 1.5, runs: 1, building: 0 }, about);
}
