import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { type ProgramRun, neo4jClassPath, runProgram } from './tools.ts';

/** A Neo4j installation with a separate folder: `neo4j-admin`, the server, and `cypher-shell`. */
export interface Neo4j {
  /** The folder from which LOAD CSV reads. */
  readonly importFolder: string;
  /** `neo4j-admin` with these arguments, run in `cwd`. */
  admin(args: readonly string[], cwd: string): Promise<ProgramRun>;
  /** `cypher-shell` with these arguments, against the running server. */
  shell(args: readonly string[], cwd: string): Promise<ProgramRun>;
  start(): Promise<void>;
  /** Rows of a query against the running server. */
  rows(cypher: string): Promise<readonly (readonly unknown[])[]>;
  stop(): Promise<void>;
}

const memory = '-Xmx512m';

/** @param folder must exist; all files are below it. */
export async function prepareNeo4j(folder: string): Promise<Neo4j> {
  const classPath = await neo4jClassPath();
  const [bolt, http] = [await freePort(), await freePort()];
  const importFolder = join(folder, 'import');
  const configuration = join(folder, 'conf');
  await mkdir(importFolder);
  await mkdir(configuration);
  await writeFile(
    join(configuration, 'neo4j.conf'),
    `server.bolt.listen_address=127.0.0.1:${bolt}
server.http.listen_address=127.0.0.1:${http}
dbms.security.auth_enabled=false
server.memory.pagecache.size=64m
server.directories.import=import
dbms.usage_report.enabled=false
`,
  );
  const env = { NEO4J_HOME: folder, NEO4J_CONF: configuration };
  const java = (main: string, args: readonly string[], cwd: string): Promise<ProgramRun> =>
    runProgram('java', [memory, '-cp', classPath, main, ...args], { cwd, env });
  let server: ChildProcess | undefined;
  return {
    importFolder,
    admin: (args, cwd) => java('org.neo4j.cli.AdminTool', args, cwd),
    shell: (args, cwd) =>
      java('org.neo4j.shell.Main', ['-a', `bolt://127.0.0.1:${bolt}`, '--format', 'plain', ...args], cwd),
    async start() {
      const args = [`--home-dir=${folder}`, `--config-dir=${configuration}`, '--console-mode'];
      server = spawn('java', [memory, '-cp', classPath, 'org.neo4j.server.CommunityEntryPoint', ...args], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      await started(server);
    },
    async rows(cypher) {
      const response = await fetch(`http://127.0.0.1:${http}/db/neo4j/tx/commit`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ statements: [{ statement: cypher }] }),
      });
      const { results, errors } = (await response.json()) as Answer;
      if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
      return results.flatMap(({ data }) => data.map(({ row }) => row));
    },
    async stop() {
      if (server?.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, 'exit');
      server.kill('SIGTERM');
      await ended;
    },
  };
}

interface Answer {
  readonly results: readonly { readonly data: readonly { readonly row: readonly unknown[] }[] }[];
  readonly errors: readonly { readonly message: string }[];
}

function started(server: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    const read = (text: string): void => {
      log += text;
      if (/\bStarted\./.test(log)) resolve();
    };
    server.stdout?.setEncoding('utf8').on('data', read);
    server.stderr?.setEncoding('utf8').on('data', read);
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`Neo4j did not start:\n${log}`)));
  });
}
