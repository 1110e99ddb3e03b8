import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { makeClientCertificate } from '../support/certificates.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';
import { trinoConnector, trinoQuery } from '../support/trino-source.ts';
import { createVisits } from '../support/trino-visits.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { runCli } from '../support/run-cli.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

const who = trinoQuery('SELECT current_user AS a');

const passphrase = 'of the key';

/** The user that statements run as, or the code of the failure. */
async function connecting(server: TestTrino, settings: Readonly<Record<string, unknown>>): Promise<unknown> {
  const secrets = {
    password: server.password,
    wrong: 'wrong',
    token: server.token('tess', 600),
    old: server.token('tess', -300),
    passphrase,
  };
  const connector = await trinoConnector(server, 'default', {
    folder: dirname(server.authority),
    secrets,
    settings: { port: server.encryptedPort, ssl: { ca: 'ca.pem' }, ...settings },
  });
  try {
    const { rows } = await connector.preview(who, { limit: 1 });
    return rows[0]?.[0];
  } catch (error) {
    assert.ok(isSourceError(error), String(error));
    for (const secret of Object.values(secrets).filter((each) => each !== 'wrong')) {
      assert.ok(!error.message.includes(secret), error.message);
    }
    return error.code;
  } finally {
    await connector.close();
  }
}

describe('logins to Trino', () => {
  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    const { authority } = await sharedTrino();
    makeClientCertificate(dirname(authority), { passphrase });
  });

  const basic = (password: string): object => ({ kind: 'basic', user: 'analyst', password });
  const certificate = { kind: 'mtls', cert: 'client.pem', key: 'client.key', passphrase: '${secret:passphrase}' };
  const cases: readonly (readonly [title: string, settings: Readonly<Record<string, unknown>>, outcome: string])[] = [
    ['a password', { user: 'analyst', auth: basic('${secret:password}') }, 'analyst'],
    ['the user of auth', { user: undefined, auth: basic('${secret:password}') }, 'analyst'],
    ['a wrong password', { auth: basic('${secret:wrong}') }, 'authentication-failed'],
    ['another user than that of the password', { user: 'ann', auth: basic('${secret:password}') }, 'permission-denied'],
    ['no login', {}, 'authentication-failed'],
    ['a token', { user: undefined, auth: { kind: 'bearer', token: '${secret:token}' } }, 'tess'],
    ['an expired token', { user: 'tess', auth: { kind: 'bearer', token: '${secret:old}' } }, 'authentication-failed'],
    ['a client certificate', { user: undefined, auth: certificate }, 'client'],
    ['another user than that of the certificate', { user: 'ann', auth: certificate }, 'permission-denied'],
    ['an authority that is not trusted', { ssl: true, auth: basic('${secret:password}') }, 'tls-failed'],
    ['plain HTTP at the port of HTTPS', { ssl: false }, 'source-unreachable'],
  ];
  for (const [title, settings, outcome] of cases) {
    it(`${title}: ${outcome}`, async () => {
      assert.equal(await connecting(await sharedTrino(), settings), outcome);
    });
  }

  it('are diagnosed with user, catalogs, version and encryption', async () => {
    const server = await sharedTrino();
    const connector = await trinoConnector(server, 'default', { settings: { catalogs: ['nowhere'] } });
    const checks = (await connector.diagnose?.({})) ?? [];
    await connector.close();
    assert.deepEqual(
      checks.map(({ name, state }) => [name, state]),
      [
        ['Credentials', 'ok'],
        ['Catalogs', 'failed'],
        ['Version', 'ok'],
        ['Encryption', 'warning'],
      ],
    );
    assert.match(checks[1]?.message ?? '', /no catalog nowhere/);
  });
});

