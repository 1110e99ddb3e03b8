import { connect } from 'node:net';
import { type SourceError, errorOfSource, isSourceError } from '../source-error.ts';

/** How the database servers of a source kind are recognised by their first bytes. */
export interface ServerGreeting {
  /** Name of the source kind. */
  readonly kind: string;
  /** Such as `a PostgreSQL server`. */
  readonly server: string;
  /** The request that the server answers; undefined if it sends a greeting without one. */
  readonly request: Buffer | undefined;
  recognises(bytes: Buffer): boolean;
}

interface Address {
  /** The name of the data source. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** The greetings of all source kinds. */
  readonly greetings?: readonly ServerGreeting[] | undefined;
}

/**
 * The error of a failed connection. If a server of another kind answers at that address, it names the kind. @param
 * expected the kind of the data source
 */
export async function namingServer(
  error: unknown,
  { name, host, port, greetings = [] }: Address,
  expected: string,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (!isSourceError(error) || error.code !== 'source-unreachable' || host.startsWith('/')) return error;
  const ask: Ask = (request, waitMs) => firstBytes({ host, port, request, waitMs, signal });
  const found = await identify(ask, greetings);
  if (found === undefined || found.kind === expected || signal?.aborted) return error;
  return ofAnotherKind(name, `${host}:${port}`, found);
}

type Identified = Pick<ServerGreeting, 'server'> & { readonly kind: string | undefined };

const [web, ssh]: readonly Identified[] = [
  { server: 'a web server', kind: undefined },
  { server: 'an SSH server', kind: undefined },
];

function ofAnotherKind(name: string, address: string, { server, kind }: Identified): SourceError {
  const remedy =
    kind === undefined
      ? 'Correct host and port of the data source: its database listens at another port.'
      : `Set kind: ${kind}, or correct host and port of the data source.`;
  return errorOfSource(name, 'source-unreachable', `${server} answers at ${address}.`, { remedy });
}

type Ask = (request: Buffer | string | undefined, waitMs: number) => Promise<Buffer>;

/** Resolves to undefined for other servers, and within two seconds while one kind of server waits for a request. */
async function identify(ask: Ask, greetings: readonly ServerGreeting[]): Promise<Identified | undefined> {
  const unasked = await ask(undefined, 500);
  const greeted = greetings.find(({ request, recognises }) => request === undefined && recognises(unasked));
  if (greeted) return greeted;
  if (unasked.toString('latin1', 0, 4) === 'SSH-') return ssh;
  if (unasked.length > 0) return undefined;
  for (const greeting of greetings) {
    if (greeting.request === undefined) continue;
    const answer = await ask(greeting.request, 500);
    if (greeting.recognises(answer)) return greeting;
    if (answer.length > 0) return isHttp(answer) ? web : undefined;
  }
  return isHttp(await ask('GET / HTTP/1.0\r\n\r\n', 1000)) ? web : undefined;
}

function isHttp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 5) === 'HTTP/';
}

interface Question extends Pick<Address, 'host' | 'port'> {
  readonly request: Buffer | string | undefined;
  readonly waitMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The first bytes that a server sends; empty if it sends none. Never rejects. */
function firstBytes({ host, port, request, waitMs, signal }: Question): Promise<Buffer> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (bytes: Buffer): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abandon);
      socket.destroy();
      resolve(bytes);
    };
    const abandon = (): void => end(Buffer.alloc(0));
    const timer = setTimeout(abandon, waitMs);
    signal?.addEventListener('abort', abandon, { once: true });
    socket.once('data', end);
    socket.once('error', abandon);
    socket.once('close', abandon);
    if (request !== undefined) socket.write(request);
  });
}
