// Starts one PostgreSQL and one MariaDB, each on the first request for it, and answers with its address. A program:
// scripts/shared-databases.mjs starts it for all test processes of a run. It ends when its parent disconnects.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type MariadbServer, startMariadbServer } from './mariadb-server.ts';
import { type PostgresServer, startServer } from './postgres-server.ts';

type Server = PostgresServer | MariadbServer;

const starts: Readonly<Record<string, () => Promise<Server>>> = {
  // All lanes use it. It has hundreds of small databases, in each of which autovacuum would start a process a minute.
  '/postgresql': () => startServer({ settings: { max_connections: '200', autovacuum: 'off' } }),
  '/mariadb': () => startMariadbServer({}),
};

const started = new Map<string, Promise<Server>>();

const server = createServer((request, response) => {
  void answer(request.url ?? '').then(
    (access) => response.end(JSON.stringify(access)),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});

async function answer(path: string): Promise<Server> {
  const start = starts[path];
  if (!start) throw new Error(`There is no server for ${path}.`);
  const starting = started.get(path) ?? start();
  started.set(path, starting);
  return starting;
}

async function stop(): Promise<void> {
  for (const each of started.values()) await (await each.catch(() => undefined))?.stop();
  process.exit();
}

process.once('disconnect', () => void stop());
process.once('SIGTERM', () => process.exit());
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
