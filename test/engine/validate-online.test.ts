import assert from 'node:assert/strict';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';
import { runCommand } from '../support/run-command.ts';

const graph = (where: string, mapping: string): string => `version: 1
dataSource: shop
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    where: ${where}
relationships:
  - { name: again, source: Place Order, target: Place Order, mappings: [{ expression: ${mapping} }] }
`;

/** Errors that only the server can find: code, and the underlined text. */
const cases: readonly (readonly [
  where: string,
  mapping: string,
  code?: string,
  underlined?: string,
  words?: RegExp,
])[] = [
  ['note IS NOT NULL', 'source.id = target.id'],
  ['lowercase(note) = note', 'source.id = target.id', 'sql-error', 'lowercase', /lowercase/],
  ["placed_at > 'no time at all'", 'source.id = target.id', 'sql-error', "'no time at all'", /no time at all/],
  ['note IS NOT NULL', 'source.id = target.note', 'sql-error', '=', /integer = text/],
  ['nte IS NOT NULL', 'source.id = target.id', 'unknown-column', 'nte', /"note"/],
];

describe('PostgreSQL validate --online', () => {
  let server: TestPostgres;
  let database: string;
  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.query(
      database,
      "CREATE TABLE orders (id int PRIMARY KEY, placed_at timestamp, note text); INSERT INTO orders VALUES (1, now(), 'x')",
    );
  });

  for (const [where, mapping, code, underlined, words] of cases) {
    it(`sends ${where} and ${mapping} to the server`, async () => {
      const text = graph(where, mapping);
      const { host, port, user, password } = server;
      const folder = await folderWith({
        'entity-sources.yaml': `version: 1\ndataSources:\n  shop: { kind: postgresql, host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: "\${secret:shop}" }\n`,
        'shop.entity.yaml': text,
      });
      try {
        const env = { ENTITY_GRAPH_SECRET_SHOP: password };
        const args = ['validate', '--online', 'shop.entity.yaml', '--format', 'json', '--workspace', folder];
        const run = await runCommand(args, folder, env);
        const [{ diagnostics }] = JSON.parse(run.stdout) as [{ diagnostics: Found[] }];
        assert.deepEqual(
          diagnostics.map((each) => [each.code, excerpt(text, each.range)]),
          code === undefined ? [] : [[code, underlined]],
          run.stdout,
        );
        if (words) assert.match(diagnostics[0]?.message ?? '', words);
        assert.equal(run.code, code === undefined ? 0 : 1);
        assert.ok(!run.stdout.includes(password));
      } finally {
        await removeFolder(folder);
      }
    });
  }
});

interface Found {
  readonly code: string;
  readonly message: string;
  readonly range: { readonly start: Place; readonly end: Place };
}

interface Place {
  readonly line: number;
  readonly character: number;
}

function excerpt(text: string, { start, end }: Found['range']): string | undefined {
  return text.split('\n')[start.line]?.slice(start.character, end.character);
}
