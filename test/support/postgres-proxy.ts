import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A statement sent to the server. */
export interface PassingStatement {
  /** Its 0-based number since the proxy was told to listen. */
  readonly index: number;
  readonly sql: string;
}

export interface ProxyListener {
  /** Called before a statement is forwarded to the server, which waits. */
  readonly onStatement?: (statement: PassingStatement) => void | Promise<void>;
  /**
   * Called before a message of the response is forwarded to the client, which waits; `message` counts from 0. A `lost`
   * message is dropped with the connection.
   */
  readonly onAnswer?: (statement: PassingStatement, message: number) => Promise<'lost' | undefined>;
}

export interface PostgresProxy {
  readonly port: number;
  /** Starts listening; counts from 0 again. */
  listen(listener: ProxyListener): void;
  close(): Promise<void>;
}

/** A proxy for a PostgreSQL server without TLS that recognises statements, to interrupt the server at a given one. */
export async function startPostgresProxy(target: {
  readonly host: string;
  readonly port: number;
}): Promise<PostgresProxy> {
  let listener: ProxyListener = {};
  let passed = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const far = connect(target.port, target.host);
    for (const socket of [client, far]) {
      // Messages are written one by one; Nagle's algorithm would hold each statement back for 40 ms.
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    }
    client.on('close', () => far.destroy());
    far.on('close', () => client.destroy());
    let latest: PassingStatement | undefined;
    let answered = 0;
    void forward(client, far, readMessages(true), async (message) => {
      const sql = statementOf(message);
      if (sql === undefined) return;
      latest = { index: passed, sql };
      passed += 1;
      answered = 0;
      await listener.onStatement?.(latest);
    });
    void forward(far, client, readMessages(false), async () => {
      if (!latest || (await listener.onAnswer?.(latest, answered++)) !== 'lost') return;
      client.destroy();
      throw new Error('The answer is lost.');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    listen(next) {
      listener = next;
      passed = 0;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

type Reader = (chunk: Buffer) => readonly Buffer[];

async function forward(
  from: Socket,
  to: Socket,
  read: Reader,
  look: (message: Buffer) => Promise<void>,
): Promise<void> {
  try {
    for await (const chunk of from) {
      for (const message of read(chunk as Buffer)) {
        await look(message);
        if (!to.write(message)) await once(to, 'drain');
      }
    }
  } catch {
    // When one side closes, the other is closed.
    to.destroy();
  }
}

/**
 * Splits a stream into messages. The first message of a client has no type byte, and the response to a TLS request is
 * one byte.
 */
function readMessages(isClient: boolean): Reader {
  let rest = Buffer.alloc(0);
  let isStart = true;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Buffer[] = [];
    for (;;) {
      const isLetter = !isClient && isStart && rest.length >= 1 && (rest[0] === 0x4e || rest[0] === 0x53);
      const head = isClient && isStart ? 0 : 1;
      if (!isLetter && rest.length < head + 4) return messages;
      const length = isLetter ? 1 : head + rest.readUInt32BE(head);
      if (rest.length < length) return messages;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      messages.push(message);
      // A TLS request is followed by the real start message.
      const isQuestion = isClient && isStart && length === 8 && message.readUInt32BE(4) === 80_877_103;
      if (!isQuestion && !isLetter) isStart = false;
    }
  };
}

/** The text of a simple query, or of a Parse message; undefined for others. */
function statementOf(message: Buffer): string | undefined {
  const [kind] = message;
  if (kind === 0x51) return message.toString('utf8', 5, message.length - 1);
  if (kind !== 0x50) return undefined;
  const [, sql] = message.toString('utf8', 5).split('\0');
  return sql;
}
