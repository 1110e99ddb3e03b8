import type { Failure } from '../../../protocol/query-results.ts';
import { type Line, paint, styled } from './styled-text.ts';
import type { Terminal } from './terminal.ts';

/** The reason at the end of a failing command's JSON (docs/semantics.md#154-failures). */
export function printFailureJson(failure: Failure, terminal: Terminal): void {
  const { code, message, shortMessage, file, range, remedy } = failure;
  terminal.document(JSON.stringify({ error: { code, message, shortMessage, file, range, remedy } }));
}

/** A failure as text: position first, as compilers print it, then message and remedy. */
export function failureLines(failure: Failure): readonly Line[] {
  const { file, range } = failure;
  const at =
    file === undefined ? '' : range ? `${file}:${range.start.line + 1}:${range.start.character + 1}: ` : `${file}: `;
  const first = styled`${paint.bold(at)}${paint.red('error')}: ${failure.message} ${paint.dim(`[${failure.code}]`)}`;
  return failure.remedy === undefined ? [first] : [first, `  ${failure.remedy}`];
}
