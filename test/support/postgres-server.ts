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
  /** PEM texts: the server then speaks TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

export interface PostgresServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** Ends the server at once, as a crash would, and keeps its data. */
  halt(): Promise<void>;
  /** The same, and nothing else of this process runs until the server has ended. */
  haltNow(): void;
  /** Starts it again after `halt`: the same data on the same port. */
  startAgain(): Promise<void>;
  /** Ends the server and removes its data; idempotent. */
  stop(): Promise<void>;
}

/** Creates a cluster and starts it; it goes down with this process, and with its process group. */
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
    // What has ended is still listed until this process looks at it.
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

/** PostgreSQL refuses to run as root; then it runs as an account that every Unix has. */
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
