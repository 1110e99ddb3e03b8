import type { HttpResponse } from '../../http/http-client.ts';
import type { RequestedCall } from './call-platform.ts';
import { withLongNumbersAsTexts } from '../../endpoints/long-numbers.ts';
import {
  answerFailure,
  isCancelled,
  isJson,
  truncatedResponse,
  unexpectedResponse,
  TransactionCancelled,
  type PlatformError,
} from './platform-failure.ts';

/**
 * Parses a JSON response, undefined without a body. Throws a `SourceError` for incomplete and error responses: a 200
 * may contain an error, a web page, or rows truncated by a cancelled transaction.
 */
export function readResponse(answer: HttpResponse, asked: RequestedCall): unknown {
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
    throw isGood ? truncatedResponse(asked) : answerFailure(answer, undefined, asked);
  }
  const error = platformError(parsed.value);
  if (!isGood || error !== undefined) throw answerFailure(answer, error, asked);
  return parsed.value;
}

/** The value of `result`. Throws without one. */
export function readResult(answer: HttpResponse, asked: RequestedCall): unknown {
  const value = readResponse({ ...answer, text: withLongNumbersAsTexts(answer.text) }, asked);
  if (!isRecord(value) || !('result' in value)) throw unexpectedResponse(asked, withoutResult(value));
  return value['result'];
}

/** The record list in `result`. Throws for anything else. */
export function readRecords(answer: HttpResponse, asked: RequestedCall): readonly Readonly<Record<string, unknown>>[] {
  const result = readResult(answer, asked);
  if (Array.isArray(result) && result.every(isRecord)) return result;
  throw unexpectedResponse(asked, 'a result that is not a list of records');
}

/** The record in `result`. Throws for anything else. */
export function readRecord(answer: HttpResponse, asked: RequestedCall): Readonly<Record<string, unknown>> {
  const result = readResult(answer, asked);
  if (isRecord(result)) return result;
  throw unexpectedResponse(asked, 'a result that is not a record');
}

const maxNames = 5;

/** Describes a response without a result by its keys. */
function withoutResult(value: unknown): string {
  if (value === undefined) return 'an empty body';
  if (!isRecord(value)) return 'JSON without an object with a result';
  const names = Object.keys(value);
  const shown = names.slice(0, maxNames).map((name) => name.slice(0, 40));
  const more = names.length > maxNames ? ' and more' : '';
  return names.length === 0 ? 'an empty object' : `JSON without a result: it has ${shown.join(', ')}${more}`;
}

/** Time of the response by the instance's clock in milliseconds since the epoch; the local clock as fallback. */
export function instanceClock(headers: HttpResponse['headers']): number {
  const said = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(said) ? Date.now() : said;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON, accepting control characters in strings, which some fields contain. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    try {
      // Line breaks between tokens become blanks, without effect.
      // eslint-disable-next-line no-control-regex -- the pattern matches control characters
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
