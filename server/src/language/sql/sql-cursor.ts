import type { Scalar } from 'yaml';
import type { SourceRange } from '../../model/source-range.ts';
import { type SqlLexis, standardLexis } from '../../dialects/standard/lexis.ts';
import { sqlTokens } from '../../query/sql-tokens.ts';
import { type ScalarStyle, styleOf } from '../cursor/scalar-place.ts';

/** YAML style of the SQL around a cursor, which determines how insertions are escaped. */
interface SqlSpelling {
  readonly style: ScalarStyle;
  readonly inFlow: boolean;
  /** The value is empty and may still be quoted. */
  readonly isEmpty: boolean;
  /** Text that YAML requires before and after the insertion, such as a missing closing quote. */
  readonly lead: string;
  readonly tail: string;
}

/** Custom SQL before a cursor. */
export interface SqlCursor {
  /** Context of the cursor: SQL, a quoted name, or a string or comment, where nothing is offered. */
  readonly inside: 'code' | 'name' | 'text';
  /** Unescaped SQL before the word at the cursor. */
  readonly before: string;
  /** The quote that opens the name at the cursor. */
  readonly nameQuote?: string | undefined;
  /** The alias before the dot. */
  readonly qualifier?: string | undefined;
  /** The word, or the quoted name, at the cursor. */
  readonly replace: SourceRange;
  /** A parenthesis follows the word. */
  readonly isCalled: boolean;
  readonly spelling: SqlSpelling;
}

/** @param contentStart start of the SQL after a quote or a block header. */
export function sqlCursor(
  text: string,
  contentStart: number,
  offset: number,
  spelling: SqlSpelling,
  lexis: SqlLexis = standardLexis,
): SqlCursor {
  const raw = text.slice(contentStart, offset);
  const typed = unescaped(raw, spelling.style);
  const last = sqlTokens(typed, lexis).at(-1);
  const isOpenName = last?.kind === 'quoted' && !last.closed;
  const isText =
    (spelling.style === 'double' && openEscape.test(raw)) ||
    (last?.kind === 'literal' && !last.closed) ||
    (last?.kind === 'comment' && (!last.closed || (last.text.startsWith('--') && last.end === typed.length)));
  const word = isOpenName ? typed.slice(last.start) : (/[\w$\u0080-\uffff]*$/.exec(typed)?.[0] ?? '');
  const before = typed.slice(0, typed.length - word.length);
  const behind = text.slice(offset);
  const nameQuote = isOpenName ? typed.charAt(last.start) : undefined;
  const rest =
    nameQuote !== undefined ? restOfName(behind, spelling.style, nameQuote) : (/^[\w$]*/.exec(behind)?.[0] ?? '');
  const qualifier = /([\w$]+|"[^"]+"|`[^`]+`)\.$/.exec(before)?.[1];
  const written = nameQuote === '"' && spelling.style === 'double' ? word.length + 1 : word.length;
  return {
    inside: isText ? 'text' : isOpenName ? 'name' : 'code',
    before,
    replace: { start: Math.max(contentStart, offset - written), end: offset + rest.length },
    isCalled: /^\s*\(/.test(behind.slice(rest.length)),
    spelling,
    nameQuote,
    qualifier: qualifier?.replaceAll(/["`]/g, ''),
  };
}

/** Start and end of the SQL in a scalar; undefined for a block scalar without lines. */
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

/** SQL escaped for the cursor's position; undefined if it would have another meaning. */
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
  // Some characters have a meaning at the start of a plain scalar, some in flow style.
  const isMistaken = (isEmpty && /^["'&*!|>%@`#[\]{},?-]/.test(sql)) || (inFlow && /[,[\]{}]/.test(sql));
  if (!isMistaken) return wrapped(sql);
  return isEmpty ? wrapped(`'${sql.replaceAll("'", "''")}'`) : undefined;
}

function unescaped(raw: string, style: ScalarStyle): string {
  if (style === 'single') return raw.replaceAll("''", "'");
  if (style !== 'double') return raw;
  // Other escapes are not part of a word.
  return raw.replaceAll(/\\(?:(["\\/])|(n)|x[\da-f]{0,2}|u[\da-f]{0,4}|[^])/gi, (_, sign?: string, end?: string) =>
    end === undefined ? (sign ?? ' ') : '\n',
  );
}

/** The cursor is within an escape, or after its backslash: an inserted word would continue it. */
const openEscape = /(?:^|[^\\])(?:\\\\)*\\(?:x[\da-f]?|u[\da-f]{0,3}|U[\da-f]{0,7})?$/i;

/** The rest of a quoted name after the cursor, with its closing quote. */
function restOfName(behind: string, style: ScalarStyle, quote: string): string {
  if (quote === '`') {
    const pattern = style === 'double' ? /^[^`"\\\r\n]*`/ : style === 'single' ? /^[^`'\r\n]*`/ : /^[^`\r\n]*`/;
    return pattern.exec(behind)?.[0] ?? '';
  }
  const pattern = style === 'double' ? /^[^"\\\r\n]*\\"/ : style === 'single' ? /^[^"'\r\n]*"/ : /^[^"\r\n]*"/;
  return pattern.exec(behind)?.[0] ?? '';
}
