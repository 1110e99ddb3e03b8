import type { SourceRange } from './source-range.ts';

/** A top-level key with its value, from the key's quote to the end of the value. */
export interface JsonPair extends SourceRange {
  /** Its list of entries. */
  readonly list?: JsonList | undefined;
}

export interface JsonList {
  /** Position of its bracket. */
  readonly start: number;
  /** After its closing bracket. */
  readonly end: number;
  readonly items: readonly SourceRange[];
}

/**
 * The keys of a JSON object, with the entries of its lists. Undefined for other texts. Values are only delimited, not
 * validated.
 */
export function jsonPairs(text: string): readonly JsonPair[] | undefined {
  const start = blanksFrom(text, 0);
  if (text[start] !== '{') return undefined;
  const pairs: JsonPair[] = [];
  const end = separated(text, start + 1, '}', (at) => {
    const keyEnd = text[at] === '"' ? valueEnd(text, at) : undefined;
    const colon = keyEnd === undefined ? at : blanksFrom(text, keyEnd);
    if (text[colon] !== ':') return undefined;
    const value = blanksFrom(text, colon + 1);
    const isList = text[value] === '[' && /^"(?:elements|relationships)"$/.test(text.slice(at, keyEnd));
    const list = isList ? listAt(text, value) : undefined;
    const pairEnd = isList ? list?.end : valueEnd(text, value);
    if (pairEnd !== undefined) pairs.push({ start: at, end: pairEnd, list });
    return pairEnd;
  });
  return end !== undefined && blanksFrom(text, end) === text.length ? pairs : undefined;
}

function listAt(text: string, start: number): JsonList | undefined {
  const items: SourceRange[] = [];
  const end = separated(text, start + 1, ']', (at) => {
    const itemEnd = valueEnd(text, at);
    if (itemEnd !== undefined) items.push({ start: at, end: itemEnd });
    return itemEnd;
  });
  return end === undefined ? undefined : { start, end, items };
}

/** Splits at commas up to a bracket; returns the position after it, or undefined for other text. */
function separated(
  text: string,
  from: number,
  closer: string,
  take: (at: number) => number | undefined,
): number | undefined {
  let at = blanksFrom(text, from);
  if (text[at] === closer) return at + 1;
  for (;;) {
    const end = take(at);
    if (end === undefined || end === at) return undefined;
    at = blanksFrom(text, end);
    if (text[at] === closer) return at + 1;
    if (text[at] !== ',') return undefined;
    at = blanksFrom(text, at + 1);
  }
}

/** End of a value after its last quote, bracket, or word; undefined without one. */
function valueEnd(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === quote) {
      const end = stringEnd(text, at);
      if (end === undefined) return undefined;
      at = end - 1;
      if (depth === 0) return end;
    } else if (sign === openingBracket || sign === openingBrace) depth += 1;
    else if (sign === closingBracket || sign === closingBrace) {
      // The closing bracket of the enclosing value.
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (sign === comma || isBlank(sign))) return at;
  }
  return undefined;
}

function stringEnd(text: string, start: number): number | undefined {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return at + 1;
  }
  return undefined;
}

function blanksFrom(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function isBlank(sign: number): boolean {
  return sign === 32 || sign === 10 || sign === 13 || sign === 9;
}

const [quote, comma, backslash] = [34, 44, 92];
const [openingBracket, closingBracket, openingBrace, closingBrace] = [91, 93, 123, 125];
