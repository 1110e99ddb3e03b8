import { spawn } from 'node:child_process';

/** The exports of the untyped scripts. */
interface Installers {
  ensurePythonReaders(): Promise<string>;
  ensureNeo4j(): Promise<string>;
}

/** The Python with pm4py, Rust4PM and DuckDB. */
export async function python(): Promise<string> {
  return (await installers('python-readers')).ensurePythonReaders();
}

/** Java class path of a Neo4j. */
export async function neo4jClassPath(): Promise<string> {
  return (await installers('neo4j-install')).ensureNeo4j();
}

async function installers(script: string): Promise<Installers> {
  const url = new URL(`../../scripts/${script}.mjs`, import.meta.url).href;
  return (await import(url)) as Installers;
}

export interface ProgramRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program to its end. */
export function runProgram(
  program: string,
  args: readonly string[],
  { cwd, env }: ProgramOptions = {},
): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