describe('a login by browser, at a provider whose tokens Trino accepts', () => {
  type Provider = Awaited<ReturnType<typeof startSimulator>>;

  /** Imports a graph over the data source `lake`. @param place its catalog and schemas */
  async function importing(server: TestTrino, { url, logins }: Provider, place: object, graph: string) {
    const { clientId, clientSecret } = logins;
    const auth = {
      ...{ kind: 'oauth2', grant: 'authorization_code', clientId, clientSecret },
      ...{ authorizationUrl: `${url}/oauth_auth.do`, tokenUrl: `${url}/oauth_token.do` },
    };
    const lake = {
      ...{ kind: 'trino', host: '127.0.0.1', port: server.encryptedPort, ssl: { ca: server.authority } },
      ...place,
      auth,
    };
    const folder = await folderWith({
      'browser.mjs': 'await fetch(process.argv[2]);',
      'entity-sources.json': JSON.stringify({ version: 1, dataSources: { lake } }),
      'graph.entity.yaml': `version: 1\nname: Orders\ndataSource: lake\nelements:\n${graph}`,
    });
    try {
      const env = { BROWSER: `${process.execPath} ${join(folder, 'browser.mjs')}` };
      return await runCli(['import', 'graph.entity.yaml', '--sign-in'], { cwd: folder, env });
    } finally {
      await removeFolder(folder);
    }
  }

  const loginsIn = (text: string): number => text.match(/Log in with a browser on this machine: http:/gu)?.length ?? 0;

  it('lets an import run as the user of the token, and is refused when the token is not for this cluster', async function () {
    this.timeout(600_000);
    const server = await sharedTrino();
    let life = 1800;
    // Each token is another one.
    const provider = await startSimulator({ incidents: 1, newToken: () => server.token('tess', (life += 1)) });
    const stranger = await startSimulator({ incidents: 1 });
    const place = { catalog: 'tpch', schemas: ['tiny'] };
    const graph =
      '  - { activityName: Order, dataObject: orders, key: orderkey, entityType: order, startTimestamp: orderdate, where: orderkey < 100 }\n';
    try {
      const { code, stdout, stderr } = await importing(server, provider, place, graph);
      assert.equal(code, 0, `${stdout}\n${stderr}`);
      assert.equal(loginsIn(stderr), 1, stderr);
      const [[statements]] = (await server.run(
        `SELECT count(*) FROM system.runtime.queries WHERE "user" = 'tess' AND source = 'entity-graph' AND query LIKE '%orderkey < 100%'`,
      )) as [[number]];
      assert.ok(statements > 0);
      const refused = await importing(server, stranger, place, graph);
      assert.equal(refused.code, 1);
      assert.match(refused.stdout + refused.stderr, /refuses the login/u);
    } finally {
      await Promise.all([provider.close(), stranger.close()]);
    }
  });

  it('is renewed without another one while a graph is built inside Trino for longer than a token lives', async function () {
    this.timeout(900_000);
    const server = await sharedTrino();
    const schema = await createVisits(server);
    let life = 10;
    // Each token is another one, and Trino refuses it some seconds after its provider says that it ends.
    const provider = await startSimulator({ incidents: 1, newToken: () => server.token('tess', (life += 1)) });
    provider.logins.tokenLife = 6;
    const graph = `  - { activityName: Visit, dataObject: visit, key: k, entityType: visit, startTimestamp: at }
import: { engine: source, schema: ekg_renewed }
`;
    try {
      const place = { catalog: 'lake', schemas: [schema] };
      const { code, stdout, stderr } = await importing(server, provider, place, graph);
      assert.equal(code, 0, `${stdout}\n${stderr}`);
      assert.equal(loginsIn(stderr), 1, stderr);
      assert.ok(provider.logins.tokens.size > 1, `${provider.logins.tokens.size} tokens`);
      assert.deepEqual(await server.run('SELECT turn FROM lake.ekg_renewed.published'), [[1]]);
      assert.deepEqual(await server.run('SELECT count(*) FROM lake.ekg_renewed.event'), [[9]]);
    } finally {
      await provider.close();
    }
  });
});

describe('the catalog of Trino', () => {
  it('has schemas, catalogs, views, comments and statistics', async () => {
    const server = await sharedTrino();
    const [first, second] = [await server.createSchema(), await server.createSchema()];
    await server.run(
      `CREATE TABLE lake.${first}.orders (id bigint COMMENT 'Number', "Placed At" timestamp(6)) COMMENT 'Orders'`,
    );
    await server.run(`INSERT INTO lake.${first}.orders SELECT i, NULL FROM UNNEST(sequence(1, 50)) AS t (i)`);
    await server.run(`CREATE VIEW lake.${second}.recent AS SELECT id FROM lake.${first}.orders`);
    const connector = await trinoConnector(server, first, {
      settings: { schemas: [first.toUpperCase(), second, 'missing'], catalogs: ['tpch.tiny'] },
    });
    const { objects, warnings } = await connector.describe({});
    await connector.close();
    const shown = objects
      .slice(0, 3)
      .map(({ name, kind, path, comment, statistics }) => [name, kind, path, comment, statistics.rowEstimate]);
    assert.deepEqual(shown, [
      ['orders', 'table', ['lake', first, 'orders'], 'Orders', 50],
      [`${second}.recent`, 'view', ['lake', second, 'recent'], undefined, undefined],
      ['tpch.tiny.customer', 'table', ['tpch', 'tiny', 'customer'], undefined, 1500],
    ]);
    assert.deepEqual(
      objects[0]?.columns.map(({ name, type, sense, comment, nullShare }) => [name, type, sense, comment, nullShare]),
      [
        ['id', 'bigint', 'integer', 'Number', 0],
        ['placed at', 'timestamp(6)', 'timestamp', undefined, 1],
      ],
    );
    assert.deepEqual(warnings, ['Schema missing does not exist in lake, or the user may not see it.']);
  });

  it('has all schemas, with qualified names, if none are configured', async () => {
    const connector = await trinoConnector(await sharedTrino(), '', {
      settings: { catalog: 'tpch', schemas: undefined },
    });
    const { objects } = await connector.describe({});
    await connector.close();
    assert.ok(objects.some(({ name }) => name === 'tiny.nation') && objects.some(({ name }) => name === 'sf1.nation'));
    assert.ok(!objects.some(({ name }) => name.includes('information_schema')));
  });
});

describe('a coordinator that stops while rows are read', () => {
  it('makes the pull fail with a remedy, and no rows are left', async function () {
    this.timeout(900_000);
    const server = await sharedTrino();
    const connector = await trinoConnector(server, 'default');
    await withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      let rows = 0;
      const loading = pull.load(trinoQuery('SELECT * FROM tpch.sf10.lineitem'), 'staged', {
        onRows: (count) => (rows = count),
      });
      const failure = loading.then(
        () => undefined,
        (error: unknown) => error,
      );
      await waitUntil('rows are staged', async () => (rows > 1000 ? true : undefined), 120_000);
      await server.restart();
      const error = await failure;
      assert.ok(isSourceError(error), String(error));
      assert.ok(['connection-lost', 'source-unreachable'].includes(error.code), `${error.code}: ${error.message}`);
      assert.ok(error.details.remedy);
      await pull.close();
      assert.deepEqual(await readdir(staging.temporaryFolder), []);
      assert.deepEqual(await staging.query('SELECT table_name FROM duckdb_tables()'), []);
    });
    await connector.close();
  });
});
