import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ApiRequest } from '../../protocol/api-explorer.ts';
import { entryEdit, exploreSend } from '../../server/src/operations/platform/api-explorer.ts';
import { findSource, readSourcesFile, type ProjectContext } from '../../server/src/project/open-project.ts';
import { applyEdits } from '../../server/src/model/edits/text-edit.ts';
import { createConnector } from '../../server/src/connectors/create-connector.ts';
import { startPagedService } from '../simulator/paged-service.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { fileQuery } from '../support/csv-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { noSecrets } from '../support/no-secrets.ts';

/** Sends a request, creates a data object from its list, and counts the records that the source then reads. */
async function countOfExplored(sources: string, source: string, path: string): Promise<number> {
  const folder = await folderWith({ 'entity-sources.yaml': sources });
  const projectContext: ProjectContext = {
    openText: () => undefined,
    ...noSecrets,
    workspaceFolderOf: () => folder,
  };
  try {
    const file = await readSourcesFile(join(folder, 'entity-sources.yaml'), projectContext);
    const request: ApiRequest = { method: 'GET', path, parameters: [], body: '' };
    const { signal } = new AbortController();
    const { list } = await exploreSend(file, findSource(file, source), request, projectContext, signal);
    assert.ok(list, 'a list was found');
    const { edits } = await entryEdit(file, findSource(file, source), request, list);
    const text = applyEdits(sources, edits);
    // JSON stays JSON: a saved file is read by a JSON reader.
    const isJson = sources.startsWith('{');
    if (isJson) assert.doesNotThrow(() => JSON.parse(text));
    const name = isJson ? 'entity-sources.json' : 'entity-sources.yaml';
    const changed = await folderWith({ [name]: text });
    try {
      const now = await readSourcesFile(join(changed, name), projectContext);
      const context = { folder: changed, ...noSecrets };
      const connector = await createConnector(findSource(now, source), context);
      try {
        const { objects } = await connector.describe({});
        const added = objects.at(-1)?.name ?? '';
        return await withBuildDatabase(async (staging) => {
          const pull = await connector.openPull(staging, {});
          try {
            await pull.load(fileQuery(`SELECT count(DISTINCT id) FROM "${added}"`, [added]), 'result', {});
            return Number((await staging.table('SELECT * FROM result')).rows[0]?.[0]);
          } finally {
            await pull.close();
          }
        });
      } finally {
        await connector.close();
      }
    } finally {
      await removeFolder(changed);
    }
  } finally {
    await removeFolder(folder);
  }
}

describe('API explorer › a data object added from a response reads every page', () => {
  /** First requests for 25 orders with at most 10 per page. */
  const paths = [
    '/by-offset?limit=5&offset=0',
    '/by-offset?offset=0',
    '/by-page?page=1',
    '/by-cursor?cursor=',
    '/by-link',
    '/by-address',
    '/by-link?limit=7',
  ];
  for (const path of paths) {
    it(path, async () => {
      const service = await startPagedService(25, 10);
      const settings = `kind: rest, baseUrl: '${service.url}', auth: { kind: apiKey, header: X-Api-Key, token: key-1 }`;
      const first = '{ name: all, path: /all }';
      const sources = `version: 1\ndataSources:\n  api: { ${settings}, endpoints: [${first}] }\n`;
      try {
        assert.equal(await countOfExplored(sources, 'api', path), 25);
      } finally {
        await service.close();
      }
    });
  }

  it('a second list of the same name in a JSON file gets its own name', async () => {
    const service = await startPagedService(25, 10);
    const auth = { kind: 'apiKey', header: 'X-Api-Key', token: 'key-1' };
    const endpoints = [{ name: 'by-page', path: '/all' }];
    const settings = { kind: 'rest', baseUrl: service.url, auth, endpoints };
    try {
      const sources = JSON.stringify({ version: 1, dataSources: { api: settings } }, null, 2);
      assert.equal(await countOfExplored(sources, 'api', '/by-page?page=1'), 25);
    } finally {
      await service.close();
    }
  });

  /** A scripted endpoint with ten items, five of one kind. */
  const scripted = [
    ['/api/x_acme/ops/paged?page=0&size=2', 10],
    ['/api/x_acme/ops/paged?page=0&size=4&kind=even', 5],
    ['/api/x_acme/ops/outages', 10],
  ] as const;
  for (const [path, count] of scripted) {
    it(`${path} of an instance`, async () => {
      const simulator = await startSimulator({ incidents: 5 });
      const { user, password } = simulator.logins;
      const settings = `kind: servicenow, instanceUrl: '${simulator.url}', tables: [incident], auth: { kind: basic, user: ${user}, password: '${password}' }`;
      try {
        const sources = `version: 1\ndataSources:\n  itsm: { ${settings} }\n`;
        assert.equal(await countOfExplored(sources, 'itsm', path), count);
      } finally {
        await simulator.close();
      }
    });
  }
});
