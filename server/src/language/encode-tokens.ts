import type { LineIndex } from '../model/line-index.ts';
import type { Steps } from '../model/steps.ts';
import { type GraphTokens, type SemanticToken, semanticTokenTypes, wholeOrder } from './semantic-tokens.ts';

/** Encoded tokens of entries by their tokens, so that unchanged entries are not encoded again. */
export type EncodingCache = WeakMap<readonly SemanticToken[], EncodedEntry>;

/** The first two numbers are replaced: they depend on the token before the entry. */
interface EncodedEntry {
  readonly numbers: readonly number[];
  /** Places of tokens; lines are relative to the first line of the entry. */
  readonly first: Place;
  readonly last: Place;
  /** Character offset of the entry in its first line. */
  readonly character: number;
}

interface Place {
  readonly line: number;
  readonly character: number;
}

const startOfText: Place = { line: 0, character: 0 };

/** Tokens per time slice. */
const tokensOfStep = 500;

/**
 * Encodes tokens that are in text order as the protocol has them, with five numbers each: lines and characters since the
 * token before, length, type, and no modifiers.
 */
export function* encodingTokens(tokens: readonly SemanticToken[], lines: LineIndex): Steps<number[]> {
  const numbers: number[] = [];
  let before = startOfText;
  for (const [index, token] of tokens.entries()) {
    if (index % tokensOfStep === tokensOfStep - 1) yield;
    before = addToken(numbers, token, before, lines);
  }
  return numbers;
}

/** Encodes the tokens of a graph, entry by entry. */
export function* encodingGraphTokens(tokens: GraphTokens, lines: LineIndex, cache: EncodingCache): Steps<number[]> {
  const parts = partsInOrder(tokens);
  // Such as an alias of YAML, whose tokens are where its anchor is.
  if (!parts) return yield* encodingTokens(wholeOrder(tokens), lines);
  const placed: PlacedEntry[] = [];
  for (const { start, tokens: own, isKept } of parts) {
    const place = lines.position(start);
    const known = isKept ? cache.get(own) : undefined;
    const entry = known?.character === place.character ? known : encodeEntry(own, start, place, lines);
    if (!entry) continue;
    placed.push({ entry, line: place.line });
    if (!isKept || entry === known) continue;
    cache.set(own, entry);
    yield;
  }
  return joined(placed);
}

interface PlacedEntry {
  readonly entry: EncodedEntry;
  readonly line: number;
}

/** The numbers of all entries; for a large file, an array of that length takes a third of the time of one that grows. */
function joined(placed: readonly PlacedEntry[]): number[] {
  const length = placed.reduce((sum, { entry }) => sum + entry.numbers.length, 0);
  const numbers = new Array<number>(length);
  let before = startOfText;
  let at = 0;
  for (const { entry, line } of placed) {
    const { numbers: own, first, last } = entry;
    const [down, right] = distance(before, { line: line + first.line, character: first.character });
    numbers[at] = down;
    numbers[at + 1] = right;
    for (let index = 2; index < own.length; index += 1) numbers[at + index] = own[index] ?? 0;
    at += own.length;
    before = { line: line + last.line, character: last.character };
  }
  return numbers;
}

interface Part {
  readonly start: number;
  readonly end: number;
  /** Relative to the start. */
  readonly tokens: readonly SemanticToken[];
  /** Whether the tokens are the same array while they are unchanged. */
  readonly isKept: boolean;
}

/** Entries and other tokens in text order; undefined when tokens of one are within another. */
function partsInOrder({ entries, others }: GraphTokens): readonly Part[] | undefined {
  const parts: Part[] = others.map(({ range: { start, end }, type }) => ({
    start,
    end,
    isKept: false,
    tokens: [{ type, range: { start: 0, end: end - start } }],
  }));
  for (const { range, tokens } of entries) {
    const { start, end } = range;
    const [first, last] = [tokens[0], tokens.at(-1)];
    if (!first || !last) continue;
    if (first.range.start < 0 || last.range.end > end - start) return undefined;
    parts.push({ start, end, tokens, isKept: true });
  }
  parts.sort((left, right) => left.start - right.start);
  return parts.every(({ start }, index) => start >= (parts[index - 1]?.end ?? 0)) ? parts : undefined;
}

/** Undefined without tokens that the protocol has. */
function encodeEntry(
  tokens: readonly SemanticToken[],
  start: number,
  place: Place,
  lines: LineIndex,
): EncodedEntry | undefined {
  const numbers: number[] = [];
  let last = startOfText;
  let first: Place | undefined;
  for (const { type, range } of tokens) {
    last = addToken(numbers, { type, range: { start: start + range.start, end: start + range.end } }, last, lines);
    if (numbers.length > 0) first ??= last;
  }
  if (!first) return undefined;
  const relative = ({ line, character }: Place): Place => ({ line: line - place.line, character });
  return { numbers, first: relative(first), last: relative(last), character: place.character };
}

/** Returns the place of the token, or that before it if it is left out. */
function addToken(numbers: number[], { range, type }: SemanticToken, before: Place, lines: LineIndex): Place {
  const { start, end } = lines.range(range);
  // The protocol has no multi-line tokens.
  if (start.line !== end.line) return before;
  numbers.push(...distance(before, start), end.character - start.character, semanticTokenTypes.indexOf(type), 0);
  return start;
}

function distance(before: Place, { line, character }: Place): readonly [lines: number, characters: number] {
  return line === before.line ? [0, character - before.character] : [line - before.line, character];
}
