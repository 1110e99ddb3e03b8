import { execFileSync, spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { type PostgresBinaries, findPostgresBinaries } from './postgres-binaries.ts';

export interface PostgresOptions {
  /** Settings of `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** PEM texts: enables TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string };
  /** The folder of another installation; its servers let everyone in, such as the other nodes of a cluster. */
  readonly installation?: string;
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

const password = 'postgres-password';

/** A cluster that was never started, and the programs for it. */
interface Cluster {
  readonly binaries: PostgresBinaries;
  readonly cluster: string;
}

/** Servers of this process get copies of one cluster: creating one takes ten times as long as copying it. */
const sharedCluster = shareCluster();

function shareCluster(): (owner: Owner | undefined, installation?: string) => Promise<Cluster> {
  const created = new Map<string | undefined, Promise<Cluster>>();
  return (owner, installation) => {
    const cluster = created.get(installation) ?? createCluster(owner, installation);
    created.set(installation, cluster);
    return cluster;
  };
}

async function createCluster(owner: Owner | undefined, installation: string | undefined): Promise<Cluster> {
  const binaries = installation === undefined ? await findPostgresBinaries(owner) : programsIn(installation);
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-postgres-cluster-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
    binaries.remove();
  });
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const [cluster, passwordFile] = [join(folder, 'data'), writeOwned(join(folder, 'password'), `${password}\n`, owner)];
  const auth = installation === undefined ? 'scram-sha-256' : 'trust';
  const flags = [`--auth=${auth}`, '--username=postgres', '--encoding=UTF8', '--locale=C', '--no-sync'];
  execFileSync(binaries.initdb, [`--pgdata=${cluster}`, `--pwfile=${passwordFile}`, ...flags], {
    ...{ ...owner, cwd: folder, stdio: 'pipe' },
    env: { ...process.env, LC_ALL: 'C' },
  });
  return { binaries, cluster };
}

function programsIn(installation: string): PostgresBinaries {
  const program = (name: string): string => join(installation, 'bin', name);
  return { initdb: program('initdb'), postgres: program('postgres'), remove: () => undefined };
}

/** Creates and starts a cluster; it ends with this process and its process group. */
export async function startServer(options: PostgresOptions): Promise<PostgresServer> {
  const owner = unprivilegedUser();
  const { binaries, cluster } = await sharedCluster(owner, options.installation);
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-postgres-'));
  const inFolder = (name: string, text: string): string => writeOwned(join(folder, name), text, owner);
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const run: SpawnOptions = { ...owner, cwd: folder, env: { ...process.env, LC_ALL: 'C' } };
  cpSync(cluster, data, { recursive: true, preserveTimestamps: true });
  if (owner) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, data]);
  chmodSync(data, 0o700);

  const port = await freePort();
  const settings = { ...forTests, ...(options.tls && tlsSettings(options.tls, inFolder)), ...options.settings };
  const flags = Object.entries({ ...settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const start = (): ChildProcess =>
    spawn(binaries.postgres, ['-D', data, ...flags], { ...run, stdio: ['ignore', 'ignore', 'pipe'] });
  let server = start();
  const cleanUp = (): void => rmSync(folder, { recursive: true, force: true });
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
