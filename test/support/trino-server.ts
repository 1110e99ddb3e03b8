import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeCertificates } from './certificates.ts';
import { freePort } from './free-port.ts';
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
  /** Runs one statement past the connector, and returns its rows. */
  run(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Creates an empty schema in the catalog `lake`, and returns its name. */
  createSchema(): Promise<string>;
  /** Stops the server like a crash, and starts it again with its data. */
  restart(): Promise<void>;
  /** Stops the server and deletes its data; idempotent. */
  stop(): Promise<void>;
}

const installed = fileURLToPath(new URL('../../.cache/trino-476', import.meta.url));

/**
 * Starts a server with the catalogs `lake` (Iceberg on files), `memory` and `tpch`; it ends with this process.
 * @param catalogs texts of further catalogs
 */
export async function startTrino(catalogs: Readonly<Record<string, string>> = {}): Promise<TestTrino> {
  if (!existsSync(installed)) throw new Error('Trino is not installed: npm test -- trino installs it.');
  const folder = mkdtempSync(join(tmpdir(), 'eg-trino-'));
  const inFolder = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  for (const name of ['etc', 'etc/catalog', 'lake', 'data']) mkdirSync(join(folder, name));
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
    'catalog.config-dir': join(folder, 'etc/catalog'),
    'http-server.https.enabled': 'true',
    'http-server.https.port': String(encryptedPort),
    'http-server.https.keystore.path': inFolder('keystore.pem', certificate + key),
    'http-server.authentication.type': 'PASSWORD,JWT',
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
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  inFolder('etc/config.properties', lines.join(''));
  const lake =
    'connector.name=iceberg\niceberg.catalog.type=TESTING_FILE_METASTORE\nhive.metastore.catalog.dir=local:///\n' +
    `fs.native-local.enabled=true\nlocal.location=${join(folder, 'lake')}\n`;
  const all = { lake, memory: 'connector.name=memory\n', tpch: 'connector.name=tpch\n', ...catalogs };
  for (const [name, text] of Object.entries(all)) inFolder(`etc/catalog/${name}.properties`, text);

  let server = await launch(folder, port);
  const killNow = (): void => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', killNow);
  const halt = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  const run = (sql: string): ReturnType<TestTrino['run']> => runStatement(port, sql);
  let schemas = 0;
  return {
    ...{ host, port, encryptedPort, authority, user, password, run },
    token: (subject, seconds) => webToken(subject, seconds, secret),
    async createSchema() {
      const name = `shop_${++schemas}`;
      await run(`CREATE SCHEMA lake.${name}`);
      return name;
    },
    async restart() {
      await halt();
      server = await launch(folder, port);
    },
    async stop() {
      process.off('exit', killNow);
      await halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launch(folder: string, port: number): Promise<ChildProcess> {
  const log = join(folder, 'log');
  const server = spawn(
    join(installed, 'java/bin/java'),
    [
      ...['-Xmx1500M', '-XX:+UseG1GC', '-XX:G1HeapRegionSize=32M', '-XX:+ExitOnOutOfMemoryError'],
      ...['-Djdk.attach.allowAttachSelf=true', '--enable-native-access=ALL-UNNAMED'],
      ...['--sun-misc-unsafe-memory-access=allow', '-Dnode.environment=test', '-Dnode.id=one'],
      ...[`-Dnode.data-dir=${join(folder, 'data')}`, '-Dnode.bind-ip=127.0.0.1', '-Dnode.internal-address=127.0.0.1'],
      ...[`-Dconfig=${join(folder, 'etc/config.properties')}`, '-cp', join(installed, 'lib/*')],
      'io.trino.server.TrinoServer',
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text: Buffer) => appendFileSync(log, text));
  const isUp = async (): Promise<true | undefined> => {
    if (server.exitCode !== null) throw new Error(`Trino did not start:\n${readFileSync(log, 'utf8').slice(-4000)}`);
    const info = await fetch(`http://127.0.0.1:${port}/v1/info`).then(
      (answer) => answer.text(),
      () => '',
    );
    if (!info.includes('"starting":false')) return undefined;
    // Statements wait until the node has announced itself.
    return runStatement(port, 'SELECT count(*) FROM tpch.tiny.region').then(
      () => true,
      () => undefined,
    );
  };
  await waitUntil('Trino is up', isUp, 240_000);
  return server;
}

interface Answer {
  readonly nextUri?: string;
  readonly data?: readonly (readonly unknown[])[];
  readonly error?: { readonly message: string };
}

async function runStatement(port: number, sql: string): Promise<readonly (readonly unknown[])[]> {
  const ask = async (url: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(url, init);
    if (!answer.ok) throw new Error(`${answer.status}: ${(await answer.text()).slice(0, 300)}`);
    return (await answer.json()) as Answer;
  };
  const rows: (readonly unknown[])[] = [];
  const headers = { 'X-Trino-User': 'admin' };
  let answer = await ask(`http://127.0.0.1:${port}/v1/statement`, { method: 'POST', body: sql, headers });
  for (;;) {
    if (answer.error) throw new Error(`${answer.error.message}\n${sql.slice(0, 500)}`);
    rows.push(...(answer.data ?? []));
    if (answer.nextUri === undefined) return rows;
    answer = await ask(answer.nextUri, { headers });
  }
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

/** The server shared by all tests of this process: started on first use, stopped after the last file or by the caller. */
export const sharedTrino = shareServer();

function shareServer(): () => Promise<TestTrino> {
  let running: Promise<TestTrino> | undefined;
  type Hooks = Partial<Record<'after' | 'afterAllFiles', (hook: () => Promise<void>) => void>>;
  const { after, afterAllFiles = after } = globalThis as Hooks;
  afterAllFiles?.(async () => (await running)?.stop());
  return () => (running ??= startTrino());
}
