import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

/** The costs of a whole program. */
export interface ProcessCosts {
  /** From its start to its end. */
  readonly seconds: number;
  /**
   * Peak resident memory of the program and its child processes, sampled every 50 ms; pages that they share count for
   * each. Undefined where there is no `/proc`.
   */
  readonly megabytes: number | undefined;
  readonly stdout: string;
}

const reporter = fileURLToPath(new URL('report-processor-time.cjs', import.meta.url));

/** Runs a program of Node to its end, and tells its processor time, without that of child processes. Rejects when it fails. */
export async function wholeNodeProcess(
  args: readonly string[],
  cwd: string,
): Promise<ProcessCosts & { readonly processorSeconds: number }> {
  const { reported, ...costs } = await wholeProcess(process.execPath, ['--require', reporter, ...args], cwd);
  return { ...costs, processorSeconds: Number(reported) };
}

/** Runs a program to its end. Rejects when it fails. */
export function wholeProcess(
  program: string,
  args: readonly string[],
  cwd: string,
): Promise<ProcessCosts & { readonly reported: string }> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    // A separate process group, by which its child processes are found.
    const stdio = ['pipe', 'pipe', 'pipe', 'pipe'] as const;
    const child = spawn(program, args, { cwd, detached: process.platform !== 'win32', stdio: [...stdio] });
    let [stdout, stderr, reported, peak] = ['', '', '', 0];
    const [, , , reports] = child.stdio;
    if (reports instanceof Readable) reports.setEncoding('utf8').on('data', (text: string) => (reported += text));
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const sampler = setInterval(() => (peak = Math.max(peak, residentBytes(child.pid ?? 0))), 50);
    let seconds = 0;
    child.once('error', reject);
    child.once('exit', () => {
      seconds = (performance.now() - start) / 1000;
      clearInterval(sampler);
    });
    child.once('close', (code) => {
      if (code !== 0) reject(new Error(`${program} ${args.join(' ')} ended with ${code}: ${stderr}`));
      else resolve({ seconds, megabytes: peak > 0 ? peak / 1e6 : undefined, stdout, reported });
    });
  });
}

const pageBytes = 4096;

/** Memory of all processes of a group; 0 if unknown. */
function residentBytes(group: number): number {
  let pages = 0;
  for (const process of processes()) {
    try {
      const status = readFileSync(`/proc/${process}/stat`, 'utf8');
      // The name of the program stands in brackets and may contain spaces.
      const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
      if (Number(fields[2]) === group) pages += Number(fields[21]);
    } catch {
      // It has ended.
    }
  }
  return pages * pageBytes;
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
