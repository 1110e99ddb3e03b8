import type { HttpAnswer } from '../../http/http-client.ts';
import type { AskedFor } from './call-platform.ts';
import { withLongNumbersAsTexts } from '../../rest/read-answer.ts';
import {
  answerFailure,
  isCancelled,
  isJson,
  truncatedAnswer,
  unexpectedAnswer,
  TransactionCancelled,
  type PlatformError,
} from './platform-failure.ts';

/**
 * The JSON of an answer, undefined when it has no body. Throws a `SourceError` for everything that is no whole and good
 * answer: a 200 may hold an error, a web page, or rows that end where the transaction was cancelled.
 */
export function readAnswer(answer: HttpAnswer, asked: AskedFor): unknown {
  const { status, headers, text } = answer;
  if (status === 202 && text.trim() === '') throw answerFailure(answer, undefined, asked);
  const isGood = status >= 200 && status < 300;
  if (text.trim() === '') {
    if (isGood) return undefined;
    throw answerFailure(answer, undefined, asked);
  }
  const looksLikeJson = isJson(headers.get('content-type')) || /^\s*[{[]/.test(text);
  if (!looksLikeJson) throw answerFailure(answer, undefined, asked);
  const parsed = parseJson(text);
  if (parsed === undefined) {
    if (isCancelled(text)) throw new TransactionCancelled(true);
    throw isGood ? truncatedAnswer(asked) : answerFailure(answer, undefined, asked);
  }
  const error = platformError(parsed.value);
  if (!isGood || error !== undefined) throw answerFailure(answer, error, asked);
  return parsed.value;
}

/** What stands in `result`. Throws for an answer without it, or without body. */
export function readResult(answer: HttpAnswer, asked: AskedFor): unknown {
  const value = readAnswer({ ...answer, text: withLongNumbersAsTexts(answer.text) }, asked);
  if (!isRecord(value) || !('result' in value)) throw unexpectedAnswer(asked, withoutResult(value));
  return value['result'];
}

/** The list of records that stands in `result`. Throws for anything else. */
export function readRecords(answer: HttpAnswer, asked: AskedFor): readonly Readonly<Record<string, unknown>>[] {
  const result = readResult(answer, asked);
  if (Array.isArray(result) && result.every(isRecord)) return result;
  throw unexpectedAnswer(asked, 'a result that is no list of records');
}

/** The record that stands in `result`. Throws for anything else. */
export function readRecord(answer: HttpAnswer, asked: AskedFor): Readonly<Record<string, unknown>> {
  const result = readResult(answer, asked);
  if (isRecord(result)) return result;
  throw unexpectedAnswer(asked, 'a result that is no record');
}

const mostNames = 5;

/** What an answer is in place of a result, with the names that it has instead. */
function withoutResult(value: unknown): string {
  if (value === undefined) return 'an empty body';
  if (!isRecord(value)) return 'JSON that is no object with a result';
  const names = Object.keys(value);
  const shown = names.slice(0, mostNames).map((name) => name.slice(0, 40));
  const more = names.length > mostNames ? ' and more' : '';
  return names.length === 0 ? 'an empty object' : `JSON without a result: it has ${shown.join(', ')}${more}`;
}

/** What time it was at the instance when it answered, milliseconds since the epoch; our own clock where it does not say. */
export function instanceClock(headers: HttpAnswer['headers']): number {
  const said = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(said) ? Date.now() : said;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON, also with the control characters in strings that some fields hold. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    try {
      // Line breaks between tokens become blanks, which changes nothing there.
      // eslint-disable-next-line no-control-regex -- control characters are what is looked for
      return { value: JSON.parse(text.replace(/[\u0000-\u001f]/g, ' ')) as unknown };
    } catch {
      return undefined;
    }
  }
}

function platformError(value: unknown): PlatformError | undefined {
  if (!isRecord(value) || !('error' in value) || value['error'] === null || value['error'] === undefined)
    return undefined;
  const { error } = value;
  if (!isRecord(error)) return { message: String(error as string), detail: undefined };
  const text = (name: string): string | undefined => {
    const said = error[name];
    return typeof said === 'string' && said !== '' ? said.trim() : undefined;
  };
  return { message: text('message') ?? 'unknown error', detail: text('detail') };
}
