import type { HttpResponse } from '../../http/http-client.ts';
import type { RequestedCall, CallOptions, Platform } from './call-platform.ts';
import { readResponse } from './read-response.ts';
import { isJson } from './platform-failure.ts';

interface ScriptedRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  /** Application scope, or company code. */
  readonly namespace?: string | undefined;
  readonly version?: string | undefined;
  readonly api?: string | undefined;
  /** Path below the API, such as `/outages/42`. */
  readonly path: string;
  readonly parameters?: URLSearchParams | undefined;
  /** JSON, sent unchanged. */
  readonly body?: string | undefined;
}

/** Response of a script: JSON, with or without `result`, or text. */
export interface ScriptedAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly value: unknown;
  /** The body as received; empty for none. */
  readonly text: string;
  readonly headers: HttpResponse['headers'];
}

/** Scripted REST APIs of the instance: `/api/{namespace}/{api}/…`. */
export interface ScriptedApi {
  call(request: ScriptedRequest, options?: CallOptions): Promise<ScriptedAnswer>;
}

/** Prefers JSON, because scripts may offer other formats. */
export const scriptedAccept = 'application/json, */*;q=0.5';

export function scriptedApi({ call }: Platform): ScriptedApi {
  return {
    call: ({ method = 'GET', namespace, version, api, path, parameters, body }, options = {}) =>
      call(
        {
          method,
          path: scriptedPath({
            path,
            namespace,
            version,
            api,
          }),
          parameters,
          ...(body !== undefined && { body, contentType: 'application/json' }),
          accept: scriptedAccept,
          options,
        },
        readScripted,
      ),
  };
}

/** The segments below `/api`; `path` may start with a slash, and may contain namespace and API. */
export function scriptedPath(
  request: Pick<ScriptedRequest, 'namespace' | 'version' | 'api' | 'path'>,
): readonly string[] {
  const { namespace, version, api, path } = request;
  return [namespace, version, api, ...path.split('/')].filter(
    (each): each is string => each !== undefined && each !== '',
  );
}

/** Scripts choose their content type; only login pages are rejected. */
function readScripted(answer: HttpResponse, asked: RequestedCall): ScriptedAnswer {
  const contentType = answer.headers.get('content-type') ?? '';
  const { status, text, headers } = answer;
  const isGood = answer.status >= 200 && answer.status < 300;
  // An empty 202 to a read means that nothing was done yet; to a write it means that work has started, which must not
  // be repeated.
  if (answer.status === 202 && asked.method !== 'GET' && answer.text.trim() === '') {
    return { status, contentType, value: undefined, text: '', headers };
  }
  if (isGood && answer.text !== '' && !isJson(contentType) && !/^text\/html/i.test(contentType)) {
    return { status, contentType, value: text, text, headers };
  }
  return { status, contentType, value: readResponse(answer, asked), text, headers };
}
