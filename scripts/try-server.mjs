// `npm run try-server -- postgresql://USER:PASSWORD@HOST:PORT/DATABASE`: builds graphs inside your server and compares
// every row with the embedded engine. The schemas public, ekg and ekg__previous of the database must have no tables;
// they are filled and cleared.
import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { root } from './paths.mjs';
import { ensureBuild } from './set-up.mjs';

const [url = ''] = process.argv.slice(2);
if (!/^postgres(ql)?:\/\//.test(url)) {
  console.error('npm run try-server -- postgresql://USER:PASSWORD@HOST:PORT/DATABASE');
  process.exit(2);
}
const nodes = await examine(url);
await ensureBuild();
const mocha = ['--no-warnings', '--import', 'tsx', 'node_modules/mocha/bin/mocha.js', '--timeout', '60000'];
const { status } = spawnSync(process.execPath, [...mocha, 'test/servers/engine-source.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ENTITY_GRAPH_SERVER: url, ENTITY_GRAPH_NODES: nodes },
});
process.exitCode = status ?? 1;

/** Prints the kind of server; exits when its database is in use. */
async function examine(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows: tables } = await client.query(
      "SELECT FROM pg_tables WHERE schemaname IN ('public', 'ekg', 'ekg__previous')",
    );
    if (tables.length > 0) {
      console.error(
        'The schemas public, ekg and ekg__previous of that database must have no tables: name an empty one.',
      );
      process.exit(2);
    }
    const { rows } = await client.query(
      "SELECT version() AS version, (SELECT max(extversion) FROM pg_extension WHERE extname = 'citus') AS citus",
    );
    const [{ version, citus }] = rows;
    console.log(citus === null ? version : `${version}, Citus ${citus}`);
    return citus === null ? '' : 'citus';
  } finally {
    await client.end();
  }
}
