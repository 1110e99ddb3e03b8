import { type CST, Composer, Document, Lexer, Parser, type Schema, YAMLParseError } from 'yaml';
import { type Steps, toEnd } from './steps.ts';

/** The position at which a text exceeds the nesting limit. */
export interface TooDeep {
  readonly at: number;
  /** Block entries inside a bracket: it was left open, and they seem nested in one another. */
  readonly isInOpenBracket: boolean;
  /** Open brackets and braces; other levels come from dashes and keys. */
  readonly brackets: number;
}

interface ReadingOptions {
  readonly version: '1.2';
  readonly logLevel: 'error';
  readonly keepSourceTokens?: boolean;
  /** The schema of a YAML version; without it, the library builds one. */
  readonly schema?: Schema;
}

/** Thrown when too much text would have to be parsed at once. */
export interface TooLong {
  /** Maximum number of tokens. */
  readonly most: number;
}

/** Maximum nesting depth. */
export const maxDepth = 300;

/**
 * Parses a text like `parseDocument`, with a limit on nesting. The library is recursive, and a stack overflow may end
 * the process instead of throwing. Its own lexer counts the levels, because it recognises brackets in comments and
 * scalars.
 */
function boundedDocument(text: string, options: ReadingOptions): Document.Parsed | TooDeep {
  return toEnd(readingDocument(text, options));
}

/** Parses in steps, except for composing tokens, which the library does at once. */
export function readingDocument(text: string, options: ReadingOptions): Steps<Document.Parsed | TooDeep>;
/** @param most maximum number of tokens; larger texts take too long. */
export function readingDocument(
  text: string,
  options: ReadingOptions,
  most: number,
): Steps<Document.Parsed | TooDeep | TooLong>;
export function* readingDocument(
  text: string,
  options: ReadingOptions,
  most = Infinity,
): Steps<Document.Parsed | TooDeep | TooLong> {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > maxDepth + outermost) return depthOf(parser, parser.offset - lexeme.length);
    count += 1;
    if (count > most) return { most };
    if (count % lexemesOfStep === 0) yield;
  }
  tokens.push(...parser.end());
  return composed(tokens, text, options);
}

const lexemesOfStep = 1000;

function composed(tokens: readonly CST.Token[], text: string, options: ReadingOptions): Document.Parsed {
  // The library creates an Error per mistake; without a stack trace that is faster.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const composer = new Composer({ ...options, prettyErrors: false });
    // With `forceDoc` there is always one.
    const [document, another] = composer.compose(tokens, true, text.length);
    if (another) {
      const [start, end] = another.range;
      const message = 'Source contains multiple documents';
      document!.errors.push(new YAMLParseError([start, end], 'MULTIPLE_DOCS', message));
    }
    return document as Document.Parsed;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** An empty document with an error at the nesting limit. */
export function documentWithErrors(text: string, options: ReadingOptions): Document.Parsed {
  const read = boundedDocument(text, options);
  if (!('isInOpenBracket' in read)) return read;
  const document = new Document(null, options);
  document.errors.push(new YAMLParseError([read.at, read.at + 1], 'IMPOSSIBLE', 'Values are nested too deep'));
  return document as unknown as Document.Parsed;
}

/** The document itself also uses the stack. */
const outermost = 1;

function depthOf({ stack }: Parser, at: number): TooDeep {
  const isFlow = (index: number): boolean => stack[index]?.type === 'flow-collection';
  const first = stack.findIndex((_, index) => isFlow(index));
  const isInOpenBracket =
    first >= 0 && stack.slice(first).some(({ type }) => type === 'block-map' || type === 'block-seq');
  return { at, isInOpenBracket, brackets: stack.filter((_, index) => isFlow(index)).length };
}
