import { withInexactNumbersAsTexts } from './large-numbers.ts';

/**
 * The value of a JSON text, with numbers that a double would change as texts; of newline-delimited JSON the list of its
 * values. Throws a `SyntaxError` for anything else.
 */
export function parseAnswer(given: string, contentType: string | null): unknown {
  const text = withInexactNumbersAsTexts(given);
  if (isJsonLines(contentType)) return parseLines(text);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // Many services send lines with the type of JSON, or none. The lines of one JSON value are no values themselves.
    return linesOrUndefined(text) ?? raise(error);
  }
}

/** The types in use: none is registered. */
export function isJsonLines(contentType: string | null): boolean {
  return /^\s*(?:application|text)\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|ldjson)\b/i.test(contentType ?? '');
}

function parseLines(text: string): readonly unknown[] {
  return linesOf(text).map((line) => JSON.parse(line) as unknown);
}

function linesOrUndefined(text: string): readonly unknown[] | undefined {
  const lines = linesOf(text);
  if (lines.length < 2 || !lines.every((line) => line.startsWith('{'))) return undefined;
  try {
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch {
    return undefined;
  }
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function raise(error: unknown): never {
  throw error;
}
