// `npm run try-server -- postgresql://USER:PASSWORD@HOST:PORT/DATABASE`: builds graphs inside your server and compares
// every row with the embedded engine. The schemas public, ekg and ekg__previous of the database must have no tables;
// they are filled and cleared.
// `npm run try-server -- mysql://USER:PASSWORD@HOST:PORT`: reads values, errors, snapshots and Northwind from your MySQL
// or MariaDB, in databases that are created for it and dropped.
// `npm run try-server -- trino://USER[:PASSWORD]@HOST:PORT/CATALOG`: builds graphs inside your Trino and compares every row
// with the embedded engine, in schemas of this catalog of Iceberg that are created for it and dropped. HTTPS is used with a
// password, and with `?ssl=true`.
import { spawnSync } from 'node:child_process';
import { root } from './paths.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { ensureBuild } from './set-up.mjs';

const [url = ''] = process.argv.slice(2);
if (/^postgres(ql)?:\/\//.test(url)) {
  await printPostgresqlVersion(url);
  await run(['test/servers/engine-source.test.ts'], { ENTITY_GRAPH_SERVER: url });
} else if (url.startsWith('mysql://')) {
  await printMysqlVersion(url);
  const files = ['connector-contract', 'mysql-values', 'text-comparison', 'mysql-northwind'];
  const tests = files.map((file) => `test/databases/${file}.test.ts`);
  await run([...tests, '--grep', 'mysql|MySQL|MariaDB'], { ENTITY_GRAPH_MYSQL: url });
} else if (/^trino:\/\/[^/@]+@[^/]+\/[^/?]+/.test(url)) {
  await run(['test/servers/trino.test.ts'], { ENTITY_GRAPH_TRINO_SERVER: url });
} else {
  console.error('npm run try-server -- postgresql://USER:PASSWORD@HOST:PORT/DATABASE');
  console.error('npm run try-server -- mysql://USER:PASSWORD@HOST:PORT');
  console.error('npm run try-server -- trino://USER[:PASSWORD]@HOST:PORT/CATALOG');
  process.exit(2);
}

/**
 * Runs tests with the server in the environment.
 * @param {string[]} tests
 * @param {Record<string, string>} environment
 */
async function run(tests, environment) {
  await ensureDependencies();
  await ensureBuild();
  const mocha = ['--no-warnings', '--import', 'tsx', 'node_modules/mocha/bin/mocha.js', '--timeout', '60000'];
  const { status } = spawnSync(process.execPath, [...mocha, ...tests], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  process.exitCode = status ?? 1;
}

/** Prints the version of the server; rejects when it cannot be reached. */
async function printMysqlVersion(address) {
  await ensureDependencies();
  const { default: mysql } = await import('mysql2/promise');
  const connection = await mysql.createConnection(address);
  try {
    const [rows] = await connection.query('SELECT VERSION() AS version, @@version_comment AS kind');
    console.log(`${rows[0].kind} ${rows[0].version}`);
  } finally {
    await connection.end();
  }
}

/** Prints the version of the server; exits when its database is in use. */
async function printPostgresqlVersion(connectionString) {
  await ensureDependencies();
  const { default: pg } = await import('pg');
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
    const { rows } = await client.query('SELECT version() AS version');
    console.log(rows[0].version);
  } finally {
    await client.end();
  }
}
