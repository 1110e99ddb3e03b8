import { keysIn, listOfKeys } from './entry-keys.ts';
import { kindOfValue } from './misplaced-key.ts';
import type { SourceRange } from './source-range.ts';

/** The missing key line of a list or object, whose lines follow a complete value. */
interface MissingListKey {
  readonly key: string;
  /** Description of its content, to follow "this". */
  readonly kind: string;
  /** Position and indentation of the missing line. */
  readonly at: number;
  readonly indent: number;
  /** The first key below it. */
  readonly first: SourceRange;
}

/**
 * The missing line at an unreadable position, or at the start of the text, where the parser reports it later; undefined
 * if uncertain.
 */
export function missingListKey(text: string, offset: number): MissingListKey | undefined {
  const line = lineAt(text, offset);
  if (!line) return undefined;
  const [above, below] = [neighbour(text, line, 'above'), neighbour(text, line, 'below')];
  const missing =
    line.content === ''
      ? below && between(text, above, below)
      : (between(text, above, line) ?? (below && between(text, line, below)));
  if (missing) return missing;
  const top = lineAt(text, 0);
  const first = top?.content === '' ? neighbour(text, top, 'below') : top;
  return first && between(text, undefined, first);
}

interface Line {
  readonly start: number;
  readonly end: number;
  /** Number of columns before its key, and before its dash. */
  readonly column: number;
  readonly indent: number;
  /** Without comment. */
  readonly content: string;
}

function between(text: string, above: Line | undefined, below: Line): MissingListKey | undefined {
  const isEntry = below.content.startsWith('- ');
  const [, braces = '', first] =
    /^(?:- +)*(\{ *)?(["']?[A-Za-z_][\w-]*["']?)[ \t]*:(?:[\t\r\n ]|$)/.exec(below.content) ?? [];
  // Unclosed text above is another error.
  if (first === undefined || (above && !isSaid(above.content))) return undefined;
  const keys = keysOf(text, below);
  const found = isEntry ? listOf(keys, above, below) : above && groupOf(keys, above, below);
  if (!found || (found.isOfFile && new RegExp(`^["']?${found.key}["']?[ \\t]*:`, 'm').test(text))) return undefined;
  const start = below.start + below.column + braces.length;
  return {
    key: found.key,
    kind: found.kind,
    at: below.start,
    indent: found.isOfFile ? 0 : (above?.column ?? 0),
    first: { start, end: start + first.length },
  };
}

/** Whether a line contains a complete value of a key or a list item. */
function isSaid(content: string): boolean {
  const value = /^(?:(?:- +)+|["']?[^\s"':]+["']?:\s+)(.+)$/.exec(content)?.[1];
  return value !== undefined && kindOfValue(value) === 'said' && !/:$/.test(value);
}

interface Found {
  readonly key: string;
  readonly kind: string;
  /** It is a top-level key. */
  readonly isOfFile?: true;
}

const lists: Readonly<Record<'elements' | 'relationships', Found>> = {
  elements: { key: 'elements', kind: 'element', isOfFile: true },
  relationships: { key: 'relationships', kind: 'relationship', isOfFile: true },
};

/** Mappings have sources and targets like relationships, but are in a list inside one. */
function listOf(keys: ReadonlySet<string>, above: Line | undefined, below: Line): Found | undefined {
  const isNested = above !== undefined && above.column > 0 && below.indent >= above.column;
  if (isNested && keys.has('cross'))
    return { key: keys.has('source') ? 'sourceMappings' : 'targetMappings', kind: 'mapping' };
  const isMapping = [...keys].every((key) => ['source', 'target', 'operator', 'expression'].includes(key));
  if (isNested && isMapping) return { key: 'mappings', kind: 'mapping' };
  const list = listOfKeys(keys);
  return list && lists[list];
}

/**
 * An object identified by unique keys. With at most the indentation of the line above, its keys would be siblings of
 * that line.
 */
function groupOf(keys: ReadonlySet<string>, above: Line, below: Line): Found | undefined {
  const isDeeper = below.indent > above.column;
  if (above.column === 0 && isDeeper && keys.has('kind'))
    return { key: 'dataSources', kind: 'data source', isOfFile: true };
  const found = groups.find(({ own }) => own.some((key) => keys.has(key)));
  return found?.isOfFile || (isDeeper && above.column > 0) ? found : undefined;
}

const groups: readonly (Found & { readonly own: readonly string[] })[] = [
  { key: 'crossTable', kind: 'setting', own: ['sourceMappings', 'targetMappings'] },
  { key: 'processContext', kind: 'setting', own: ['owner', 'businessRules', 'procedures'] },
  { key: 'auth', kind: 'setting', own: ['grant', 'clientId', 'clientSecret'] },
  { key: 'import', kind: 'setting', own: ['engine'], isOfFile: true },
];

/** The keys of the entry or object that starts with a line, up to a limit. */
function keysOf(text: string, line: Line): ReadonlySet<string> {
  const isEntry = line.column > line.indent;
  const written = [' '.repeat(line.column) + text.slice(line.start + line.column, line.end)];
  for (let next = neighbour(text, line, 'below'); next; next = neighbour(text, next, 'below')) {
    if (next.end - line.start > maxText || next.indent < line.column - Number(isEntry)) break;
    // A data source is identified by its own keys, everything else by combinations.
    if (next.indent === line.column || (!isEntry && line.content.endsWith(':')))
      written.push(text.slice(next.start, next.end));
  }
  return keysIn(written.join('\n'));
}

const maxText = 4_000;

/** The nearest line before or after another that is neither blank nor a comment. */
function neighbour(text: string, line: Line, side: 'above' | 'below'): Line | undefined {
  let next: Line | undefined = line;
  do next = side === 'above' ? lineAt(text, next.start - 1) : lineAt(text, next.end + 1);
  while (next?.content === '');
  return next;
}

/** The line at an offset; undefined outside of the text, and for overlong lines. */
function lineAt(text: string, offset: number): Line | undefined {
  if (offset < 0 || offset > text.length) return undefined;
  // Searching from -1 also finds a line break at 0.
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const lineBreak = text.indexOf('\n', offset);
  const end = lineBreak < 0 ? text.length : lineBreak;
  if (end - start > maxText) return undefined;
  const written = text.slice(start, end);
  const indent = /^ */.exec(written)?.[0].length ?? 0;
  const column = /^ *(?:- +)*/.exec(written)?.[0].length ?? 0;
  return { start, end, indent, column, content: written.replace(/(?:^|\s)#.*$/, '').trim() };
}
