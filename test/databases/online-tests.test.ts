import { deepStrictEqual, equal, match } from 'node:assert/strict';
import { join } from 'node:path';
import { type PermitUses, permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { runGraphTests } from '../../server/src/operations/graph-tests/run-graph-tests.ts';
import type { GraphTestReport } from '../../server/src/operations/graph-tests/test-report.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

/** A server of the suite, with the SQL of its dialect for these tests. */
interface OnlineServer {
  readonly kind: string;
  readonly types: { readonly number: string; readonly text: string; readonly local: string; readonly zoned: string };
  /** Runs statements in the database of the test. */
  run(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** The lines of the data source. */
  readonly source: Readonly<Record<string, unknown>>;
  readonly password: string;
  /** The database of the tables, or their schema. */
  readonly place: string;
  readonly year: (column: string) => string;
  /** A function of users that reads a table. */
  readonly readingFunction: string;
}

async function postgresql(): Promise<OnlineServer> {
  const server = await sharedPostgres();
  const database = await server.createDatabase();
  const { host, port, user, password } = server;
  return {
    kind: 'postgresql',
    types: { number: 'integer', text: 'text', local: 'timestamp without time zone', zoned: 'timestamp with time zone' },
    run: (sql) => server.query(database, sql),
    source: { host, port, user, database },
    password,
    place: 'public',
    year: (column) => `extract(year FROM ${column})`,
    readingFunction: `CREATE FUNCTION known(int) RETURNS boolean LANGUAGE sql STABLE AS 'SELECT EXISTS (SELECT FROM customers WHERE id = $1)'`,
  };
}

async function mariadb(): Promise<OnlineServer> {
  const server = await sharedMariadb();
  const database = await server.createDatabase();
  const { host, port, user, password } = server;
  return {
    kind: 'mysql',
    types: { number: 'int(11)', text: 'varchar(40)', local: 'datetime', zoned: 'timestamp' },
    run: (sql) => server.query(database, sql),
    source: { host, port, user, database },
    password,
    place: database,
    year: (column) => `extract(YEAR FROM ${column})`,
    readingFunction:
      'CREATE FUNCTION known(n int) RETURNS int READS SQL DATA RETURN EXISTS (SELECT 1 FROM customers WHERE id = n)',
  };
}

const files = ({ kind, source, types }: OnlineServer, where: string, joins = '') => ({
  'entity-sources.yaml': `version: 1
dataSources:
  shop: ${JSON.stringify({ kind, ...source, password: '${secret:shop}', timeZone: 'Europe/Berlin', ssl: { mode: 'disable' } })}
`,
  'shop.entity.yaml': `version: 1
dataSource: shop
dataObjects: [customers]
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    entityType: order
    startTimestamp: placed
    properties: [note]
    joins: ${JSON.stringify(joins)}
    where: ${JSON.stringify(where)}
  - { activityName: Pay, dataObject: payments, key: id, entityType: payment, startTimestamp: paid }
relationships:
  - { name: settles, source: Pay, target: Place Order, mappings: [{ source: order_id, target: id }] }
`,
  'shop.entity.test.yaml': `graph: shop.entity.yaml
columns:
  orders: { id: { type: ${types.number}, key: true }, customer: ${types.number}, note: ${types.text}, placed: ${types.local} }
  payments: { id: ${types.text}, order_id: ${types.number}, paid: ${types.zoned} }
  customers: { id: ${types.number}, name: ${types.text} }
tests:
  - name: an order of this year is paid
    given:
      orders:
        - { id: 7, customer: 1, note: "it's \\\\ \\"so\\" 😀", placed: 2024-07-01T10:00:00 }
        - { id: 8, customer: 2, placed: 2023-07-01T10:00:00 }
      payments: [{ id: P1, order_id: 7, paid: 2024-07-02T10:00:00Z }]
      customers: [{ id: 1, name: Ann }]
    expect:
      events:
        - { activity: Place Order, entity: 7, time: 2024-07-01T08:00:00Z, properties: { note: "it's \\\\ \\"so\\" 😀" } }
        - { activity: Pay, entity: P1, time: 2024-07-02T10:00:00Z }
      relations: [{ relationship: settles, source: P1, target: 7 }]
  - name: rows that are not given are not there
    expect: { events: [] }
  - name: what is wrong fails
    given: { orders: [{ id: 9, customer: 1, placed: 2024-07-01T10:00:00Z }], customers: [{ id: 1, name: Ann }] }
    expect: { events: [] }
  - name: rows that do not fit fail
    given: { payments: [{ id: P1, order_id: 3000000000, paid: 2024-07-02T10:00:00Z }] }
    expect: { events: [] }
`,
});

async function runOnline(
  server: OnlineServer,
  where: string,
  joins = '',
  options: {
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly isOnline?: boolean;
    readonly permitUses?: PermitUses;
  } = {},
): Promise<GraphTestReport> {
  const { settings = {}, isOnline = true, permitUses = permitAllUses } = options;
  const folder = await folderWith(files({ ...server, source: { ...server.source, ...settings } }, where, joins));
  const projectContext = {
    permitUses,
    readSecret: async () => server.password,
    environment: {},
    workspaceFolderOf: () => folder,
  };
  try {
    return await runGraphTests(join(folder, 'shop.entity.test.yaml'), projectContext, {
      signal: new AbortController().signal,
      isOnline,
    });
  } finally {
    await removeFolder(folder);
  }
}

function outcomes({ tests }: GraphTestReport): readonly string[] {
  return tests.map(({ outcome, reason, failures }) =>
    [outcome, reason ?? '', ...failures.map(({ message }) => message)].filter((part) => part !== '').join(': '),
  );
}

const wrong =
  'failed: events: Expected 0 events, got 1. Not expected: { activity: Place Order, entity: 9, time: 2024-07-01T10:00:00Z }.';

describe('tests online of tables with enum, set and bit columns on MariaDB', () => {
  let server: OnlineServer;
  let folder = '';
  before(async () => {
    server = await mariadb();
    await server.run(
      `CREATE TABLE tickets (id int PRIMARY KEY, opened datetime, state enum('new','closed'), flags set('a','b'), urgent bit(1))`,
    );
    const { source, password } = server;
    const settings = { kind: 'mysql', ...source, password, timeZone: 'UTC', ssl: { mode: 'disable' } };
    const graph = (property: string): string => `version: 1
dataSource: desk
elements:
  - { activityName: Open, dataObject: tickets, key: id, entityType: ticket, startTimestamp: opened, properties: [${property}] }
`;
    const tests = (property: string, columns: string, value: string): string => `graph: ${property}.entity.yaml
${columns}
tests:
  - name: ${property}
    given: { tickets: [{ id: 1, opened: 2024-07-01T10:00:00Z, state: new, flags: "a,b"${value === '' ? '' : `, ${property}: ${value}`} }] }
    expect: { events: [{ activity: Open, entity: 1${value === '' ? '' : `, properties: { ${property}: ${value} }`} }] }
`;
    const given = { id: '', state: '', flags: '', urgent: '1' };
    folder = await folderWith({
      'entity-sources.yaml': `version: 1\ndataSources:\n  desk: ${JSON.stringify(settings)}\n`,
      ...Object.fromEntries(
        Object.entries(given).flatMap(([property, value]) => [
          [`${property}.entity.yaml`, graph(property)],
          [`${property}.entity.test.yaml`, tests(property, '', value)],
        ]),
      ),
      'declared.entity.yaml': graph('state, flags, urgent'),
      'declared.entity.test.yaml': `graph: declared.entity.yaml
columns: { tickets: { state: varchar(10), flags: varchar(10), urgent: tinyint } }
tests:
  - name: all of them
    given: { tickets: [{ id: 1, opened: 2024-07-01T10:00:00Z, state: new, flags: "a,b", urgent: 1 }] }
    expect: { events: [{ activity: Open, entity: 1, properties: { state: new, flags: "a,b", urgent: 1 } }] }
`,
    });
  });
  after(() => removeFolder(folder));

  const outcomesOf = async (name: string): Promise<readonly string[]> => {
    const projectContext = {
      permitUses: permitAllUses,
      readSecret: async () => undefined,
      environment: {},
      workspaceFolderOf: () => folder,
    };
    const { signal } = new AbortController();
    return outcomes(
      await runGraphTests(join(folder, `${name}.entity.test.yaml`), projectContext, { signal, isOnline: true }),
    );
  };

  it('pass if the SQL names none of these columns', async () => {
    deepStrictEqual(await outcomesOf('id'), ['passed']);
  });
  for (const [column, type] of [
    ['state', "enum('new','closed')"],
    ['flags', "set('a','b')"],
    ['urgent', 'bit(1)'],
  ] as const) {
    it(`are not run if the SQL names ${column}; the reason names the type to declare`, async () => {
      deepStrictEqual(await outcomesOf(column), [
        `not run: tickets.${column} has the type ${type}, which only a table can have. Declare another type for it in columns, such as varchar(255).`,
      ]);
    });
  }
  it('pass if the test declares types for these columns', async () => {
    deepStrictEqual(await outcomesOf('declared'), ['passed']);
  });
});

for (const start of [postgresql, mariadb]) {
  describe(`tests online on ${start.name}`, () => {
    let server: OnlineServer;
    before(async () => {
      server = await start();
    });

    const expectPassed = (report: GraphTestReport): void => {
      const [first, second, third, fourth = ''] = outcomes(report);
      deepStrictEqual([first, second, third], ['passed', 'passed', wrong]);
      match(fourth, /^failed: The rows of payments do not fit its columns: .*3000000000/u);
    };

    it('run if the source has no tables of these names', async () => {
      expectPassed(await runOnline(server, `${server.year('placed')} = 2024`));
    });

    it('run in a build server with ci --online', async () => {
      const folder = await folderWith(files(server, '1 = 1'));
      try {
        const run = async (...options: string[]) => {
          const environment = { ENTITY_GRAPH_SECRET_SHOP: server.password };
          const args = ['ci', folder, '--workspace', folder, '--format', 'json', ...options];
          const { stdout, stderr } = await runCommand(args, folder, environment);
          if (!stdout.startsWith('{')) return stderr;
          const { files } = JSON.parse(stdout) as {
            files: { file: string; steps: { name: string; detail: string }[] }[];
          };
          const tested = files.find(({ file }) => file.endsWith('.test.yaml'));
          return tested?.steps.map(({ name, detail }) => `${name}: ${detail}`).join();
        };
        equal(await run('--online'), 'test: 1 passed, 3 failed');
        if (start === mariadb) equal(await run(), 'test: 0 passed, 0 failed, 4 not run');
        match((await run('--online', '--offline')) ?? '', /--online runs tests in the data sources/u);
      } finally {
        await removeFolder(folder);
      }
    });

    // PostgreSQL has PGlite.
    if (start === mariadb)
      it('are not run without --online', async () => {
        const report = await runOnline(server, '1 = 1', '', { isOnline: false });
        equal(
          outcomes(report)[0],
          'not run: Tests of graphs on MySQL run in the data source only: give --online, or choose Run Online in the Test Explorer.',
        );
      });

    describe('if tables of these names have rows', () => {
      before(async () => {
        const { number, text, local, zoned } = server.types;
        await server.run(`CREATE TABLE orders (id ${number} PRIMARY KEY, customer ${number}, note ${text}, placed ${local});
          CREATE TABLE payments (id ${text}, order_id ${number}, paid ${zoned});
          CREATE TABLE customers (id ${number}, name ${text});
          INSERT INTO orders VALUES (1, 1, 'real', '2024-02-01 10:00:00'), (7, 1, 'real', '2024-02-01 10:00:00');
          INSERT INTO payments VALUES ('REAL', 1, '2024-02-02 10:00:00');
          INSERT INTO customers VALUES (1, 'Real'), (2, 'Real');`);
        await server.run(server.readingFunction);
      });

      const everything = async (): Promise<string> => {
        const counts = [];
        for (const table of ['orders', 'payments', 'customers']) {
          counts.push(await server.run(`SELECT * FROM ${table} ORDER BY 1`));
        }
        return JSON.stringify(counts);
      };

      it('read none of them, and write nothing', async () => {
        const before = await everything();
        expectPassed(await runOnline(server, `${server.year('placed')} = 2024`));
        equal(await everything(), before);
      });

      it('replace tables in joins, subqueries and lists, with and without alias or schema', async () => {
        const joins = `JOIN customers ON customers.id = orders.customer`;
        expectPassed(await runOnline(server, 'orders.id > 0', joins));
        const inner = `orders.customer IN (SELECT c.id FROM ${server.place}.customers c) AND EXISTS (SELECT 1 FROM (SELECT id FROM customers) AS x, payments AS p WHERE x.id > 0 AND p.order_id = orders.id)`;
        deepStrictEqual(outcomes(await runOnline(server, inner)).slice(0, 2), ['passed', 'passed']);
        // A table of its own has the name of a real one, and reads it.
        const own = `orders.id IN (WITH customers AS (SELECT c.id FROM customers AS c), known AS (SELECT o.id FROM ${server.place}.orders AS o JOIN customers ON customers.id = o.customer) SELECT id FROM known)`;
        deepStrictEqual(outcomes(await runOnline(server, own)).slice(0, 2), ['passed', 'passed']);
      });

      const refused: readonly [title: string, where: () => string, reason: RegExp][] = [
        [
          'a column that its schema names',
          () => `${server.place}.orders.id > 0`,
          /Write an alias|give the table an alias/iu,
        ],
        [
          'a table that the catalog does not have',
          () => 'orders.id IN (SELECT id FROM nowhere)',
          /nowhere is no data object/u,
        ],
        [
          'a table of the system',
          () => `EXISTS (SELECT 1 FROM information_schema.tables)`,
          /information_schema\.tables is no data object/iu,
        ],
      ];
      for (const [title, where, reason] of refused) {
        it(`are not run for ${title}`, async () => {
          const told = outcomes(await runOnline(server, where()));
          for (const each of told.slice(0, 3)) match(each, new RegExp(`^not run: .*${reason.source}`, reason.flags));
        });
      }

      it('never call a function that reads tables', async () => {
        const [first = ''] = outcomes(await runOnline(server, 'known(orders.customer)'));
        match(
          first,
          /^not run: Given rows cannot stand in for all that its SQL reads: .*known (?:may read tables|does not exist)/u,
        );
      });
    });

    it('are not run if the source cannot be reached; the reason says so', async () => {
      const told = outcomes(await runOnline(server, '1 = 1', '', { settings: { port: 1 } }));
      equal(told.length, 4);
      for (const each of told) match(each, /^not run: .*:1/u);
    });

    it('are not run if the password may not be sent to the host', async () => {
      const told = outcomes(await runOnline(server, '1 = 1', '', { permitUses: async (uses) => uses }));
      for (const each of told) match(each, /^not run: .*would send the secret shop to .*127\.0\.0\.1/u);
    });

    it('fail at the position of a mistake in the SQL', async () => {
      const report = await runOnline(server, 'orders.nothing > 0');
      match(outcomes(report)[0] ?? '', /^failed: The graph cannot be built: shop\.entity\.yaml:12: .*nothing/u);
    });
  });
}
