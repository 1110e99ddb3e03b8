import type { Scalar } from 'yaml';
import type { SourceRange } from '../../model/source-range.ts';
import { sqlTokens } from '../../query/sql-tokens.ts';
import { type ScalarStyle, styleOf } from '../cursor/scalar-place.ts';

/** How the SQL around a cursor stands in the YAML: what is inserted must be spelt so that YAML reads it as meant. */
export interface SqlSpelling {
  readonly style: ScalarStyle;
  readonly inFlow: boolean;
  /** Nothing is written there yet: the value may still be put in quotes. */
  readonly isEmpty: boolean;
  /** What YAML needs before and behind what is inserted, such as a quote that is not closed yet. */
  readonly lead: string;
  readonly tail: string;
}

/** What is typed of custom SQL before a cursor. */
export interface SqlCursor {
  /** What the cursor is in: SQL, the name of something in double quotes, or a text or comment, where nothing can be offered. */
  readonly inside: 'code' | 'name' | 'text';
  /** The SQL before the word at the cursor, as SQL reads it. */
  readonly before: string;
  /** The alias before the dot. */
  readonly qualifier?: string;
  /** The word, or the name with its quotes, that the cursor is in. */
  readonly replace: SourceRange;
  /** A bracket already stands behind the word. */
  readonly isCalled: boolean;
  readonly spelling: SqlSpelling;
}

/** @param contentStart where the SQL begins in the text, behind a quote and behind the header of a block. */
export function sqlCursor(text: string, contentStart: number, offset: number, spelling: SqlSpelling): SqlCursor {
  const raw = text.slice(contentStart, offset);
  const typed = unescaped(raw, spelling.style);
  const last = sqlTokens(typed).at(-1);
  const isOpenName = last?.kind === 'quoted' && !last.closed;
  const isText =
    (spelling.style === 'double' && openEscape.test(raw)) ||
    (last?.kind === 'literal' && !last.closed) ||
    (last?.kind === 'comment' && (!last.closed || (last.text.startsWith('--') && last.end === typed.length)));
  const word = isOpenName ? typed.slice(last.start) : (/[\w$\u0080-\uffff]*$/.exec(typed)?.[0] ?? '');
  const before = typed.slice(0, typed.length - word.length);
  const behind = text.slice(offset);
  const rest = isOpenName ? restOfName(behind, spelling.style) : (/^[\w$]*/.exec(behind)?.[0] ?? '');
  const qualifier = /([\w$]+|"[^"]+")\.$/.exec(before)?.[1];
  const written = isOpenName && spelling.style === 'double' ? word.length + 1 : word.length;
  return {
    inside: isText ? 'text' : isOpenName ? 'name' : 'code',
    before,
    replace: { start: Math.max(contentStart, offset - written), end: offset + rest.length },
    isCalled: /^\s*\(/.test(behind.slice(rest.length)),
    spelling,
    ...(qualifier === undefined ? {} : { qualifier: qualifier.replaceAll('"', '') }),
  };
}

/** Where the SQL of a scalar begins, and where it ends; undefined when it has no line of its own yet. */
export function sqlContent(scalar: Scalar, text: string): SourceRange | undefined {
  const [start = 0, end = 0, nodeEnd = end] = scalar.range ?? [];
  switch (styleOf(scalar)) {
    case 'block': {
      const header = text.indexOf('\n', start);
      return header < 0 ? undefined : { start: header + 1, end: nodeEnd };
    }
    case 'plain':
      return { start, end };
    default:
      return { start: start + 1, end: Math.max(start + 1, end - 1) };
  }
}

/** SQL as it must be written where the cursor is; undefined where it could only be read as something else. */
export function spelt(
  sql: string,
  { style, inFlow, isEmpty, lead, tail }: SqlSpelling,
  isJson: boolean,
): string | undefined {
  const wrapped = (inner: string): string => `${lead}${inner}${tail}`;
  if (style === 'single') return wrapped(sql.replaceAll("'", "''"));
  if (style === 'double') return wrapped(JSON.stringify(sql).slice(1, -1));
  if (style === 'block') return wrapped(sql);
  if (isJson) return isEmpty ? wrapped(JSON.stringify(sql)) : undefined;
  // Some signs mean something else at the start of a plain text, some between brackets.
  const isMistaken = (isEmpty && /^["'&*!|>%@`#[\]{},?-]/.test(sql)) || (inFlow && /[,[\]{}]/.test(sql));
  if (!isMistaken) return wrapped(sql);
  return isEmpty ? wrapped(`'${sql.replaceAll("'", "''")}'`) : undefined;
}

function unescaped(raw: string, style: ScalarStyle): string {
  if (style === 'single') return raw.replaceAll("''", "'");
  if (style !== 'double') return raw;
  // What any other escape stands for is part of no word.
  return raw.replaceAll(/\\(?:(["\\/])|(n)|x[\da-f]{0,2}|u[\da-f]{0,4}|[^])/gi, (_, sign?: string, end?: string) =>
    end === undefined ? (sign ?? ' ') : '\n',
  );
}

/** The cursor is within an escape, or behind the backslash that begins one: a word there would go on with it. */
const openEscape = /(?:^|[^\\])(?:\\\\)*\\(?:x[\da-f]?|u[\da-f]{0,3}|U[\da-f]{0,7})?$/i;

/** What stands of a quoted name behind the cursor, with its closing quote. */
function restOfName(behind: string, style: ScalarStyle): string {
  const pattern = style === 'double' ? /^[^"\\\r\n]*\\"/ : style === 'single' ? /^[^"'\r\n]*"/ : /^[^"\r\n]*"/;
  return pattern.exec(behind)?.[0] ?? '';
}
