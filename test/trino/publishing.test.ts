import assert from 'node:assert/strict';
import type { Connector } from '../../server/src/connectors/connector.ts';
import type { SourceBuild } from '../../server/src/connectors/source-build.ts';
import { isRelationOf } from '../../server/src/graph-schema/table-names.ts';
import { withProject } from '../support/import-text.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';
import { AnsweredInstead, startTrinoProxy } from '../support/trino-proxy.ts';
import { trinoConnector, trinoQuery } from '../support/trino-source.ts';
import { waitUntil } from '../support/wait-until.ts';

interface TestedCatalog {
  readonly add: (trino: TestTrino) => Promise<string>;
  /** The writing statements of an import before which it is killed: the first one, and how many others lie between. */
  readonly killedAt: { readonly first: number; readonly step: number };
}

const catalogs: Readonly<Record<string, TestedCatalog>> = {
  'the file metastore': { add: async () => 'lake', killedAt: { first: 0, step: 1 } },
  'the JDBC catalog': {
    async add(trino) {
      const postgres = await sharedPostgres();
      return trino.addJdbcLake(postgres, await postgres.createDatabase());
    },
    killedAt: { first: 1, step: 4 },
  },
};

for (const [kind, { add, killedAt }] of Object.entries(catalogs)) {
  describe(`graphs published inside Trino, in ${kind}`, () => {
    let trino: TestTrino;
    let catalog = '';

    before(async function () {
      // Starting Trino takes minutes under load.
      this.timeout(600_000);
      trino = await sharedTrino();
      catalog = await add(trino);
    });

    const schemasLike = async (name: string): Promise<readonly string[]> =>
      (await trino.run(`SHOW SCHEMAS FROM ${catalog}`))
        .map(([each]) => String(each))
        .filter((each) => each.startsWith(name));

    const owner = { entity: 'one', runs: [] };

    async function builds(use: (connector: Connector) => Promise<void>): Promise<void> {
      const connector = await trinoConnector(trino, 'none', { settings: { catalog } });
      try {
        await use(connector);
      } finally {
        await connector.close();
      }
    }

    async function open(connector: Connector, schema: string, run: string): Promise<SourceBuild> {
      assert.ok(connector.openBuild);
      const build = await connector.openBuild({ schema, owner, run });
      await build.stage(trinoQuery('SELECT 1 AS a'), 'run', {});
      return build;
    }

    const signal = new AbortController().signal;

    it('are published by one of two simultaneous imports; the other one leaves nothing', async function () {
      this.timeout(600_000);
      await builds(async (connector) => {
        const [one, other] = [
          await open(connector, 'race', '20240101T000000000-aaaa'),
          await open(connector, 'race', '20240101T000000001-bbbb'),
        ];
        const results = await Promise.allSettled([one.publish(['run'], signal), other.publish(['run'], signal)]);
        assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
        await Promise.all([one.close(), other.close()]);
        const [[turn, run]] = (await trino.run(`SELECT turn, run FROM ${catalog}.race.published`)) as [
          [number, string],
        ];
        assert.equal(turn, 1);
        const kept = `race__${run.toLowerCase().replace('-', '_')}`;
        assert.deepEqual((await schemasLike('race')).toSorted(), ['race', kept]);
        assert.equal((await trino.run(`SELECT c1 FROM ${catalog}.race.run`)).length, 1);
      });
    });

    it('are published by one of two imports that change the pointer at once, and the catalog refuses the other change', async function () {
      this.timeout(900_000);
      const proxy = await startTrinoProxy(trino);
      const connector = await trinoConnector({ host: '127.0.0.1', port: proxy.port }, 'none', {
        settings: { catalog },
      });
      /** Two publications, whose changes of the pointer are sent on together. Whether the catalog refused one of them. */
      async function race(schema: string): Promise<boolean> {
        const ids = ['20240101T000000000-aaaa', '20240101T000000001-bbbb'];
        const racing = [await open(connector, schema, ids[0] ?? ''), await open(connector, schema, ids[1] ?? '')];
        let waiting = 0;
        let goOn = (): void => undefined;
        const both = new Promise<void>((resolve) => (goOn = resolve));
        proxy.onStatement = async ({ sql }) => {
          if (!sql.startsWith('UPDATE')) return;
          if (++waiting === 2) goOn();
          await both;
        };
        const results = await Promise.allSettled(racing.map((build) => build.publish(['run'], signal)));
        proxy.onStatement = async () => undefined;
        const lost = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
        assert.equal(lost.length, 1, lost.join());
        assert.match(lost[0] ?? '', new RegExp(`Another import published its graph in the schema ${schema}`, 'u'));
        for (const build of racing) await build.close();
        const [[turn, run]] = (await trino.run(`SELECT turn, run FROM ${catalog}.${schema}.published`)) as [
          [number, string],
        ];
        assert.equal(turn, 1);
        assert.deepEqual((await schemasLike(schema)).toSorted(), [
          schema,
          `${schema}__${run.toLowerCase().replace('-', '_')}`,
        ]);
        const changes = await trino.run(
          `SELECT state FROM system.runtime.queries WHERE query LIKE 'UPDATE "${catalog}"."${schema}"."published"%'`,
        );
        assert.equal(changes.length, 2);
        return changes.some(([state]) => state === 'FAILED');
      }
      try {
        // Which of two changes is planned first is chance: one that reads the other's row changes none.
        let refused = 0;
        for (let round = 0; round < 30 && refused === 0; round++) {
          if (await race(`together_${round}`)) refused += 1;
        }
        assert.equal(refused, 1);
      } finally {
        await connector.close();
        await proxy.close();
      }
    });

    it('are complete after an import was killed before any writing statement; the next import leaves exactly two runs', async function () {
      this.timeout(1_800_000);
      const proxy = await startTrinoProxy(trino);
      const connector = await trinoConnector({ host: '127.0.0.1', port: proxy.port }, 'none', {
        settings: { catalog },
      });
      const relations = ['run', 'event'];
      let runs = 0;
      /** A whole import of tables that contain its number. Not closed if it fails, as if its process was killed. */
      async function importRun(schema: string): Promise<void> {
        const number = (runs += 1);
        assert.ok(connector.openBuild);
        const build = await connector.openBuild({
          ...{ schema, owner },
          run: `20240101T${String(number).padStart(9, '0')}-aaaa`,
        });
        for (const name of [...relations, 'staged']) {
          await build.stage(trinoQuery(`SELECT ${number} AS a`), name, {});
        }
        await build.publish(relations, signal);
        await build.close();
      }
      const value = async (sql: string): Promise<unknown> => (await trino.run(sql).catch(() => []))[0]?.[0];
      const turnOf = (schema: string) => value(`SELECT turn FROM ${catalog}.${schema}.published`);
      const readers = (schema: string) =>
        Promise.all(relations.map((name) => value(`SELECT c1 FROM ${catalog}.${schema}.${name}`)));
      /** Cuts everything from a writing statement on. Resolves to it, or to undefined when there are fewer. */
      async function killBefore(schema: string, position: number): Promise<string | undefined> {
        let written = 0;
        let cut: string | undefined;
        proxy.onStatement = async ({ sql }) => {
          if (/^(?:CREATE|DROP|INSERT|UPDATE)/u.test(sql) && written++ === position) cut = sql;
          if (cut !== undefined) throw new AnsweredInstead(404);
        };
        proxy.onPage = async () => {
          if (cut !== undefined) throw new AnsweredInstead(404);
        };
        const ended = await importRun(schema).then(
          () => undefined,
          (error: unknown) => error as Error,
        );
        proxy.onStatement = async () => undefined;
        proxy.onPage = async () => undefined;
        // A failure of the sweep does not fail the import.
        if (cut !== undefined && !/^DROP SCHEMA/u.test(cut)) assert.ok(ended, cut);
        return cut;
      }
      /** @param isFirst nothing was published in the schema before @returns the number of statements */
      async function killAtEach(schemaOf: (position: number) => string, isFirst: boolean): Promise<number> {
        for (let position = killedAt.first; ; position += killedAt.step) {
          const schema = schemaOf(position);
          const before = isFirst ? undefined : runs;
          const turn = Number((await turnOf(schema)) ?? 0);
          const cut = await killBefore(schema, position);
          if (cut === undefined) return position;
          const label = `${position}: ${cut}`;
          const now = Number((await turnOf(schema)) ?? 0);
          const isMade = now === turn + 1;
          if (!isMade) assert.equal(now, turn, label);
          for (const found of await readers(schema)) {
            assert.ok(found === before || (isMade && found === runs), `${label}: readers find ${String(found)}`);
          }
          await importRun(schema);
          assert.equal(await turnOf(schema), now + 1, label);
          assert.deepEqual(await readers(schema), [runs, runs], label);
          const kept = (await schemasLike(`${schema}__`)).length;
          assert.equal(kept, isFirst && !isMade ? 1 : 2, label);
        }
      }
      try {
        const first = await killAtEach((position) => `first_${position}`, true);
        await importRun('second');
        const second = await killAtEach(() => 'second', false);
        assert.ok(first >= 13 && second >= 13, `${first} and ${second} statements`);
      } finally {
        await connector.close();
        await proxy.close();
      }
    });

    it('keep the previous run; a killed run is swept by the next published one', async function () {
      this.timeout(600_000);
      await builds(async (connector) => {
        // Never closed, as if its process was killed.
        await open(connector, 'swept', '20240101T000000000-dead');
        for (const run of ['aaaa', 'bbbb', 'cccc']) {
          const build = await open(connector, 'swept', `20240102T000000000-${run}`);
          await build.publish(['run'], signal);
          await build.close();
        }
        assert.deepEqual((await schemasLike('swept')).toSorted(), [
          'swept',
          'swept__20240102t000000000_bbbb',
          'swept__20240102t000000000_cccc',
        ]);
      });
    });

    it('are published although another first import publishes, fails or begins at any moment; the published graph is not swept', async function () {
      this.timeout(600_000);
      const proxy = await startTrinoProxy(trino);
      const connector = await trinoConnector({ host: '127.0.0.1', port: proxy.port }, 'none', {
        settings: { catalog },
      });
      try {
        // The slower import has made its schema, but not yet recorded when it began.
        let goOn = (): void => undefined;
        const held = new Promise<void>((resolve) => (goOn = resolve));
        const waits = new Promise<void>((resolve) => {
          proxy.onStatement = async ({ sql }) => {
            if (!sql.startsWith('CREATE TABLE') || !sql.includes('"begun"')) return;
            resolve();
            await held;
          };
        });
        const now = new Date().toISOString().replaceAll(/[-:.Z]/g, '');
        const slower = open(connector, 'firsts', `${now}-aaaa`);
        await waits;
        await builds(async (direct) => {
          const failed = await open(direct, 'firsts', `${now}-bbbb`);
          await failed.close();
          const faster = await open(direct, 'firsts', `${now}-cccc`);
          await faster.publish(['run'], signal);
          await faster.close();
        });
        goOn();
        const build = await slower;
        await assert.rejects(build.publish(['run'], signal), /Another import published its graph in the schema firsts/);
        await build.close();
        assert.deepEqual((await schemasLike('firsts')).toSorted(), ['firsts', `firsts__${now.toLowerCase()}_cccc`]);
        assert.equal((await trino.run(`SELECT c1 FROM ${catalog}.firsts.run`)).length, 1);
      } finally {
        await connector.close();
        await proxy.close();
      }
    });

    it('are completed if the import is cancelled just after the change of the pointer, and stay if it loses its connection then', async function () {
      this.timeout(600_000);
      const proxy = await startTrinoProxy(trino);
      const server = { host: '127.0.0.1', port: proxy.port };
      const connector = await trinoConnector(server, 'none', { settings: { catalog } });
      const pointer = async (): Promise<unknown> =>
        (await trino.run(`SELECT turn, run FROM ${catalog}.halfway.published`).catch(() => []))[0];
      /** Publishes a run whose statements find no answer from the moment on that the pointer names it. */
      async function publishHalfway(run: string, turn: number, isCancelled: boolean): Promise<void> {
        const build = await open(connector, 'halfway', run);
        const cancelling = new AbortController();
        let asked = 0;
        let isLost = false;
        proxy.onStatement = async ({ sql }) => {
          if (sql.startsWith('UPDATE')) asked = 1;
          // The connection is restored at the first DROP, which then is sent.
          if (isLost && sql.startsWith('DROP')) [isLost, asked] = [false, 0];
          if (isLost) throw new AnsweredInstead(404);
        };
        proxy.onPage = async () => {
          // The first one makes the coordinator begin.
          if (asked === 0 || asked++ === 1) return;
          await waitUntil(
            'the pointer names the run',
            async () => (JSON.stringify(await pointer()) === JSON.stringify([turn, run]) ? true : undefined),
            240_000,
          );
          isLost = !isCancelled;
          if (isCancelled) cancelling.abort(new Error('Nobody waits any more.'));
          asked = isLost ? 2 : 0;
          throw new AnsweredInstead(404);
        };
        const publishing = build.publish(['run'], cancelling.signal);
        if (isCancelled) await publishing;
        else await assert.rejects(publishing, /knows nothing of the statement/);
        await build.close();
        proxy.onStatement = async () => undefined;
        proxy.onPage = async () => undefined;
        assert.deepEqual(await pointer(), [turn, run]);
        const schema = `halfway__${run.toLowerCase().replace('-', '_')}`;
        assert.deepEqual(await schemasLike(schema), [schema]);
        assert.equal((await trino.run(`SELECT c1 FROM ${catalog}.${schema}.run`)).length, 1);
        const [[view]] = (await trino.run(`SHOW CREATE VIEW ${catalog}.halfway.run`)) as [[string]];
        assert.equal(view.includes(schema), isCancelled);
      }
      try {
        await publishHalfway('20240101T000000000-aaaa', 1, true);
        await publishHalfway('20240101T000000000-bbbb', 2, false);
        const build = await open(connector, 'halfway', '20240101T000000000-cccc');
        await build.publish(['run'], signal);
        await build.close();
        assert.deepEqual((await schemasLike('halfway')).toSorted(), [
          'halfway',
          'halfway__20240101t000000000_bbbb',
          'halfway__20240101t000000000_cccc',
        ]);
      } finally {
        await connector.close();
        await proxy.close();
      }
    });

    it('stay readable while imports in a row are killed before they replace the views', async function () {
      this.timeout(600_000);
      const proxy = await startTrinoProxy(trino);
      const server = { host: '127.0.0.1', port: proxy.port };
      const connector = await trinoConnector(server, 'none', { settings: { catalog } });
      const readers = async (): Promise<unknown> => trino.run(`SELECT c1 FROM ${catalog}.behind.run`);
      try {
        const first = await open(connector, 'behind', '20240101T000000000-aaaa');
        await first.publish(['run'], signal);
        await first.close();
        proxy.onStatement = async ({ sql }) => {
          if (sql.startsWith('CREATE OR REPLACE VIEW')) throw new AnsweredInstead(404);
        };
        for (const run of ['bbbb', 'cccc']) {
          const killed = await open(connector, 'behind', `20240101T000000000-${run}`);
          // Not closed, as if its process was killed.
          await assert.rejects(killed.publish(['run'], signal), /is no Trino coordinator/);
          assert.deepEqual(await readers(), [[1]], run);
        }
        proxy.onStatement = async () => undefined;
        const last = await open(connector, 'behind', '20240101T000000000-dddd');
        assert.deepEqual(await readers(), [[1]]);
        await last.publish(['run'], signal);
        await last.close();
        assert.deepEqual(await readers(), [[1]]);
        assert.deepEqual((await schemasLike('behind')).toSorted(), [
          'behind',
          'behind__20240101t000000000_cccc',
          'behind__20240101t000000000_dddd',
        ]);
      } finally {
        await connector.close();
        await proxy.close();
      }
    });

    it('leave nothing if the first import fails, except a schema that existed before', async function () {
      this.timeout(600_000);
      await builds(async (connector) => {
        await (await open(connector, 'nothing', '20240101T000000000-aaaa')).close();
        assert.deepEqual(await schemasLike('nothing'), []);
        const mine = await trino.createSchema(catalog);
        await (await open(connector, mine, '20240101T000000000-aaaa')).close();
        assert.deepEqual(await schemasLike(mine), [mine]);
        assert.deepEqual(await trino.run(`SHOW TABLES FROM ${catalog}.${mine}`), []);
      });
    });

    it('fail as "overtaken" when another import has dropped their tables', async function () {
      this.timeout(600_000);
      await builds(async (connector) => {
        const slower = await open(connector, 'overtaken', '20240101T000000000-aaaa');
        const faster = await open(connector, 'overtaken', '20240101T000000001-bbbb');
        await faster.publish(['run'], signal);
        await faster.close();
        await assert.rejects(
          slower.run('CREATE TABLE more AS SELECT * FROM run'),
          /Another import published its graph/,
        );
        await slower.close();
      });
    });

    it('are dropped with their runs, unless the schema holds something else', async function () {
      this.timeout(600_000);
      await builds(async (connector) => {
        const run = '20240101T000000000-aaaa';
        const build = await open(connector, 'gone', run);
        await build.publish(['run'], signal);
        await trino.run(`CREATE TABLE ${catalog}.gone.mine AS SELECT 1 AS a`);
        const drop = () => connector.dropGraphs?.([{ schema: 'gone', run }], { isRelationOf, signal });
        await assert.rejects(async () => drop(), /holds mine, which is not of a graph/);
        assert.equal((await trino.run(`SELECT c1 FROM ${catalog}.gone.run`)).length, 1);
        await trino.run(`DROP TABLE ${catalog}.gone.mine`);
        await drop();
        assert.deepEqual(await schemasLike('gone'), []);
      });
    });

    it('replace neither foreign schemas nor the graph of another file', async function () {
      this.timeout(600_000);
      await builds(async (connector) => {
        const foreign = await trino.createSchema(catalog);
        await trino.run(`CREATE TABLE ${catalog}.${foreign}.mine AS SELECT 1 AS a`);
        await assert.rejects(open(connector, foreign, '20240101T000000000-aaaa'), /is no graph of ours/);
        const build = await open(connector, 'owned', '20240101T000000000-aaaa');
        await build.publish(['run'], signal);
        const of = { entity: 'two', runs: [] };
        const other = connector.openBuild?.({ schema: 'owned', owner: of, run: '20240101T000000000-bbbb' });
        await assert.rejects(async () => other, /holds the graph of another file: one/);
      });
    });

    it('are complete for readers before each statement of another import, and so after a kill at any of them', async function () {
      this.timeout(600_000);
      const schema = await trino.createSchema(catalog);
      await trino.run(
        `CREATE TABLE ${catalog}.${schema}.visit AS SELECT i AS k, i % 2 AS n, TIMESTAMP '2024-10-27 01:30:00' AS at FROM UNNEST(sequence(1, 9)) AS t (i)`,
      );
      const proxy = await startTrinoProxy(trino);
      const files = {
        'entity-sources.yaml': `version: 1\ndataSources:\n  shop: { kind: trino, host: 127.0.0.1, port: ${proxy.port}, user: ann, catalog: ${catalog}, schemas: ${schema} }\n`,
        'graph.entity.yaml': `version: 1
name: Visits
dataSource: shop
dataObjects: [visit]
elements:
  - { activityName: Visit, dataObject: visit, key: n, entityType: visit, startTimestamp: at, properties: [k] }
import: { engine: source, schema: ekg_walked }
`,
      };
      const walked = withProject(files, async (project) => {
        const first = await project.import();
        assert.equal(first.status, 'imported', first.error?.message);
        const of = `${catalog}.ekg_walked`;
        const readers = async (): Promise<string> => {
          const counts = ['event', 'entity', 'directly_follows', 'properties_1', 'node_event', 'edge_df', 'run'].map(
            (name) => `(SELECT count(*) FROM ${of}.${name})`,
          );
          const [row] = await trino.run(`SELECT ${counts.join(', ')}, (SELECT turn FROM ${of}.published)`);
          return JSON.stringify(row);
        };
        const [before, after] = [1, 2].map((turn) => JSON.stringify([9, 2, 7, 9, 9, 7, 1, turn]));
        assert.equal(await readers(), before);
        const seen: (readonly [sql: string, found: string])[] = [];
        let statements = 0;
        proxy.onStatement = async ({ sql }) => {
          if (!/^(?:CREATE|DROP|INSERT|UPDATE)/u.test(sql)) return;
          statements += 1;
          // Statements that fill tables of their own run are many and alike: every eighth is tried.
          if (/^(?:CREATE TABLE|INSERT)/u.test(sql) && !sql.includes('"ekg_walked"') && statements % 8 !== 0) return;
          seen.push([sql, await readers().catch(String)]);
        };
        const second = await project.import();
        proxy.onStatement = async () => undefined;
        assert.equal(second.status, 'imported', second.error?.message);
        const published = seen.findIndex(([sql]) => sql.startsWith('UPDATE'));
        assert.ok(statements > 40 && published > 10 && seen.length > published + 10, `${published} of ${seen.length}`);
        assert.deepEqual(
          seen.filter(([, found], index) => found !== (index > published ? after : before)),
          [],
        );
        assert.equal(await readers(), after);
      });
      await walked.finally(() => proxy.close());
    });
  });
}
