/** A statement as sent, with the position of the core SELECT. */
export interface ExecutedSql {
  readonly text: string;
  readonly core: string;
  /** UTF-16 offset of `core` in `text`. */
  readonly coreOffset: number;
}

/** Inserts `core` between two generated texts. */
export function executedSql(before: string, core: string, after: string): ExecutedSql {
  return { text: `${before}${core}${after}`, core, coreOffset: before.length };
}

/**
 * Maps PostgreSQL's error position (1-based characters of the whole statement) to a UTF-16 offset in the core SELECT;
 * undefined outside of it. An error at the closing bracket after the core is at the core's end.
 */
export function positionInCore(position: string | undefined, executed: ExecutedSql): number | undefined {
  const characters = Number(position) - 1;
  if (!Number.isInteger(characters) || characters < 0) return undefined;
  const offset = utf16Offset(executed.text, characters) - executed.coreOffset;
  const end = executed.core.length;
  return offset >= 0 && offset <= end + '\n'.length ? Math.min(offset, end) : undefined;
}

function utf16Offset(text: string, characters: number): number {
  let offset = 0;
  for (let passed = 0; passed < characters && offset < text.length; passed++) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1;
  }
  return offset;
}
