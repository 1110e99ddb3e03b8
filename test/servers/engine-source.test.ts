// Compares a graph built inside a server with the embedded engine. Not part of `npm test`, which has PostgreSQL only:
// `npm run try-server -- postgresql://…` runs it against the named server.
import { accessTo } from '../support/postgres.ts';
import { sourceEngineTests } from '../support/source-engine-tests.ts';

const url = new URL(process.env['ENTITY_GRAPH_SERVER'] ?? '');

sourceEngineTests(`engine: source at ${url.host}`, process.env['ENTITY_GRAPH_NODES'] === 'citus', async () => {
  const { hostname: host, port, username, password } = url;
  const [user, secret] = [username, password].map(decodeURIComponent);
  const server = accessTo({ host, port: Number(port || 5432), user: user ?? '', password: secret ?? '' });
  return { server, database: decodeURIComponent(url.pathname.slice(1)) };
});
