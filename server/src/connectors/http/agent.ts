import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

export interface AgentOptions {
  readonly isHttps: boolean;
  /** Connections at most. */
  readonly connections: number;
  readonly connectTimeoutMs: number;
  /** PEM texts of a client certificate, and the authority to trust. */
  readonly tls?: { readonly cert?: string; readonly key?: string; readonly ca?: string; readonly passphrase?: string };
}

/** Keep-alive connections, with a client certificate where one is configured. A connection not made in time fails with ETIMEDOUT. */
export function createAgent({ isHttps, connections, connectTimeoutMs, tls }: AgentOptions): HttpAgent {
  const shared = { keepAlive: true, maxSockets: connections, scheduling: 'lifo' as const };
  const agent = isHttps ? new HttpsAgent({ ...shared, ...tls }) : new HttpAgent(shared);
  const limited = agent as unknown as { createConnection: (...parameters: unknown[]) => Socket };
  const connect = limited.createConnection.bind(agent);
  limited.createConnection = (...parameters) => {
    const socket = connect(...parameters);
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error('No connection in time'), { code: 'ETIMEDOUT' }));
    }, connectTimeoutMs);
    const stop = (): void => clearTimeout(timer);
    socket.once(isHttps ? 'secureConnect' : 'connect', stop).once('close', stop);
    return socket;
  };
  return agent;
}
