import assert from 'node:assert/strict';
import type { CodeAction, Diagnostic } from 'vscode-languageserver-protocol/node';
import type { ImportOutcome } from '../../protocol/import-progress.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { startLspClient } from './lsp-client.ts';

const graph = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed, properties: [amount] }
`;

describe('language server: types that failed imports propose', () => {
  for (const [what, value, type, sources, fixed] of [
    [
      'a value of another type',
      'unknown',
      'VARCHAR',
      '{ kind: csv, path: "*.csv", types: { amount: BIGINT } }',
      '{ kind: csv, path: "*.csv", types: { amount: VARCHAR } }',
    ],
    [
      'more digits than those of a DOUBLE',
      '90071992547409.93',
      'DECIMAL(16,2)',
      '{ kind: csv, path: "*.csv" }',
      '{ kind: csv, path: "*.csv", files: { orders.csv: { types: { amount: \'DECIMAL(16,2)\' } } } }',
    ],
  ] as const) {
    it(`are declared in the data sources file by a quick fix: ${what}`, async () => {
      const head = 'version: 1\ndataSources:\n  shop: ';
      // The types of columns are those of the first rows.
      const rows = Array.from({ length: 110_000 }, (_, row) => `${row},2024-01-01 10:00,${row}.5\n`).join('');
      const early = type === 'VARCHAR' ? '1,2024-01-01 10:00,5\n' : rows;
      const folder = await folderWith({
        'entity-sources.yaml': `${head}${sources}\n`,
        'orders.csv': `id,placed,amount\n${early}x,2024-01-01 10:00,${value}\n`,
        'shop.entity.yaml': graph,
      });
      const client = await startLspClient({ folder, initializationOptions: { extended: true, trusted: true } });
      try {
        const uri = await client.open(`${folder}/shop.entity.yaml`, graph);
        const sourcesUri = await client.open(`${folder}/entity-sources.yaml`, `${head}${sources}\n`);
        await client.connection.sendRequest('entityGraph/dataObjects', { uri });
        const outcome: ImportOutcome = await client.connection.sendRequest('entityGraph/import', { uri });
        assert.equal(outcome.status, 'failed');
        const isFailure = ({ message }: Diagnostic): boolean => String(message).startsWith('The last import failed.');
        const [problem] = (await client.diagnostics(sourcesUri, (all) => all.some(isFailure))).filter(isFailure);
        assert.ok(problem);
        assert.ok(String(problem.message).includes(`"${value}" in column amount`));
        const actions: readonly CodeAction[] = await client.connection.sendRequest('textDocument/codeAction', {
          ...{ textDocument: { uri: sourcesUri }, range: problem.range, context: { diagnostics: [problem] } },
        });
        const action = actions.find(({ title }) => title === `Declare "amount" of orders.csv as ${type}`);
        const [edit, ...others] = (action?.edit?.documentChanges ?? []).flatMap((change) =>
          'edits' in change ? change.edits : [],
        );
        assert.ok(edit && 'newText' in edit && others.length === 0, JSON.stringify(actions));
        const line = `  shop: ${sources}`;
        const { start, end } = edit.range;
        assert.deepEqual([start.line, end.line], [2, 2]);
        assert.equal(line.slice(0, start.character) + edit.newText + line.slice(end.character), `  shop: ${fixed}`);
        await client.edit(sourcesUri, sources, fixed);
        await client.diagnostics(sourcesUri, (all) => !all.some(isFailure));
        const again: ImportOutcome = await client.connection.sendRequest('entityGraph/import', { uri });
        assert.equal(again.status, 'imported');
      } finally {
        await client.close();
        await removeFolder(folder);
      }
    });
  }
});
