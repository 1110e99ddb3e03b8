import type { HttpClient, HttpRequest } from './http-client.ts';

/** A client that sends a key as a parameter of each address. It is added last, so that no message or page of results has it. */
export function withQueryKey(client: HttpClient, parameter: string, token: string): HttpClient {
  const keyed = (request: HttpRequest): HttpRequest => {
    const url = new URL(request.url.href);
    url.searchParams.set(parameter, token);
    return { ...request, url };
  };
  return { ...client, send: (request) => client.send(keyed(request)), open: (request) => client.open(keyed(request)) };
}
