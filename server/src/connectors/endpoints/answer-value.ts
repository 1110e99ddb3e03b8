import { valueAt } from '../fetched/json-records.ts';
import type { AnswerHeaders } from '../http/http-client.ts';
import { SourceError } from '../source-error.ts';
import { headerOf } from './answer-path.ts';

/** A parsed response. */
export interface Answer {
  readonly value: unknown;
  readonly headers: AnswerHeaders;
}

/** The value at a path of a response, in its body or its headers; undefined when missing. */
export function answerValue({ value, headers }: Answer, path: readonly string[]): unknown {
  const header = headerOf(path);
  return header === undefined ? valueAt(value, path) : (headers.get(header) ?? undefined);
}

/** A cursor as a text. Throws `source-failed` for objects and lists, which may contain a cursor. */
export function cursorText(cursor: unknown, path: readonly string[], endpoint: string): string {
  if (typeof cursor === 'string' || typeof cursor === 'number') return String(cursor);
  const names = typeof cursor === 'object' && cursor !== null ? Object.keys(cursor) : [];
  const what = Array.isArray(cursor) ? 'a list' : names.length > 0 ? 'an object' : JSON.stringify(cursor);
  const further = Array.isArray(cursor) ? `${path.join('.')}[0]` : [...path, names[0] ?? ''].join('.');
  throw new SourceError('source-failed', `"${path.join('.')}" in the answer of ${endpoint} is ${what}, no cursor.`, {
    remedy:
      names.length > 0
        ? `Have next in pagination lead to a text or a number inside of it, such as ${further}.`
        : 'Correct next in pagination.',
  });
}
