/** A line of block YAML taken apart, whatever it belongs to. */
export interface LineParts {
  /** Column of the first dash, or of the content. */
  readonly indent: number;
  readonly dashes: number;
  /** Column where the content after dashes begins. */
  readonly contentColumn: number;
  readonly content: string;
  readonly key?: string;
  readonly value?: string;
  /** Column where the value begins. */
  readonly valueColumn?: number;
}

const keyPattern = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s#:[\]{},&*!|>'"%@`][^#:]*?)\s*:(?=\s|$)(\s*)/;

export function readLine(line: string): LineParts {
  const dash = /^(\s*)((?:-\s+|-$)*)/.exec(line);
  const indent = dash?.[1]?.length ?? 0;
  const marks = dash?.[2] ?? '';
  const contentColumn = indent + marks.length;
  const content = line.slice(contentColumn).trimEnd();
  const match = keyPattern.exec(line.slice(contentColumn));
  const parts = { indent, dashes: (marks.match(/-/g) ?? []).length, contentColumn, content };
  if (!match?.[1]) return parts;
  const valueColumn = contentColumn + match[0].length;
  return { ...parts, key: unquote(match[1]), value: line.slice(valueColumn), valueColumn };
}

export function unquote(key: string): string {
  return /^["']/.test(key) ? key.slice(1, -1) : key;
}

/** The offset where the line of an offset ends, its line break left out. */
export function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  const bounded = end < 0 ? text.length : end;
  return text[bounded - 1] === '\r' && bounded > offset ? bounded - 1 : bounded;
}

export function isComment(line: string): boolean {
  return /^\s*#/.test(line);
}
