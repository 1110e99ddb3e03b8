import { toFailure } from '../operations/operation-error.ts';
import { exitCodes } from './command.ts';
import { runCommandLine } from './command-line.ts';
import { fileOutput } from './file-output.ts';
import { failureLines } from './print-failure.ts';
import { createTerminal } from './terminal.ts';

const abort = new AbortController();
const stop = (): void => abort.abort(new Error('Cancelled.'));
process.once('SIGINT', stop);
process.once('SIGTERM', stop);

// A closed output pipe (`| head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
// Nobody reads the messages (`2> >(head)`), which changes neither the output nor the result.
process.stderr.on('error', () => undefined);
const { stderr, stdin, env } = process;
const file = fileOutput(process.stdout);
const stdout = file ?? process.stdout;
runCommandLine(process.argv.slice(2), { stdout, stderr, stdin, env, signal: abort.signal })
  .then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      createTerminal(stdout, stderr, env).note(`entity-graph: ${message}`);
      process.exitCode = exitCodes.problems;
    },
  )
  .finally(() => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
    if (file?.error !== undefined) {
      const terminal = createTerminal(stdout, stderr, env);
      for (const line of failureLines(toFailure(file.error))) terminal.note(line);
      process.exitCode = exitCodes.problems;
    }
    // Left to itself, Node also frees the memory of V8 and DuckDB piece by piece, which takes 10 to 20 ms. The callbacks
    // come when all output is written, also where pipes are asynchronous.
    process.stdout.write('', () => stderr.write('', () => process.exit()));
  });
