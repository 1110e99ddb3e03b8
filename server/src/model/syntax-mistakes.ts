import { formatKeys } from './format-keys.ts';
import { type OpenBracket, endOfQuoted, openBrackets } from './open-brackets.ts';
import type { Problem } from './problem.ts';
import type { SourceRange } from './source-range.ts';

/** An error of the YAML library. */
interface SyntaxError {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** Converts errors to explanations at their cause: the library reports where it noticed them. */
export function syntaxProblems(errors: readonly SyntaxError[], text: string): readonly Problem[] {
  // A partial paste may cause thousands of errors, of which only the first are explained.
  const [first, others] = [errors.slice(0, maxCauses), errors.slice(maxCauses)];
  let brackets: readonly OpenBracket[] | undefined;
  const quote = errors.some(({ message }) => missingQuote.test(message)) ? quoteLeftOpen(text) : undefined;
  // An unclosed quote hides the closing brackets around it.
  const isInOpenQuote = ({ at }: OpenBracket): boolean =>
    quote !== undefined && at < quote && !text.slice(at, quote).includes('\n');
  const explained = first.map(({ code, message, pos: [from, to] }) => {
    // A duplicate key was parsed correctly, even after a tab in flow style.
    const tab = code === 'DUPLICATE_KEY' ? undefined : tabBefore(text, from);
    if (tab) return problem(hints['TAB_AS_INDENT'] ?? '', tab);
    if (code === 'BLOCK_IN_FLOW' || leftOpen.test(message)) {
      brackets ??= openBrackets(text);
      const open = brackets.findLast(({ at }) => at < from) ?? brackets[0];
      if (open && !isInOpenQuote(open))
        return problem(bracketMessage(text.charAt(open.at), open.closer), signAt(open.at));
    }
    if (quote !== undefined && (leftOpen.test(message) || missingQuote.test(message))) {
      return problem('This quote is never closed. Close it.', signAt(quote));
    }
    return keyWithoutColon(text, from) ?? plainProblem({ code, message, pos: [from, to] }, text);
  });
  return [...explained, ...others.map((error) => plainProblem(error, text))];
}

const maxCauses = 50;

/** An error at the reported position. */
function plainProblem({ code, message, pos: [from, to] }: SyntaxError, text: string): Problem {
  const words = wordings.find(([pattern]) => pattern.test(message))?.[1] ?? hints[code] ?? sentence(message);
  return problem(words, code === 'DUPLICATE_KEY' ? wordAt(text, from) : onOneLine(text, from, to));
}

/** The library reports an unclosed bracket also as wrong indentation, or as a missing comma. */
const leftOpen = /end with a [\]}]|Missing , (?:or : )?between flow/;

const missingQuote = /^Missing closing ['"]quote/;

function bracketMessage(sign: string, closer: string): string {
  return `This "${sign}" is never closed. Close it with "${closer}", or write its entries on lines of their own.`;
}

function signAt(offset: number): SourceRange {
  return { start: offset, end: offset + 1 };
}

/** The problem of a duplicate key; `offset` is the second occurrence. */
export function duplicateKey(offset: number, length: number): Problem {
  return problem(hints['DUPLICATE_KEY'] ?? '', { start: offset, end: offset + length });
}

/** The tab in the indentation that causes the first reported error. */
function tabBefore(text: string, offset: number): SourceRange | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const blanks = /^ *(\t[ \t]*)/.exec(text.slice(lineStart, lineStart + 200));
  if (!blanks || lineStart + blanks[0].length < offset) return undefined;
  const end = lineStart + blanks[0].length;
  return { start: end - (blanks[1] ?? '').length, end };
}

/** A known key alone on its line: a multi-line scalar would be reported at its first line. */
function keyWithoutColon(text: string, offset: number): Problem | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const [, lead = '', key = ''] =
    /^([ \t]*(?:- +)*)([A-Za-z]\w*)[ \t]*(?:$|#)/m.exec(text.slice(lineStart, lineStart + 200)) ?? [];
  if (offset !== lineStart + lead.length || !formatKeys.some((keys) => keys.includes(key))) return undefined;
  return problem(`A colon is missing behind "${key}". Add it.`, { start: offset, end: offset + key.length });
}

/** The first quote that is not closed on its line. */
function quoteLeftOpen(text: string): number | undefined {
  let start = 0;
  for (const line of text.split('\n')) {
    for (let at = 0; at < line.length; at += 1) {
      if (!/["']/.test(line.charAt(at)) || (at > 0 && !/[\s,[{:]/.test(line.charAt(at - 1)))) continue;
      const end = endOfQuoted(line, at);
      if (end === line.length && line.charAt(end - 1) !== line.charAt(at)) return start + at;
      if (end - 1 === at) return start + at;
      at = end - 1;
    }
    start += line.length + 1;
  }
  return undefined;
}

/** Some errors span many lines and would underline them all; a missing end is reported after the text. */
function onOneLine(text: string, from: number, to: number): SourceRange {
  const start = Math.min(from, text.length);
  const end = Math.min(Math.max(from, to), text.length);
  const lineEnd = /[\r\n]/.exec(text.slice(start, end))?.index;
  return { start, end: lineEnd === undefined ? end : start + lineEnd };
}

function wordAt(text: string, start: number): SourceRange {
  const word = /^(?:"[^"\n]*"|'[^'\n]*'|[^\s:]+)/.exec(text.slice(start, start + 200))?.[0] ?? ' ';
  return { start, end: start + word.length };
}

/** Errors whose message is more specific than the library's code. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [/^Missing , (?:or : )?between/, 'A comma is missing before this. Add it.'],
  [
    /^Sequence item without -/,
    'This line is indented differently from its neighbours. Align it with the entries that it belongs to.',
  ],
  [/^Unexpected flow-(?:seq|map)-end/, 'This closes no bracket that was opened. Remove it.'],
  [/^Plain value cannot start with/, 'A value cannot begin with this sign. Put the value in quotes.'],
  [
    /^Block scalar header includes extra/,
    'A value that begins with ">" or "|" is read as a text on the lines below. Put the value in quotes.',
  ],
  [/^Unexpected scalar at node end/, 'The value ended before this. Quote the whole value, or start a new line.'],
];

/** Remedies for common errors. */
const hints: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'YAML is indented with spaces, not with tabs. Replace the tab by spaces.',
  DUPLICATE_KEY: 'This key is already set above. Remove one of the two.',
  MULTIPLE_DOCS:
    'A file holds one document. Remove the "---" line and everything after it, or move that into another file.',
  BAD_INDENT: 'This line is indented differently from its neighbours. Align it with the entries that it belongs to.',
  MISSING_CHAR: 'A character is missing here: check the closing quotes, brackets and the space after ":" and "-".',
  BLOCK_IN_FLOW: 'A bracket or brace above is never closed. Close it, or write its entries on lines of their own.',
  BLOCK_AS_IMPLICIT_KEY:
    'A nested entry cannot start on the line of its key. Move it to the next line, indented, or put the value in quotes.',
  MULTILINE_IMPLICIT_KEY: 'A key must stand on one line and be followed by ":". Add the ":" or put the text in quotes.',
  BAD_ALIAS: 'This name after "*" is not an anchor of the file. Put the value in quotes when it starts with "*".',
};

function sentence(message: string): string {
  const trimmed = message.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

function problem(message: string, range: SourceRange): Problem {
  return { code: 'yaml-syntax', severity: 'error', message, range };
}
