import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import { makeCertificates } from './certificates.ts';
import { freePort } from './free-port.ts';
import type { PostgresAccess, TestPostgres } from './postgres.ts';
import { runStatement } from './trino-statement.ts';
import { waitUntil } from './wait-until.ts';

/** A real Trino on free loopback ports: one node, its data in a temporary folder. */
export interface TestTrino {
  readonly host: string;
  /** Of plain HTTP, where any user may run statements. */
  readonly port: number;
  /** Of HTTPS, which wants a password or a token. */
  readonly encryptedPort: number;
  readonly authority: string;
  readonly user: string;
  readonly password: string;
  /** A JSON Web Token for a user; it expires after so many seconds. */
  token(user: string, seconds: number): string;
  /** Runs one statement past the connector, and returns its rows. @param headers of another request, whose session it gets */
  run(sql: string, headers?: IncomingHttpHeaders): Promise<readonly (readonly unknown[])[]>;
  /** Adds a catalog of a database of a PostgreSQL server, and returns its name. */
  addPostgres(server: PostgresAccess, database: string): Promise<string>;
  /** Adds a catalog of Iceberg whose tables are listed in a database of a PostgreSQL server, and returns its name. */
  addJdbcLake(server: TestPostgres, database: string): Promise<string>;
  /** Adds a catalog of Iceberg on files, with more properties than `lake` or other ones, and returns its name. */
  addLake(properties: Readonly<Record<string, string>>): Promise<string>;
  /** Creates an empty schema in a catalog, and returns its name. */
  createSchema(catalog?: string): Promise<string>;
  /** Adds a node beside the coordinator, which works, too; also after the last one was killed. */
  addWorker(): Promise<void>;
  /** Ends it like a crash. */
  killWorker(): Promise<void>;
  /** Stops it, so that it neither works nor answers, or lets it go on. */
  signalWorker(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Stops the server like a crash, and starts it again with its data. */
  restart(): Promise<void>;
  /** Stops the server and deletes its data; idempotent. */
  stop(): Promise<void>;
}

const installed = fileURLToPath(new URL('../../.cache/trino-476.2', import.meta.url));

/** Whether the test part `trino` has installed it. */
export function isTrinoInstalled(): boolean {
  return existsSync(installed);
}

/** The properties of the catalog `lake`, but for its folder. */
export const lakeProperties = {
  'iceberg.catalog.type': 'TESTING_FILE_METASTORE',
  'hive.metastore.catalog.dir': 'local:///',
  'fs.native-local.enabled': 'true',
};

/**
 * Starts a server with the catalogs `lake` (Iceberg on files), `memory` and `tpch`; it ends with this process.
 * @param triesAgain tasks of statements are run again when their node is lost
 * @param history how many statements the coordinator can tell all about after their end
 * @param compilesWell Java compiles as on a real server, with both compilers
 * @param rules of its access control; default: everything is allowed (https://trino.io/docs/476/security/file-system-access-control.html)
 */
export async function startTrino({
  triesAgain = false,
  history = 100,
  compilesWell = false,
  rules,
}: {
  readonly triesAgain?: boolean;
  readonly history?: number;
  readonly compilesWell?: boolean;
  readonly rules?: object;
} = {}): Promise<TestTrino> {
  if (!isTrinoInstalled()) throw new Error('Trino is not installed: npm test -- trino installs it.');
  const folder = mkdtempSync(join(tmpdir(), 'eg-trino-'));
  const inFolder = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  for (const name of ['etc', 'lake', 'data']) mkdirSync(join(folder, name));
  const [host, user, password] = ['127.0.0.1', 'analyst', 'trino-password'];
  const [port, encryptedPort] = [await freePort(), await freePort()];
  const { authority, certificate, key } = makeCertificates(folder, host);
  const secret = randomBytes(32).toString('base64');
  const settings = {
    coordinator: 'true',
    'node-scheduler.include-coordinator': 'true',
    'http-server.http.port': String(port),
    'discovery.uri': `http://${host}:${port}`,
    'plugin.dir': join(installed, 'plugins'),
    'catalog.management': 'dynamic',
    'catalog.store': 'memory',
    'http-server.https.enabled': 'true',
    'http-server.https.port': String(encryptedPort),
    'http-server.https.keystore.path': inFolder('keystore.pem', certificate + key),
    'http-server.authentication.type': 'PASSWORD,JWT,CERTIFICATE',
    // Who may issue client certificates, and the user in them.
    'http-server.https.truststore.path': authority,
    'http-server.authentication.certificate.user-mapping.pattern': 'CN=(.*)',
    'http-server.authentication.jwt.key-file': inFolder('jwt.key', secret),
    'http-server.authentication.allow-insecure-over-http': 'true',
    'internal-communication.shared-secret': randomBytes(32).toString('base64'),
    'password-authenticator.config-files': inFolder(
      'password.properties',
      `password-authenticator.name=file\nfile.password-file=${inFolder('users', `${user}:${passwordHash(password)}\n`)}\n`,
    ),
    'query.max-memory': '1GB',
    'memory.heap-headroom-per-node': '256MB',
    'query.max-memory-per-node': '512MB',
  };
  const again = {
    'retry-policy': 'TASK',
    'fault-tolerant-execution-task-memory': '200MB',
    // Small tables need few tasks, and a test need not wait a minute until a lost node is given up.
    'fault-tolerant-execution-min-partition-count': '4',
    'fault-tolerant-execution-max-partition-count': '4',
    'query.remote-task.max-error-duration': '20s',
    'exchange.max-error-duration': '20s',
  };
  const propertiesOf = (values: Readonly<Record<string, string>>): string =>
    Object.entries({ ...values, ...(triesAgain && again) })
      .map(([name, value]) => `${name}=${value}\n`)
      .join('');
  inFolder('etc/config.properties', propertiesOf({ ...settings, 'query.max-history': String(history) }));
  const exchange = `exchange-manager.name=filesystem\nexchange.base-directories=${join(folder, 'exchange')}\n`;
  if (triesAgain) inFolder('etc/exchange-manager.properties', exchange);
  if (rules) {
    const file = inFolder('rules.json', JSON.stringify(rules));
    inFolder('etc/access-control.properties', `access-control.name=file\nsecurity.config-file=${file}\n`);
  }
  const run: TestTrino['run'] = (sql, headers) => runStatement(`http://${host}:${port}`, sql, headers);
  /** The statements that create the catalogs. */
  const catalogs: string[] = [];
  async function addCatalog(
    name: string,
    connector: string,
    properties: Readonly<Record<string, string>>,
  ): Promise<void> {
    const listed = Object.entries(properties).map(([key, value]) => `"${key}" = '${value}'`);
    const sql = `CREATE CATALOG ${name} USING ${connector}${listed.length === 0 ? '' : ` WITH (${listed.join(', ')})`}`;
    catalogs.push(sql);
    await run(sql);
  }

  const launch = async (): Promise<ChildProcess> => {
    const launched = spawnNode(folder, 'one', compilesWell);
    await untilUp(folder, launched, port, port);
    return launched;
  };
  let server = await launch();
  let worker: ChildProcess | undefined;
  const killNow = (): void => {
    for (const node of [server, worker]) node?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', killNow);
  const kill = async (node: ChildProcess | undefined): Promise<void> => {
    if (!node || node.exitCode !== null || node.signalCode !== null) return;
    const ended = once(node, 'exit');
    node.kill('SIGKILL');
    await ended;
  };
  await addCatalog('lake', 'iceberg', { ...lakeProperties, 'local.location': join(folder, 'lake') });
  await addCatalog('memory', 'memory', {});
  await addCatalog('tpch', 'tpch', {});
  let [schemas, databases] = [0, 0];
  return {
    ...{ host, port, encryptedPort, authority, user, password, run },
    token: (subject, seconds) => webToken(subject, seconds, secret),
    async addPostgres(postgres, database) {
      const name = `pg_${++databases}`;
      const properties = {
        'connection-url': `jdbc:postgresql://${postgres.host}:${postgres.port}/${database}`,
        'connection-user': postgres.user,
        'connection-password': postgres.password,
      };
      await addCatalog(name, 'postgresql', properties);
      return name;
    },
    async addJdbcLake(postgres, database) {
      // Trino does not create them: https://trino.io/docs/476/object-storage/metastores.html#jdbc-catalog
      await postgres.query(
        database,
        `CREATE TABLE iceberg_tables (catalog_name varchar(255) NOT NULL, table_namespace varchar(255) NOT NULL, table_name varchar(255) NOT NULL,
           metadata_location varchar(1000), previous_metadata_location varchar(1000), iceberg_type varchar(5), PRIMARY KEY (catalog_name, table_namespace, table_name));
         CREATE TABLE iceberg_namespace_properties (catalog_name varchar(255) NOT NULL, namespace varchar(255) NOT NULL, property_key varchar(255),
           property_value varchar(1000), PRIMARY KEY (catalog_name, namespace, property_key))`,
      );
      const name = `jdbc_${++databases}`;
      mkdirSync(join(folder, name));
      await addCatalog(name, 'iceberg', {
        'iceberg.catalog.type': 'jdbc',
        'iceberg.jdbc-catalog.driver-class': 'org.postgresql.Driver',
        'iceberg.jdbc-catalog.connection-url': `jdbc:postgresql://${postgres.host}:${postgres.port}/${database}`,
        'iceberg.jdbc-catalog.connection-user': postgres.user,
        'iceberg.jdbc-catalog.connection-password': postgres.password,
        'iceberg.jdbc-catalog.catalog-name': name,
        'iceberg.jdbc-catalog.default-warehouse-dir': 'local:///',
        'fs.native-local.enabled': 'true',
        'local.location': join(folder, name),
      });
      return name;
    },
    async addLake(properties) {
      const name = `lake_${++databases}`;
      mkdirSync(join(folder, name));
      await addCatalog(name, 'iceberg', { ...lakeProperties, 'local.location': join(folder, name), ...properties });
      return name;
    },
    async createSchema(catalog = 'lake') {
      const name = `shop_${++schemas}`;
      await run(`CREATE SCHEMA ${catalog}.${name}`);
      return name;
    },
    async addWorker() {
      const ports = {
        'http-server.http.port': String(await freePort()),
        'http-server.https.port': String(await freePort()),
      };
      for (const name of ['worker/etc', 'worker/data']) mkdirSync(join(folder, name), { recursive: true });
      // Only a coordinator may have these.
      const { 'node-scheduler.include-coordinator': _, 'catalog.store': __, ...shared } = settings;
      inFolder('worker/etc/config.properties', propertiesOf({ ...shared, ...ports, coordinator: 'false' }));
      if (triesAgain) inFolder('worker/etc/exchange-manager.properties', exchange);
      worker = spawnNode(join(folder, 'worker'), 'two', compilesWell);
      await untilUp(join(folder, 'worker'), worker, port, Number(ports['http-server.http.port']));
    },
    killWorker: () => kill(worker),
    signalWorker: (signal) => void worker?.kill(signal),
    async restart() {
      await kill(server);
      server = await launch();
      for (const sql of catalogs) await run(sql);
    },
    async stop() {
      process.off('exit', killNow);
      await Promise.all([kill(server), kill(worker)]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a node in a folder with `etc/config.properties`. Its output is in `log`. */
function spawnNode(folder: string, id: string, compilesWell: boolean): ChildProcess {
  const node = spawn(
    join(installed, 'java/bin/java'),
    [
      ...['-Xmx1500M', '-XX:+UseG1GC', '-XX:G1HeapRegionSize=32M', '-XX:+ExitOnOutOfMemoryError'],
      // The second compiler would take more time than small tables give back.
      ...(compilesWell ? [] : ['-XX:TieredStopAtLevel=1']),
      ...['-Djdk.attach.allowAttachSelf=true', '--enable-native-access=ALL-UNNAMED'],
      ...['--sun-misc-unsafe-memory-access=allow', '-Dnode.environment=test', `-Dnode.id=${id}`],
      ...[`-Dnode.data-dir=${join(folder, 'data')}`, '-Dnode.bind-ip=127.0.0.1', '-Dnode.internal-address=127.0.0.1'],
      ...[`-Dconfig=${join(folder, 'etc/config.properties')}`, '-cp', join(installed, 'lib/*')],
      'io.trino.server.TrinoServer',
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  for (const stream of [node.stdout, node.stderr]) {
    stream.on('data', (text: Buffer) => {
      // The last output of a killed node may come when its folder has been removed.
      if (existsSync(folder)) appendFileSync(join(folder, 'log'), text);
    });
  }
  return node;
}

/** @param port of the coordinator @param own of the node itself, which may be the coordinator */
async function untilUp(folder: string, server: ChildProcess, port: number, own: number): Promise<void> {
  const isUp = async (): Promise<true | undefined> => {
    if (server.exitCode !== null) {
      throw new Error(`Trino did not start:\n${readFileSync(join(folder, 'log'), 'utf8').slice(-4000)}`);
    }
    const info = await fetch(`http://127.0.0.1:${port}/v1/info`).then(
      (answer) => answer.text(),
      () => '',
    );
    if (!info.includes('"starting":false')) return undefined;
    // Statements wait until the nodes have announced themselves.
    return runStatement(
      `http://127.0.0.1:${port}`,
      `SELECT 1 FROM system.runtime.nodes WHERE state = 'active' AND http_uri LIKE '%:${own}'`,
    ).then(
      (rows) => (rows.length === 1 ? true : undefined),
      () => undefined,
    );
  };
  await waitUntil('Trino is up', isUp, 480_000);
}

/** The form of PBKDF2 that the password file of Trino has: https://trino.io/docs/current/security/password-file.html */
function passwordHash(password: string): string {
  const salt = randomBytes(16);
  const hash = pbkdf2Sync(password, salt, 1000, 64, 'sha1');
  return `1000:${salt.toString('hex')}:${hash.toString('hex')}`;
}

function webToken(subject: string, seconds: number, secret: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: subject, iat: now, exp: now + seconds })}`;
  return `${text}.${createHmac('sha256', Buffer.from(secret, 'base64')).update(text).digest('base64url')}`;
}

/** The server shared by all tests of this process: started on first use, stopped after the last file. */
export const sharedTrino = shareServer();

function shareServer(): () => Promise<TestTrino> {
  let running: Promise<TestTrino> | undefined;
  type Hooks = Partial<Record<'after' | 'afterAllFiles', (hook: () => Promise<void>) => void>>;
  const { after, afterAllFiles = after } = globalThis as Hooks;
  afterAllFiles?.(async () => (await running)?.stop());
  return () => (running ??= startTrino());
}
