import { Readable } from 'node:stream';
import { runCommandLine } from '../../server/src/cli/command-line.ts';
import type { CliRun } from './run-cli.ts';

/**
 * Runs the command line in this process, which takes less than half the time of a short command: for tests of what
 * commands do. The folder becomes that of this process, so one runs at a time.
 */
export async function runCommand(
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
  input = '',
): Promise<CliRun> {
  const [stdout, stderr] = [outputStream(), outputStream()];
  const env = { ...process.env, NO_COLOR: '1', ...environment };
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const { signal } = new AbortController();
    const stdin = Readable.from([input]);
    const code = await runCommandLine(args, { stdout, stderr, stdin, env, signal });
    return { code, stdout: stdout.text, stderr: stderr.text };
  } finally {
    process.chdir(before);
  }
}

function outputStream() {
  return {
    text: '',
    write(text: string) {
      this.text += text;
    },
  };
}
