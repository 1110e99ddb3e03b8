import type { HttpAnswer } from '../../http/http-client.ts';
import type { AskedFor, CallOptions, Platform } from './call-platform.ts';
import { readAnswer } from './read-answer.ts';
import { isJson } from './platform-failure.ts';

export interface ScriptedRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Scope of the application, or the company's code. */
  readonly namespace?: string;
  readonly version?: string;
  readonly api?: string;
  /** Below the interface, such as `/outages/42`. */
  readonly path: string;
  readonly parameters?: URLSearchParams;
  /** JSON, sent as it is written. */
  readonly body?: string;
}

/** What a script answered: JSON as it is, also without the usual `result` around it, any other text as text. */
export interface ScriptedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly value: unknown;
  /** As it came; empty for none. */
  readonly text: string;
  /** The `Link` header. */
  readonly link: string | null;
}

/** Interfaces that the instance's owners wrote: `/api/{namespace}/{api}/…`. */
export interface ScriptedApi {
  call(request: ScriptedRequest, options?: CallOptions): Promise<ScriptedAnswer>;
}

/** JSON rather than anything else, which scripts may answer with as well. */
export const scriptedAccept = 'application/json, */*;q=0.5';

export function scriptedApi({ call }: Platform): ScriptedApi {
  return {
    call: ({ method = 'GET', namespace, version, api, path, parameters, body }, options = {}) =>
      call(
        {
          method,
          path: scriptedPath({
            path,
            ...(namespace !== undefined && { namespace }),
            ...(version !== undefined && { version }),
            ...(api !== undefined && { api }),
          }),
          ...(parameters && { parameters }),
          ...(body !== undefined && { body, contentType: 'application/json' }),
          accept: scriptedAccept,
          options,
        },
        readScripted,
      ),
  };
}

/** The segments behind `/api`; `path` may start with a slash, and hold namespace and interface itself. */
export function scriptedPath(
  request: Pick<ScriptedRequest, 'namespace' | 'version' | 'api' | 'path'>,
): readonly string[] {
  const { namespace, version, api, path } = request;
  return [namespace, version, api, ...path.split('/')].filter(
    (each): each is string => each !== undefined && each !== '',
  );
}

/** Scripts choose their own content type; only pages in the way of a login are no answers. */
function readScripted(answer: HttpAnswer, asked: AskedFor): ScriptedAnswer {
  const contentType = answer.headers.get('content-type') ?? '';
  const { status, text } = answer;
  const link = answer.headers.get('link');
  const isGood = answer.status >= 200 && answer.status < 300;
  // An empty 202 to a read means that nothing was done yet; to anything else it is how scripts say that work has begun, which must not begin twice.
  if (answer.status === 202 && asked.method !== 'GET' && answer.text.trim() === '') {
    return { status, contentType, value: undefined, text: '', link };
  }
  if (isGood && answer.text !== '' && !isJson(contentType) && !/^text\/html/i.test(contentType)) {
    return { status, contentType, value: text, text, link };
  }
  return { status, contentType, value: readAnswer(answer, asked), text, link };
}
