import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TextComparison } from '../../protocol/compared-canvas.ts';
import type { Outcome, TestQueryResult } from '../../protocol/query-results.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const graph = graphText(
  `  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at, properties: [amount] }
  - { activityName: Ship, dataObject: parcels, key: id, entityType: parcel, startTimestamp: at }
`,
);
const edited = graph
  .replace('startTimestamp: at, properties', 'startTimestamp: at, where: amount > 4, properties')
  .replace('startTimestamp: at }', "startTimestamp: at, where: id <> '9' }");

describe('language server: rows behind the numbers of a comparison', () => {
  let folder = '';
  let temporary = '';
  let client: LspClient | undefined;
  const uri = (name: string): string => pathToFileURL(join(folder, name)).href;

  before(async () => {
    temporary = await folderWith({});
    folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'base.yaml': graph,
      'graph.entity.yaml': edited,
      'orders.csv': 'id,at,amount\n1,2024-01-02,5\n2,2024-01-03,6\n3,2024-01-04,3\n',
      'parcels.csv': 'id,at\n8,2024-01-05\n9,2024-01-06\n',
    });
    const initializationOptions = { trusted: true, extended: true };
    client = await startLspClient({ folder, initializationOptions, env: { TMPDIR: temporary } });
    await client.open(join(folder, 'graph.entity.yaml'), edited);
  });
  after(async () => {
    await client?.close();
    await removeFolder(folder);
    await removeFolder(temporary);
  });

  const kept = async (): Promise<readonly string[]> =>
    (await readdir(temporary)).filter((name) => name.startsWith('entity-graph-effect'));
  const ask = <T>(method: string, params: object): Promise<Outcome<T>> => {
    assert.ok(client);
    return client.connection.sendRequest(`entityGraph/${method}`, { uri: uri('graph.entity.yaml'), ...params });
  };
  const compare = async (): Promise<TextComparison> => {
    const outcome = await ask<TextComparison>('compareTexts', { base: join(folder, 'base.yaml') });
    assert.ok(outcome.ok, JSON.stringify(outcome));
    return outcome.value;
  };
  const gone = async (edits?: number): Promise<unknown> => {
    const of = { part: 'events', kind: 'gone', limit: 10, ...(edits !== undefined && { edits }) };
    const outcome = await ask<TestQueryResult>('comparedRows', of);
    if (!outcome.ok) return outcome.error.message;
    const place = outcome.value.columns.findIndex(({ name }) => name === 'key');
    return outcome.value.rows.map((row) => [row[0], row[place]]);
  };

  it('are those of all edits, and of each alone, until the comparison is stopped', async () => {
    assert.equal(await gone(), 'The graphs of this comparison are not there any more.');
    const { effect } = await compare();
    const titles = effect.attribution?.parts.map(({ edits }) => edits[0]?.title);
    assert.deepEqual(titles, ['Place · where', 'Ship · where']);
    const [place, ship] = [['Place', '3'], ['Ship', '9']]; // prettier-ignore
    assert.deepEqual([await gone(), await gone(0), await gone(1)], [[place, ship], [place], [ship]]);
    assert.equal(await gone(2), 'The graphs of this comparison are not there any more.');
    assert.equal((await kept()).length, 1);
    await ask('stopComparing', {});
    assert.equal(await gone(), 'The graphs of this comparison are not there any more.');
    await waitUntil('the graphs are deleted', async () => ((await kept()).length === 0 ? true : undefined));
  });

  it('are those of the last comparison, whose graphs are the only ones, and none are left on exit', async () => {
    await compare();
    const [first] = await kept();
    await writeFile(join(folder, 'base.yaml'), graph.replace('startTimestamp: at }', "startTimestamp: at, where: id <> '9' }")); // prettier-ignore
    const { effect } = await compare();
    assert.equal(effect.attribution?.parts.length, 1);
    assert.deepEqual([await gone(), await gone(0)], [[['Place', '3']], [['Place', '3']]]);
    await waitUntil('the earlier graphs are deleted', async () =>
      (await kept()).includes(first ?? '') ? undefined : true,
    );
    assert.equal((await kept()).length, 1);
    await client?.close();
    client = undefined;
    assert.deepEqual(await kept(), []);
  });
});
