import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Diagnosis, DiagnosisStep } from '../../protocol/diagnosis.ts';
import { diagnoseSource } from '../../server/src/operations/sources/diagnose-source.ts';
import { readSourcesFile } from '../../server/src/project/open-project.ts';
import type { Fault } from '../simulator/faults.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { runCli } from '../support/run-cli.ts';
import { instanceSettings } from '../support/servicenow-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { noSecrets } from '../support/no-secrets.ts';

function graphOver(dataSource: string, ...dataObjects: readonly string[]): string {
  const elements = dataObjects.map((dataObject) => ({ activityName: dataObject, dataObject, startTimestamp: 'at' }));
  return stringify({ version: 1, name: 'G', dataSource, elements });
}

describe('data source diagnosis', () => {
  let postgres: TestPostgres;
  let database: string;
  let folder = '';

  before(async () => {
    postgres = await sharedPostgres();
    database = await postgres.createDatabase();
    await postgres.query(
      database,
      `CREATE TABLE orders (id int PRIMARY KEY, at timestamptz); INSERT INTO orders VALUES (1, now());
       CREATE TABLE salaries (id int PRIMARY KEY);
       CREATE ROLE ${database}_reader LOGIN PASSWORD 'reading'; GRANT SELECT ON orders TO ${database}_reader`,
    );
  });
  afterEach(() => removeFolder(folder));

  const login = (): Readonly<Record<string, unknown>> => ({
    kind: 'postgresql',
    host: postgres.host,
    port: postgres.port,
    database,
    user: `${database}_reader`,
    password: '${secret:shop}',
  });

  async function diagnose(
    settings: Readonly<Record<string, unknown>>,
    secrets: Readonly<Record<string, string>> = { shop: 'reading' },
    files: Readonly<Record<string, string>> = {},
    onProgress?: (step: string) => void,
  ): Promise<Diagnosis> {
    folder = await folderWith({
      ...files,
      'entity-sources.yaml': stringify({ version: 1, dataSources: { shop: settings } }),
      'orders.csv': 'id,at\n1,2024-01-01 08:00:00\n',
    });
    const projectContext = {
      permitUses: permitAllUses,
      readSecret: async (name: string) => secrets[name],
      environment: {},
      workspaceFolderOf: () => folder,
    };
    const sourcesFile = await readSourcesFile(join(folder, 'entity-sources.yaml'), projectContext);
    return diagnoseSource(sourcesFile, 'shop', projectContext, { signal: new AbortController().signal, onProgress });
  }
  const states = ({ checks }: Diagnosis): readonly string[] => checks.map(({ name, state }) => `${name} ${state}`);
  const last = ({ checks }: Diagnosis): DiagnosisStep => checks.at(-1) ?? { name: '', state: 'ok', message: '' };

  it('reports every finding of a database', async () => {
    const report = await diagnose(login());
    assert.deepEqual(states(report), [
      'Settings ok',
      'Network ok',
      'Credentials ok',
      'Version ok',
      'Encryption warning',
      'Data Objects ok',
      'Data Objects warning',
      'Rows ok',
    ]);
    assert.match(report.checks.find(({ name }) => name === 'Version')?.message ?? '', /^PostgreSQL 1\d/);
    assert.match(report.checks.at(-2)?.message ?? '', /salaries/);
    assert.match(last(report).message, /first row of orders came in \d+ ms/);
    assert.equal(report.objects, 1);
  });

  it('reports each step that contacts the source', async () => {
    const steps: string[] = [];
    await diagnose(login(), { shop: 'reading' }, {}, (step) => steps.push(step));
    const connecting = `Connecting to ${postgres.host}:${postgres.port}`;
    assert.deepEqual(steps, [
      connecting,
      'Checking credentials and permissions',
      'Reading the data objects',
      connecting,
      `Reading the catalog of ${database}`,
      'Reading a row of orders',
    ]);
  });

  const failures: readonly (readonly [
    what: string,
    settings: () => Readonly<Record<string, unknown>>,
    secrets: Readonly<Record<string, string>>,
    expected: readonly [name: string, message: RegExp, remedy: RegExp],
  ])[] = [
    ['a secret that is missing', login, {}, ['Settings', /needs the secret shop/, /ENTITY_GRAPH_SECRET_SHOP/]],
    ['a wrong password', login, { shop: 'wrong' }, ['Credentials', /password authentication failed/i, /./]],
    [
      'an unknown host',
      () => ({ ...login(), host: 'nowhere.invalid' }),
      { shop: 'reading' },
      ['Network', /No address is known for nowhere\.invalid/, /spelling/],
    ],
    [
      'a database that is not there',
      () => ({ ...login(), database: 'no_such_database' }),
      { shop: 'reading' },
      ['Settings', /no_such_database/, /./],
    ],
    [
      'settings that cannot be used',
      () => ({ ...login(), port: 'x' }),
      { shop: 'reading' },
      ['Settings', /port must be/, /Correct port/],
    ],
    ['files that are not there', () => ({ kind: 'csv', path: 'none/*.csv' }), {}, ['Files', /none/, /./]],
  ];
  for (const [what, settings, secrets, [name, message, remedy]] of failures) {
    it(`stops at ${what}, and names the remedy`, async () => {
      const report = await diagnose(settings(), secrets);
      const failed = last(report);
      assert.deepEqual([failed.name, failed.state], [name, 'failed'], JSON.stringify(report.checks));
      assert.match(failed.message, message);
      assert.match(failed.remedy ?? '', remedy);
      assert.doesNotMatch(JSON.stringify(report), /reading|"wrong"/);
    });
  }

  it('warns about an invalid sources file whose settings may be ignored', async () => {
    folder = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n  more: [\n',
      'orders.csv': 'id\n1\n',
    });
    const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
    const sourcesFile = await readSourcesFile(join(folder, 'entity-sources.yaml'), projectContext);
    const report = await diagnoseSource(sourcesFile, 'shop', projectContext, { signal: new AbortController().signal });
    assert.deepEqual(states(report), ['Settings warning', 'Settings ok', 'Data Objects ok', 'Rows ok']);
    const [mistake, settings] = report.checks;
    assert.match(mistake?.message ?? '', /^entity-sources\.yaml has a mistake in line 4: .*never closed/);
    assert.match(mistake?.remedy ?? '', /^Fix it first/);
    assert.equal(settings?.message, 'They are complete.');
  });

  it('distinguishes a closed port from an unknown host', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const failed = last(await diagnose({ ...login(), host: '127.0.0.1', port }));
    assert.equal(failed.message, `127.0.0.1 refuses connections on port ${port}.`);
  });

  /** One row per workspace: its graphs, and the expected table. */
  const graphs: readonly (readonly [what: string, files: Readonly<Record<string, string>>, table: string])[] = [
    ['the first one without graphs', {}, 'problem'],
    ['one that a graph uses', { 'a/b.entity.yaml': graphOver('shop', 'sys_audit', 'incident') }, 'incident'],
    ['the first one that another source has', { 'b.entity.yaml': graphOver('other', 'incident') }, 'problem'],
    [
      'the first one where a nearer file of sources holds',
      {
        'a/b.entity.yaml': graphOver('shop', 'incident'),
        'a/entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n',
      },
      'problem',
    ],
    [
      'one that a graph uses beside one that cannot be read',
      { 'a.entity.yaml': '[', 'b.entity.yaml': graphOver('shop', 'none', 'incident') },
      'incident',
    ],
  ];
  for (const [what, files, table] of graphs) {
    it(`diagnoses ${what}`, async () => {
      const simulator = await startSimulator({ incidents: 20 });
      try {
        const settings = instanceSettings(simulator, { tables: ['sys_audit', 'problem', 'incident'] });
        const { checks } = await diagnose(settings, {}, files);
        const said = checks.map(({ message }) => message);
        assert.ok(said.includes(`The first records of ${table} can all be read.`), said.join('\n'));
      } finally {
        await simulator.close();
      }
    });
  }

  it('reports missing data objects that entity graphs use, as their imports fail', async () => {
    const report = await diagnose(login(), undefined, {
      'a.entity.yaml': graphOver('shop', 'orders', 'gone', 'salaries'),
      'b.entity.yaml': graphOver('other', 'elsewhere'),
    });
    const failed = report.checks.filter(({ state }) => state === 'failed').map(({ name, message }) => [name, message]);
    assert.deepEqual(failed, [
      ['Data Objects', 'Entity graphs use gone, which was not found: imports of them fail.'],
      ['Data Objects', 'Entity graphs use salaries, of which no column may be read: imports of them fail.'],
    ]);
    assert.equal(last(report).name, 'Rows');
  });

  /** One row per fault of the first request to an instance: its kind, and the message. */
  const faults: readonly (readonly [fault: Fault, name: string, message: RegExp])[] = [
    [{ kind: 'status', status: 503 }, 'Service', /^The instance is not available at the moment \(status 503\)\.$/],
    [{ kind: 'status', status: 500 }, 'Service', /with an error: status 500\.$/],
    [{ kind: 'cut-socket' }, 'Network', /was lost before the answer was complete\.$/],
    [{ kind: 'rate-limit', retryAfter: 3600 }, 'Service', /limits how often it may be called/],
    [{ kind: 'hibernating' }, 'Network', /is hibernating/],
    [{ kind: 'answer', body: '{}' }, 'Service', /with an empty object\.$/],
    [{ kind: 'unauthenticated' }, 'Credentials', /refuses the login/],
  ];
  it('distinguishes rejected credentials from service and network failures', async function () {
    // Some requests are retried with real delays.
    this.timeout(600_000);
    const told = async ([fault, name, message]: (typeof faults)[number]): Promise<void> => {
      const simulator = await startSimulator({ incidents: 5 });
      const own = await folderWith({
        'entity-sources.yaml': stringify({
          version: 1,
          dataSources: { itsm: instanceSettings(simulator, { tables: ['incident'] }) },
        }),
      });
      try {
        simulator.failNext(fault, { times: Infinity });
        const projectContext = { ...noSecrets, workspaceFolderOf: () => own };
        const sourcesFile = await readSourcesFile(join(own, 'entity-sources.yaml'), projectContext);
        const report = await diagnoseSource(sourcesFile, 'itsm', projectContext, {
          signal: new AbortController().signal,
        });
        assert.deepEqual([last(report).name, last(report).state], [name, 'failed'], JSON.stringify(fault));
        assert.match(last(report).message, message);
      } finally {
        await simulator.close();
        await removeFolder(own);
      }
    };
    await Promise.all(faults.map(told));
  });

  it('reads one row of each file that a graph uses', async () => {
    const files = { 'anything.csv': 'id\n1\n', 'g.entity.yaml': graphOver('shop', 'orders') };
    assert.match(last(await diagnose({ kind: 'csv', path: '*.csv' }, {}, files)).message, /first row of orders came/);
  });

  it('covers files and instances', async () => {
    assert.deepEqual(states(await diagnose({ kind: 'csv', path: '*.csv' })), [
      'Settings ok',
      'Data Objects ok',
      'Rows ok',
    ]);
    await removeFolder(folder);
    const simulator = await startSimulator();
    try {
      const report = await diagnose(instanceSettings(simulator, { tables: ['incident'] }));
      assert.deepEqual(states(report), [
        ...['Settings ok', 'Network ok', 'Credentials ok', 'Permissions ok', 'Permissions ok', 'Permissions ok'],
        ...['Time Zone ok', 'Data Objects ok', 'Rows ok'],
      ]);
    } finally {
      await simulator.close();
    }
  });

  it('doctor command: exits with 1 for warnings only when asked to', async () => {
    const simulator = await startSimulator({ incidents: 5 });
    try {
      const settings = instanceSettings(simulator, { tables: ['incident'] });
      folder = await folderWith({ 'entity-sources.yaml': stringify({ version: 1, dataSources: { itsm: settings } }) });
      const run = async (...options: readonly string[]) =>
        (await runCli(['doctor', 'itsm', '--workspace', folder, ...options], { cwd: folder })).code;
      assert.deepEqual([await run(), await run('--strict')], [0, 0]);
      // Literal times only take time to parse.
      simulator.instance.settings.literalHours = -5;
      assert.deepEqual([await run(), await run('--strict')], [0, 1]);
      // Hidden records make imports fail.
      simulator.instance.settings.mayRead = (table, { number }) => table !== 'incident' || number !== 'INC0000003';
      assert.deepEqual([await run(), await run('--strict')], [1, 1]);
    } finally {
      await simulator.close();
    }
  });

  it('doctor command: exits with 1 when a step failed', async () => {
    folder = await folderWith({
      'entity-sources.yaml': stringify({ version: 1, dataSources: { files: { kind: 'csv', path: '*.csv' } } }),
      'orders.csv': 'id,at\n1,2024-01-01 08:00:00\n',
    });
    const fine = await runCli(['doctor', 'files', '--workspace', folder], { cwd: folder });
    assert.equal(fine.code, 0, fine.stderr);
    assert.match(fine.stdout, /^Settings: ok\. .*\nData Objects: ok\. 1 with 2 columns\.\nRows: ok\./);
    const wrong = await runCli(['doctor', 'file', '--workspace', folder, '--format', 'json'], { cwd: folder });
    assert.equal(wrong.code, 1);
    assert.match((JSON.parse(wrong.stdout) as Diagnosis).checks[0]?.remedy ?? '', /Did you mean files/);
  });
});
