import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { CompletionItem, Hover } from 'vscode-languageserver-protocol/node';
import type { Outcome, ShowQueryResult, TestQueryResult } from '../../protocol/query-results.ts';
import { type LspClient, positionAt, startLspClient } from '../server/lsp-client.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';

const tables = [
  'CREATE TABLE orders (id int PRIMARY KEY, placed timestamp, `note text` varchar(20))',
  "INSERT INTO orders VALUES (1, '2024-01-01 10:00:00', 'first'), (2, '2024-01-02 10:00:00', 'second')",
];
const standard = tables.map((sql) => sql.replaceAll('`', '"'));

/** Makes the table in a database of the kind; returns the settings of its data source. */
const kinds: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  async mysql() {
    const { host, port, user, password, ...server } = await sharedMariadb();
    const database = await server.createDatabase();
    await server.query(database, tables.join(';'));
    return `host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: ${password}`;
  },
  async sqlite(folder) {
    createSqliteFile(join(folder, 'shop.sqlite'), standard.join(';'));
    return 'path: shop.sqlite';
  },
  async duckdb(folder) {
    await createDuckdbFile(join(folder, 'shop.duckdb'), standard);
    return 'path: shop.duckdb';
  },
};

const graph = `version: 1
dataSource: shop
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed
    where: id > 1
`;

for (const [kind, prepare] of Object.entries(kinds)) {
  describe(`the editor with a source of ${kind}`, () => {
    let folder: string;
    let client: LspClient;
    let uri: string;

    before(async () => {
      folder = await folderWith({ 'shop.entity.yaml': graph });
      const settings = await prepare(folder);
      await writeFiles(folder, {
        'entity-sources.yaml': `version: 1\ndataSources:\n  shop: { kind: ${kind}, ${settings} }\n`,
      });
      client = await startLspClient({ folder, initializationOptions: { trusted: true, extended: true } });
      uri = await client.open(join(folder, 'shop.entity.yaml'), graph);
      const refreshed = await client.connection.sendRequest('entityGraph/refreshCatalog', { uri });
      assert.deepEqual(refreshed, { ok: true, value: { objects: 1 } });
    });
    after(async () => {
      await client.close();
      await removeFolder(folder);
    });

    const at = (text: string) => ({
      textDocument: { uri },
      position: positionAt(graph, graph.indexOf(text) + text.length),
    });

    it('completes columns and functions in SQL', async () => {
      const items: CompletionItem[] = await client.connection.sendRequest('textDocument/completion', at('where: i'));
      const labels = items.map(({ label }) => label);
      for (const label of ['id', 'placed', 'lower']) assert.ok(labels.includes(label), `${label}: ${labels.join()}`);
      const quoted = kind === 'mysql' ? '`note text`' : '"note text"';
      assert.ok(labels.includes(quoted), labels.join());
    });

    it('explains a column on hover', async () => {
      const hover: Hover | null = await client.connection.sendRequest('textDocument/hover', at('startTimestamp: pla'));
      assert.match(JSON.stringify(hover?.contents), /placed.*timestamp/i);
    });

    it('shows and tests a query', async () => {
      const target = { kind: 'element', name: 'Place Order' };
      const shown: Outcome<ShowQueryResult> = await client.connection.sendRequest('entityGraph/showQuery', {
        ...{ uri, target },
      });
      assert.ok(shown.ok, JSON.stringify(shown));
      const core = shown.value.steps.filter(({ role }) => role === 'core');
      assert.equal(core.length, 1);
      assert.match(core[0]?.text ?? '', /FROM \S*[`"]orders[`"] AS [`"]orders[`"]\nWHERE \(\nid > 1\n\)/);
      const tested: Outcome<TestQueryResult> = await client.connection.sendRequest('entityGraph/testQuery', {
        ...{ uri, target, limit: 5 },
      });
      assert.ok(tested.ok, JSON.stringify(tested));
      assert.equal(tested.value.rows.length, 1);
    });

    it('reports a mistake in SQL at its position', async () => {
      const wrong = graph.replace('id > 1', 'idd > 1');
      const other = await client.open(join(folder, 'wrong.entity.yaml'), wrong);
      const tested: Outcome<TestQueryResult> = await client.connection.sendRequest('entityGraph/testQuery', {
        ...{ uri: other, target: { kind: 'element', name: 'Place Order' }, limit: 5 },
      });
      assert.ok(!tested.ok);
      const { range, query } = tested.error;
      assert.deepEqual(range?.start, positionAt(wrong, wrong.indexOf('idd')), JSON.stringify(tested));
      assert.match(query?.sql.slice(query.place?.start) ?? '', /^idd > 1/);
    });
  });
}
