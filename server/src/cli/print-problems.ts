import { relative } from 'node:path';
import { createLineIndex } from '../model/line-index.ts';
import type { Severity } from '../model/problem.ts';
import type { ValidatedFile } from '../operations/validation/validate.ts';
import { type Line, paint, styled } from './styled-text.ts';

/** Problems of a file in the JSON of commands. */
export function problemsJson(file: ValidatedFile): unknown {
  const lines = createLineIndex(file.text);
  return file.problems.map(({ code, severity, message, range }) => ({
    code,
    severity,
    message,
    range: lines.range(range),
  }));
}

/** Problems of a file as compilers print them, each with its place first. */
export function problemLines(file: ValidatedFile): readonly Line[] {
  const lines = createLineIndex(file.text);
  return file.problems.map((problem) => {
    const start = lines.position(problem.range.start);
    const place = paint.bold(`${shownPath(file.path)}:${start.line + 1}:${start.character + 1}`);
    return styled`${place}: ${severityWord(problem.severity)}: ${problem.message} ${paint.dim(`[${problem.code}]`)}`;
  });
}

function severityWord(severity: Severity): Line {
  if (severity === 'error') return paint.red('error');
  return severity === 'warning' ? paint.yellow('warning') : paint.blue('information');
}

/** A path as people type it: relative to the working folder, where it is below. */
export function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') || short === '' ? path : short;
}
