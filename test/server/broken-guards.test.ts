import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { csvSources, graphText } from '../support/import-text.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const graph = `${graphText(
  `  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at }
  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since }
`,
  '  - { name: places, source: Win, target: Place, mappings: [{ source: id, target: customer }] }\n',
)}guards:
  - { element: Place, losesAtMost: 10%, severity: error }
  - { relationship: places, unmatchedAtMost: 25% }
`;
const rows = (count: number): string =>
  `id,customer,at\n${Array.from({ length: count }, (_, id) => `${id},7,2024-01-02\n`).join('')}`;
const lost = 'Place has 10 events, 20 before: 50 % fewer, and its guard allows 10 %.';
const unmatched = 'places: 1 of 2 entities of Win has no partner (50 %), and its guard allows 25 %.';

describe('language server: broken guards', () => {
  let folder: string;
  let client: LspClient;
  let uri: string;

  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'shop.entity.yaml': graph,
      'orders.csv': rows(20),
      'customers.csv': 'id,since\n7,2024-01-01\n8,2024-01-01\n',
    });
    client = await startLspClient({ folder, initializationOptions: { extended: true, trusted: true } });
    uri = await client.open(`${folder}/shop.entity.yaml`, graph);
    await client.diagnostics(uri, (found) => found.length === 0);
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  const importNow = (acceptsGuards = false): Promise<unknown> => {
    const request = { kind: 'build', ...(acceptsGuards && { acceptsGuards }) };
    return client.connection.sendRequest('entityGraph/import', { uri, request });
  };
  /** The problems, once there are so many of guards. */
  const problems = async (count: number): Promise<readonly (readonly unknown[])[]> => {
    const found = await client.diagnostics(uri, (all) => all.filter(({ code }) => code === 'guard-broken').length === count); // prettier-ignore
    return found.map(({ code, severity, range, message }) => [code, severity, range.start.line, message]);
  };
  const [element, relationship] = [1, 2].map((after) => graph.split('\n').indexOf('guards:') + after);

  it('are problems at their names after an import that they stopped, and after one that was published', async () => {
    await importNow();
    assert.deepEqual(await problems(0), []);
    await importNow();
    const ofRelationship = ['guard-broken', 2, relationship, `The last import found: ${unmatched}`];
    assert.deepEqual(await problems(1), [ofRelationship]);
    await writeFile(join(folder, 'orders.csv'), rows(10));
    await importNow();
    const stopped = ['guard-broken', 1, element, `The last import was stopped: ${lost}`];
    assert.deepEqual(await problems(2), [stopped, ofRelationship]);
    // A guard that asks for something else has not been judged.
    await client.edit(uri, 'losesAtMost: 10%', 'losesAtMost: 60%');
    assert.deepEqual(await problems(1), [ofRelationship]);
    await client.edit(uri, 'losesAtMost: 60%', 'losesAtMost: 10%');
    await problems(2);
    await importNow(true);
    const accepted = ['guard-broken', 2, element, `The last import found: ${lost}`];
    const all = await client.diagnostics(uri, (found) => found.some(({ message }) => String(message) === `The last import found: ${lost}`)); // prettier-ignore
    assert.deepEqual(all.map(({ message }) => message), [accepted[3], ofRelationship[3]]); // prettier-ignore
    await importNow();
    assert.deepEqual(await problems(1), [ofRelationship]);
  });
});
