import { execFileSync, spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from './free-port.ts';

export interface MariadbOptions {
  /** Settings of the server, such as `lower-case-table-names`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** PEM texts: enables TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

export interface MariadbServer {
  readonly host: string;
  readonly port: number;
  /** Path of its Unix socket. */
  readonly socket: string;
  readonly user: string;
  readonly password: string;
  /** Stops the server like a crash, keeping its data. */
  halt(): Promise<void>;
  /** Stops the server and deletes its data; idempotent. */
  stop(): Promise<void>;
}

/** The data of a server that was never started: servers of this process get copies, which takes much less time. */
const sharedData = shareData();

function shareData(): (owner: Owner | undefined) => string {
  let created: string | undefined;
  return (owner) => (created ??= createData(owner));
}

function createData(owner: Owner | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), 'eg-maria-data-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  mkdirSync(data);
  if (owner) for (const each of [folder, data]) chownSync(each, owner.uid, owner.gid);
  const install = ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db'];
  execFileSync(programPath('mariadb-install-db'), install, {
    ...{ ...owner, cwd: folder, stdio: 'pipe' },
    env: environmentIn(folder),
  });
  return data;
}

/** Its temporary files are in its own folder, as that of the tests may be closed to its user. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, LC_ALL: 'C', HOME: folder, TMPDIR: folder };
}

/** Creates and starts a server without rights of root; it ends with this process. */
export async function startMariadbServer(options: MariadbOptions): Promise<MariadbServer> {
  const owner = unprivilegedUser();
  // The path of a socket has at most 107 bytes.
  const folder = mkdtempSync(join(tmpdir(), 'eg-maria-'));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const [data, socket] = [join(folder, 'data'), join(folder, 's')];
  cpSync(sharedData(owner), data, { recursive: true, preserveTimestamps: true });
  if (owner) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, data]);
  const run: SpawnOptions = { ...owner, cwd: folder, env: environmentIn(folder) };
  const password = 'mariadb-password';
  const inFolder = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    if (owner) chownSync(path, owner.uid, owner.gid);
    return path;
  };
  const start = inFolder(
    'start.sql',
    `ALTER USER root@localhost IDENTIFIED BY '${password}';\n` +
      `CREATE USER admin@'127.0.0.1' IDENTIFIED BY '${password}';\nGRANT ALL ON *.* TO admin@'127.0.0.1' WITH GRANT OPTION;\n` +
      `CREATE USER admin@localhost IDENTIFIED BY '${password}';\nGRANT ALL ON *.* TO admin@localhost WITH GRANT OPTION;\n`,
  );
  const port = await freePort();
  const settings = {
    ...{ datadir: data, socket, port: String(port), 'bind-address': '127.0.0.1', 'pid-file': join(folder, 'pid') },
    ...{ 'innodb-flush-log-at-trx-commit': '0', 'skip-name-resolve': '1', 'innodb-buffer-pool-size': '256M' },
    ...{ 'character-set-server': 'utf8mb4', 'init-file': start, 'max-allowed-packet': '1G' },
    ...(options.tls && {
      'ssl-cert': inFolder('server.crt', options.tls.certificate),
      'ssl-key': inFolder('server.key', options.tls.key),
    }),
    ...options.settings,
  };
  const flags = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
  const server = spawn(programPath('mariadbd'), ['--no-defaults', ...flags], {
    ...run,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const cleanUp = (): void => rmSync(folder, { recursive: true, force: true });
  const killNow = (): void => {
    server.kill('SIGKILL');
    cleanUp();
  };
  process.once('exit', killNow);
  await untilReady(server);
  const halt = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  const stop = async (): Promise<void> => {
    process.off('exit', killNow);
    await halt();
    cleanUp();
  };
  return { host: '127.0.0.1', port, socket, user: 'admin', password, halt, stop };
}

/** Debian puts the server where only root looks. */
function programPath(name: string): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found === undefined) {
    const packages = 'mariadb-server-core mariadb-client-core';
    throw new Error(`${name} must be installed first. On Debian or Ubuntu: apt-get install ${packages}`);
  }
  return found;
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** MariaDB should not run as root; then it runs as a standard Unix account. */
function unprivilegedUser(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function untilReady(server: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`MariaDB did not start:\n${log}`)));
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (log.length < 20_000) log += text;
      if (text.includes('ready for connections')) resolve();
    });
  });
}
