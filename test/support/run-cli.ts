import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const cliPath = fileURLToPath(new URL('../../server/dist/cli.js', import.meta.url));

export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The text of stdin; default: none. */
  readonly input?: string;
  /** Called with the whole stdout so far whenever more arrives. */
  readonly onOutput?: (stdout: string, stop: (signal: NodeJS.Signals) => void) => void;
  /** A wrapper program, such as one that sets up a mount namespace. */
  readonly wrapper?: readonly string[] | undefined;
}

/** Runs the built command line to completion. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const [program = process.execPath, ...prefix] = [...(options.wrapper ?? []), process.execPath];
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...prefix, cliPath, ...args], {
      cwd: options.cwd,
      env: { ...process.env, NO_COLOR: '1', ...options.env },
      stdio: 'pipe',
    });
    // A command that does not read it may have ended before.
    child.stdin.on('error', () => undefined).end(options.input);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      options.onOutput?.(stdout, (signal) => child.kill(signal));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** The lines of a `--format json` import, parsed. */
export function jsonLines(run: CliRun): readonly Record<string, unknown>[] {
  return run.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
