import { execFileSync, spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { findPostgresBinaries } from './postgres-binaries.ts';

export interface PostgresOptions {
  /** Settings of `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** PEM texts: enables TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

export interface PostgresServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Stops the server like a crash, keeping its data. */
  halt(): Promise<void>;
  /** The same, blocking this process until the server has ended. */
  haltNow(): void;
  /** Restarts it after `halt`: same data, same port. */
  startAgain(): Promise<void>;
  /** Stops the server and deletes its data; idempotent. */
  stop(): Promise<void>;
}

/** Creates and starts a cluster; it ends with this process and its process group. */
export async function startServer(options: PostgresOptions): Promise<PostgresServer> {
  const owner = unprivilegedUser();
  const { initdb, postgres, remove: removeBinaries } = await findPostgresBinaries(owner);
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-postgres-'));
  const password = 'postgres-password';
  const inFolder = (name: string, text: string): string => writeOwned(join(folder, name), text, owner);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const passwordFile = inFolder('password', `${password}\n`);
  const run: SpawnOptions = { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  const clusterFlags = ['--auth=scram-sha-256', '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync'];
  execFileSync(initdb, [`--pgdata=${data}`, `--pwfile=${passwordFile}`, ...clusterFlags], { ...run, stdio: 'pipe' });

  const port = await freePort();
  const settings = { ...forTests, ...(options.tls && tlsSettings(options.tls, inFolder)), ...options.settings };
  const flags = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const start = (): ChildProcess =>
    spawn(postgres, ['-D', data, ...flags], { ...run, stdio: ['ignore', 'ignore', 'pipe'] });
  let server = start();
  const cleanUp = (): void => {
    rmSync(folder, { recursive: true, force: true });
    removeBinaries();
  };
  const killNow = (): void => {
    server.kill('SIGQUIT');
    cleanUp();
  };
  process.once('exit', killNow);
  await untilReady(server);

  const halt = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await ended;
  };
  const haltNow = (): void => {
    server.kill('SIGQUIT');
    // An ended process is listed until this process reaps it.
    const hasEnded = (): boolean =>
      /^(?:Z.*)?$/.test(
        spawnSync('ps', ['-o', 'stat=', '-p', String(server.pid)])
          .stdout.toString()
          .trim(),
      );
    while (!hasEnded()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  };
  const startAgain = async (): Promise<void> => {
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
    server = start();
    await untilReady(server);
  };
  const stop = async (): Promise<void> => {
    process.off('exit', killNow);
    await halt();
    cleanUp();
  };
  return { host: '127.0.0.1', port, user: 'postgres', password, halt, haltNow, startAgain, stop };
}

const forTests: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '4GB',
  shared_buffers: '256MB',
};

function tlsSettings(
  tls: NonNullable<PostgresOptions['tls']>,
  inFolder: (name: string, text: string) => string,
): Record<string, string> {
  const certificate = inFolder('server.crt', tls.certificate);
  return { ssl: 'on', ssl_cert_file: certificate, ssl_key_file: inFolder('server.key', tls.key) };
}

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root; then it runs as a standard Unix account. */
function unprivilegedUser(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: '-u' | '-g'): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function writeOwned(path: string, text: string, owner: Owner | undefined): string {
  writeFileSync(path, text, { mode: 0o600 });
  if (owner) chownSync(path, owner.uid, owner.gid);
  return path;
}

async function untilReady(server: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (log.length < 10_000) log += text;
      if (text.includes('ready to accept connections')) resolve();
    });
  });
}
