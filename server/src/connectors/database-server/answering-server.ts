import { connect } from 'node:net';
import { type SourceError, errorOfSource, isSourceError } from '../source-error.ts';

/** Kinds of servers that are recognised by their first bytes. */
type Answering = 'MySQL' | 'PostgreSQL' | 'web' | 'SSH';

const words: Readonly<Record<Answering, readonly [server: string, remedy: string]>> = {
  MySQL: ['a MySQL or MariaDB server', 'Set kind: mysql, or correct host and port of the data source.'],
  PostgreSQL: ['a PostgreSQL server', 'Set kind: postgresql, or correct host and port of the data source.'],
  web: ['a web server', 'Correct host and port of the data source: its database listens at another port.'],
  SSH: ['an SSH server', 'Correct host and port of the data source: its database listens at another port.'],
};

interface Address {
  /** Of the data source. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

/**
 * The error of a failed connection. If a server of another kind answers at that address, it names the kind. @param
 * expected the kind of the data source
 */
export async function namingServer(
  error: unknown,
  { name, host, port }: Address,
  expected: 'MySQL' | 'PostgreSQL',
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (!isSourceError(error) || error.code !== 'source-unreachable' || host.startsWith('/')) return error;
  const found = await answering(host, port, signal);
  if (found === undefined || found === expected || signal?.aborted) return error;
  return ofAnotherKind(name, `${host}:${port}`, found);
}

function ofAnotherKind(name: string, address: string, found: Answering): SourceError {
  const [server, remedy] = words[found];
  return errorOfSource(name, 'source-unreachable', `${server} answers at ${address}.`, { remedy });
}

/** MySQL and SSH greet; the others answer a request. Resolves to undefined for other servers, and within two seconds. */
async function answering(host: string, port: number, signal: AbortSignal | undefined): Promise<Answering | undefined> {
  const asks = async (request: Buffer | string | undefined, waitMs: number): Promise<Buffer> =>
    firstBytes({ host, port, request, waitMs, signal });
  const greeting = await asks(undefined, 500);
  // The handshake of protocol 10, or an error packet: https://mariadb.com/kb/en/connection/
  if (greeting.length > 4 && greeting[3] === 0 && (greeting[4] === 10 || greeting[4] === 255)) return 'MySQL';
  if (greeting.toString('latin1', 0, 4) === 'SSH-') return 'SSH';
  if (greeting.length > 0) return undefined;
  const answer = (await asks(sslRequest, 500)).toString('latin1');
  if (answer === 'S' || answer === 'N') return 'PostgreSQL';
  const response = answer || (await asks('GET / HTTP/1.0\r\n\r\n', 1000)).toString('latin1');
  return response.startsWith('HTTP/') ? 'web' : undefined;
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html, `SSLRequest`. */
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

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
