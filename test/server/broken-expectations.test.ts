import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CodeAction, Diagnostic, Hover } from 'vscode-languageserver-protocol/node';
import type { Outcome, QueryTarget, TestQueryResult } from '../../protocol/query-results.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const graph = `version: 1
dataSource: shop
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    startTimestamp: placed
    expect:
      severity: error
      unique: [[id, line], line]
      notNull: [state]
      values: { state: [open, closed] }
      rows: "9.."
entities:
  - { entityType: line, dataObject: orders, key: line, expect: { severity: info, notNull: [state, id] } }
`;
const orders = `id,line,state,placed
1,1,open,2024-01-01 10:00
1,2,open,2024-01-01 11:00
2,3,lost,2024-01-02 10:00
2,3,,2024-01-03 10:00
`;
const remedy = 'Correct the rows or the expectation, and import again.';

describe('language server: expectations that rows break', () => {
  let folder: string;
  let client: LspClient;
  let uri: string;

  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n',
      'orders.csv': orders,
      'shop.entity.yaml': graph,
    });
    client = await startLspClient({ folder, initializationOptions: { extended: true, trusted: true } });
    uri = await client.open(`${folder}/shop.entity.yaml`, graph);
    await client.diagnostics(uri, (found) => found.length === 0);
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  const runImport = async (request?: object): Promise<void> => {
    const { status }: { status: string } = await client.connection.sendRequest('entityGraph/import', {
      ...{ uri, ...(request && { request }) },
    });
    assert.equal(status, 'imported');
  };
  const placed = ({ range: { start, end }, severity, message, code }: Diagnostic): readonly unknown[] => [
    ...[code, severity, `${start.line}:${start.character}-${end.character}`, message],
  ];
  const shown = async (diagnostic: Diagnostic): Promise<readonly unknown[] | undefined> => {
    const actions: readonly CodeAction[] = await client.connection.sendRequest('textDocument/codeAction', {
      ...{ textDocument: { uri }, range: diagnostic.range, context: { diagnostics: [diagnostic] } },
    });
    const action = actions.find(({ title }) => title === 'Show Rows');
    if (!action) return undefined;
    assert.equal(action.command?.command, 'entityGraph.testQuery');
    const [of, target] = action.command.arguments as [string, QueryTarget];
    assert.equal(of, uri);
    const outcome: Outcome<TestQueryResult> = await client.connection.sendRequest('entityGraph/testQuery', {
      ...{ uri, target },
    });
    assert.ok(outcome.ok, JSON.stringify(outcome));
    const place = outcome.value.columns.findIndex(({ name }) => name === 'line');
    return outcome.value.rows.map((row) => row[place]);
  };
  const hover = async (line: number, character: number): Promise<string> => {
    const found: Hover | null = await client.connection.sendRequest('textDocument/hover', {
      ...{ textDocument: { uri }, position: { line, character } },
    });
    return found && 'value' in (found.contents as object) ? (found.contents as { value: string }).value : '';
  };
  const ofOrders = 'of "Place Order"';

  it('are problems at their positions after an import, with the severity of expect', async () => {
    await runImport();
    const found = await client.diagnostics(uri, (all) => all.length > 0);
    const [errors, notes] = [1, 3];
    assert.deepEqual(found.map(placed).toSorted(), [
      [
        ...['expectation-broken', errors, '10:16-21'],
        `The last import found: 1 of 4 rows ${ofOrders} has no state, which is expected in every row (the first has the key 2). ${remedy}`,
      ],
      [
        ...['expectation-broken', errors, '11:16-21'],
        `The last import found: 1 of 3 rows ${ofOrders} has another state than expected: "lost" in 1. ${remedy}`,
      ],
      [
        ...['expectation-broken', errors, '12:12-17'],
        `The last import found: "Place Order" has 4 rows, but at least 9 are expected. ${remedy}`,
      ],
      [
        ...['expectation-broken', errors, '9:16-24'],
        `The last import found: 2 of 4 rows ${ofOrders} share values of id, line, which should be unique: "2, 3" in 2. ${remedy}`,
      ],
      [
        ...['expectation-broken', errors, '9:27-31'],
        `The last import found: 2 of 4 rows ${ofOrders} share a value of line, which should be unique: "3" in 2. ${remedy}`,
      ],
      [
        ...['expectation-broken', notes, '14:91-96'],
        `The last import found: 1 of 4 rows of "line" has no state, which is expected in every row (the first has the key 3). ${remedy}`,
      ],
    ]);
  });

  it('open their rows by a quick fix', async () => {
    const found = await client.diagnostics(uri, (all) => all.length === 6);
    const rows: Record<string, unknown> = {};
    for (const each of found) rows[`${each.range.start.line}:${each.range.start.character}`] = await shown(each);
    assert.deepEqual(rows, {
      '9:16': ['3', '3'],
      '9:27': ['3', '3'],
      '10:16': ['3'],
      '11:16': ['3'],
      '12:12': ['1', '2', '3', '3'],
      '14:91': ['3'],
    });
  });

  it('are shown by hover above the column, like expectations that hold', async () => {
    assert.match(
      await hover(9, 22),
      /^\*\*Place Order: id, line are unique together\*\* is broken\. The last import found: 2 of 4 rows[^]*\n\n\*\*line\*\*/u,
    );
    assert.match(await hover(11, 17), /^\*\*Place Order: state has one of the expected values\*\* is broken\./u);
    assert.match(await hover(14, 99), /^\*\*line: id has a value\*\* holds\. The last import judged 4 rows\./u);
    assert.match(await hover(6, 22), /^\*\*placed\*\*/u);
  });

  it('are counted in the lenses of their entries', async () => {
    const lenses: readonly { command: { title: string } }[] = await client.connection.sendRequest(
      'textDocument/codeLens',
      { textDocument: { uri } },
    );
    const titles = lenses.map(({ command }) => command.title).filter((title) => title.includes('broken'));
    assert.deepEqual(titles, ['4 events · 2 entities · 5 expectations broken', '3 entities · 1 expectation broken']);
  });

  it('are not problems once the text of expect differs from the judged one', async () => {
    await client.edit(uri, 'rows: "9.."', 'rows: "8.."');
    const left = await client.diagnostics(uri, (found) => found.length === 1);
    assert.equal(left[0]?.range.start.line, 14);
    await client.edit(uri, 'rows: "8.."', 'rows: "9.."');
    await client.diagnostics(uri, (found) => found.length === 6);
    // Other text may change, also before them.
    await client.edit(uri, 'key: id\n', 'key: id\n    properties: [state]\n');
    const moved = await client.diagnostics(uri, (found) => found.some(({ range }) => range.start.line === 15));
    assert.equal(moved.length, 6);
    await client.edit(uri, 'key: id\n    properties: [state]\n', 'key: id\n');
    await client.diagnostics(uri, (found) => found.some(({ range }) => range.start.line === 14));
  });

  it('are not problems after an import with correct rows', async () => {
    await writeFile(join(folder, 'orders.csv'), orders.replace('2,3,,', '2,4,open,').replace('lost', 'open'));
    await client.edit(uri, 'rows: "9.."', 'rows: "4.."');
    await runImport();
    await client.diagnostics(uri, (found) => found.length === 0);
    assert.match(await hover(12, 13), /holds\. The last import found 4 rows\.\n/u);
  });
});
