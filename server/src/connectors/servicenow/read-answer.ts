import type { HttpAnswer } from '../http/http-client.ts';
import { withLongNumbersAsTexts } from '../rest/read-answer.ts';
import {
  answerFailure,
  isCancelled,
  isJson,
  truncatedAnswer,
  TransactionCancelled,
  type PlatformError,
} from './platform-failure.ts';

/**
 * The JSON of an answer, undefined when it has no body. Throws a `SourceError` for everything that is no whole and good
 * answer: a 200 may hold an error, a web page, or rows that end where the transaction was cancelled.
 */
export function readAnswer(answer: HttpAnswer, what: string): unknown {
  const { status, headers, text } = answer;
  if (status === 202 && text.trim() === '') throw answerFailure(answer, undefined, what);
  const isGood = status >= 200 && status < 300;
  if (text.trim() === '') {
    if (isGood) return undefined;
    throw answerFailure(answer, undefined, what);
  }
  const looksLikeJson = isJson(headers.get('content-type')) || /^\s*[{[]/.test(text);
  if (!looksLikeJson) throw answerFailure(answer, undefined, what);
  const parsed = parseJson(text);
  if (parsed === undefined) {
    if (isCancelled(text)) throw new TransactionCancelled(true);
    throw isGood ? truncatedAnswer(what) : answerFailure(answer, undefined, what);
  }
  const error = platformError(parsed.value);
  if (!isGood || error !== undefined) throw answerFailure(answer, error, what);
  return parsed.value;
}

/** What stands in `result`. An answer to a read without it, or without body, is not whole. */
export function readResult(answer: HttpAnswer, what: string): unknown {
  const value = readAnswer({ ...answer, text: withLongNumbersAsTexts(answer.text) }, what);
  if (!isRecord(value) || !('result' in value)) throw truncatedAnswer(what);
  return value['result'];
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
