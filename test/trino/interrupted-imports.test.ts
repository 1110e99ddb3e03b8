import assert from 'node:assert/strict';
import { type TrinoProxy, startTrinoProxy } from '../support/trino-proxy.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';
import { createVisits, failureOf, schemasOf, visitSources, withVisits } from '../support/trino-visits.ts';

describe('imports inside Trino that are interrupted fail, the published graph stays, and the next import sweeps', () => {
  let trino: TestTrino;
  let visits = '';

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    trino = await sharedTrino();
    visits = await createVisits(trino);
  });

  interface Interruption {
    readonly proxy: TrinoProxy;
    /** Of the data source. */
    readonly settings: string;
    /** The schema of the graph. */
    readonly schema: string;
    /** Called when the statement that numbers the events is on its way. */
    begin(): void;
    /** Called when the import has failed. */
    end(): Promise<void>;
  }

  /** Imports a graph, once more with the interruption, and again. Resolves to the message of the interrupted import. */
  async function interrupted({ proxy, settings, schema, begin, end }: Interruption): Promise<string> {
    const sources = visitSources(proxy.port, settings);
    const tried = withVisits(sources, `schema: ${schema}`, async (project) => {
      const first = await project.import();
      assert.equal(first.status, 'imported', first.error?.message);
      const state = async (): Promise<unknown> => [
        await trino.run(`SELECT turn, run FROM lake.${schema}.published`),
        await trino.run(`SELECT count(*), min(id), max(id) FROM lake.${schema}.event`),
      ];
      const before = await state();
      let hasBegun = false;
      proxy.onStatement = async ({ sql }) => {
        if (hasBegun || !/^CREATE TABLE ranked AS/u.test(sql)) return;
        hasBegun = true;
        begin();
      };
      const said = failureOf(await project.import());
      assert.ok(hasBegun);
      await end();
      assert.deepEqual(await state(), before);
      const last = await project.import();
      assert.equal(last.status, 'imported', last.error?.message);
      assert.deepEqual(await trino.run(`SELECT turn FROM lake.${schema}.published`), [[2]]);
      const runs = (await schemasOf(trino, 'lake')).filter((name) => name.startsWith(`${schema}__`));
      assert.equal(runs.length, 2, runs.join());
      return said;
    });
    return tried.finally(() => proxy.close());
  }

  it('when the coordinator is restarted', async function () {
    this.timeout(900_000);
    const proxy = await startTrinoProxy(trino);
    let restarted: Promise<void> | undefined;
    const said = await interrupted({
      proxy,
      settings: `user: ann, catalog: lake, schemas: ${visits}`,
      schema: 'ekg_restarted',
      begin() {
        // The coordinator has taken the statement, and goes before its first page is read.
        proxy.onPage = async () => {
          if (restarted) return;
          restarted = trino.restart();
          throw new Error('The coordinator is gone.');
        };
      },
      async end() {
        assert.ok(restarted);
        await restarted;
      },
    });
    assert.match(said, /^(?:connection-lost|source-unreachable): /u);
    assert.doesNotMatch(said, / undefined$/u);
  });

  it('when the token of the login expires', async function () {
    this.timeout(900_000);
    const { host, encryptedPort, authority } = trino;
    const proxy = await startTrinoProxy({ host, port: encryptedPort }, authority);
    const said = await interrupted({
      proxy,
      settings: `catalog: lake, schemas: ${visits}, auth: { kind: bearer, token: ${trino.token('tess', 3600)} }`,
      schema: 'ekg_expired',
      begin() {
        // From here on the coordinator gets one whose time is over.
        proxy.login = `Bearer ${trino.token('tess', -300)}`;
      },
      async end() {
        proxy.login = undefined;
      },
    });
    assert.match(said, /^authentication-failed: .* refuses the login.*an access token may have expired/u);
  });
});
