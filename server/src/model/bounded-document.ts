import { type CST, Composer, Document, Lexer, Parser, YAMLParseError } from 'yaml';
import { type Steps, toEnd } from './steps.ts';

/** Where a text goes deeper than the library can follow. */
export interface TooDeep {
  readonly at: number;
  /** Entries in block style stand inside a bracket: it was left open, and each of them seems to belong to the one before. */
  readonly isInOpenBracket: boolean;
  /** Brackets and braces that are open there; the other levels are made by dashes and keys. */
  readonly brackets: number;
}

export interface ReadingOptions {
  readonly version: '1.2';
  readonly logLevel: 'error';
  readonly keepSourceTokens?: boolean;
}

/** More of a text was to be read in one piece than others can wait for. */
export interface TooLong {
  /** Words and signs that are read at most. */
  readonly most: number;
}

/** More levels than anybody writes. */
export const deepest = 300;

/**
 * The document of a text as `parseDocument` reads it, unless its values are nested too deep. The library calls itself for each
 * level: near the end of the stack engines do not throw everywhere, they may end the process where a regular expression is
 * compiled. Levels are counted by its own parser, as only that knows which brackets are none: those of comments and texts.
 */
export function boundedDocument(text: string, options: ReadingOptions): Document.Parsed | TooDeep {
  return toEnd(readingDocument(text, options));
}

/** The same, piece by piece, as far as the library lets it: what it makes of its tokens it makes at once. */
export function readingDocument(text: string, options: ReadingOptions): Steps<Document.Parsed | TooDeep>;
/** @param most words and signs of a text that is read; that of one with more takes too long in the end. */
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
    if (parser.stack.length > deepest + outermost) return depthOf(parser, parser.offset - lexeme.length);
    count += 1;
    if (count > most) return { most };
    if (count % lexemesOfStep === 0) yield;
  }
  tokens.push(...parser.end());
  return composed(tokens, text, options);
}

const lexemesOfStep = 1000;

function composed(tokens: readonly CST.Token[], text: string, options: ReadingOptions): Document.Parsed {
  // The library makes an error of each mistake. Nobody reads where in its code, and V8 takes longer for that than for a line.
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

/** The same, with nothing in it and an error where the text is nested too deep. */
export function documentWithErrors(text: string, options: ReadingOptions): Document.Parsed {
  const read = boundedDocument(text, options);
  if (!('isInOpenBracket' in read)) return read;
  const document = new Document(null, options);
  document.errors.push(new YAMLParseError([read.at, read.at + 1], 'IMPOSSIBLE', 'Values are nested too deep'));
  return document as unknown as Document.Parsed;
}

/** The document itself is on the stack as well. */
const outermost = 1;

function depthOf({ stack }: Parser, at: number): TooDeep {
  const isFlow = (index: number): boolean => stack[index]?.type === 'flow-collection';
  const first = stack.findIndex((_, index) => isFlow(index));
  const isInOpenBracket =
    first >= 0 && stack.slice(first).some(({ type }) => type === 'block-map' || type === 'block-seq');
  return { at, isInOpenBracket, brackets: stack.filter((_, index) => isFlow(index)).length };
}
