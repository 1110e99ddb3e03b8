import type { FileOutcome } from '../operations/graph-files/lifecycle-result.ts';
import { paint, styled } from './styled-text.ts';
import { type ExitCode, type Invocation, exitCodes } from './command.ts';

/** Prints results per file, as `{files: […]}` or one line each; exit code 1 when one failed. */
export function printOutcomes(files: readonly FileOutcome[], { terminal, format }: Invocation): ExitCode {
  if (format === 'json') terminal.document(JSON.stringify({ files }, null, 2));
  else {
    for (const { file, action, message } of files) {
      const word = action === 'refused' ? paint.red(action) : paint.green(action);
      terminal.result(styled`${word}: ${file}${message === undefined ? '' : ` (${message})`}`);
    }
  }
  return files.some(({ action }) => action === 'refused') ? exitCodes.problems : exitCodes.fine;
}
