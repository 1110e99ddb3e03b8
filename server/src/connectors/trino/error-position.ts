import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { TrinoFailure } from './statement-answer.ts';

/** A statement as sent, with the position of the core SELECT. */
export interface ExecutedSql {
  readonly text: string;
  readonly core: string;
  /** UTF-16 offset of `core` in `text`. */
  readonly coreOffset: number;
}

/** A statement without custom SQL. */
export function executed(text: string): ExecutedSql {
  return { text, core: text, coreOffset: 0 };
}

/** Inserts the core SELECT between two generated texts. */
export function executedSql(before: string, { sql: core }: CompiledQuery, after: string): ExecutedSql {
  return { text: `${before}${core}${after}`, core, coreOffset: before.length };
}

/**
 * The UTF-16 offset in the core SELECT for the line and column of a failure, which count characters from 1. A position
 * after the core SELECT, as for a missing bracket, becomes its end. Undefined before the core SELECT, or without a
 * position.
 */
export function positionOf(
  { errorLocation }: Pick<TrinoFailure, 'errorLocation'>,
  { text, core, coreOffset }: ExecutedSql,
): number | undefined {
  if (!errorLocation) return undefined;
  const { lineNumber, columnNumber } = errorLocation;
  const lines = text.split('\n');
  const line = lines[lineNumber - 1];
  if (line === undefined) return undefined;
  const before = lines.slice(0, lineNumber - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const inLine = [...line].slice(0, columnNumber - 1).join('').length;
  const offset = before + inLine - coreOffset;
  return offset < 0 ? undefined : Math.min(offset, core.length);
}
