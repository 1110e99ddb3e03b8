import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { createProxyAgent } from './proxy-agent.ts';
import type { AgentOptions } from './agent-options.ts';

/** An agent with keep-alive and an optional client certificate. Connecting times out with ETIMEDOUT. */
export function createAgent(options: AgentOptions): HttpAgent {
  const { isHttps, connections, connectTimeoutMs, tls, proxy } = options;
  if (proxy) return createProxyAgent(options, proxy);
  const shared = { keepAlive: true, maxSockets: connections, scheduling: 'lifo' as const };
  const { ca, ...certificate } = tls ?? {};
  const trusted = ca === undefined ? {} : { ca: [...ca] };
  const agent = isHttps ? new HttpsAgent({ ...shared, ...certificate, ...trusted }) : new HttpAgent(shared);
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
