import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { exploreSend, exploreSource } from '../../server/src/operations/platform/api-explorer.ts';
import { diagnoseSource } from '../../server/src/operations/sources/diagnose-source.ts';
import { importGraph } from '../../server/src/operations/imports/import-graph.ts';
import {
  connectorOf,
  findSource,
  readGraphFile,
  readSourcesFile,
  type ProjectContext,
  type SourcesFile,
} from '../../server/src/project/open-project.ts';
import type { DataSource } from '../../server/src/model/data-sources.ts';
import { startPagedService, type PagedService } from '../simulator/paged-service.ts';
import { makeCertificates, makeClientCertificate } from '../support/certificates.ts';
import { fileQuery } from '../support/csv-source.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';

const graph = `version: 1
name: T
dataSource: api
elements:
  - { activityName: A, dataObject: by-offset, startTimestamp: at, properties: [amount] }
`;

/** The steps of a user with a source. */
interface Use {
  readonly file: SourcesFile;
  readonly source: DataSource;
  readonly projectContext: ProjectContext;
}

const signal = new AbortController().signal;

async function withConnector<T>(
  { file, source, projectContext }: Use,
  use: (connector: Connector) => Promise<T>,
): Promise<T> {
  const connector = await connectorOf(file, source, projectContext);
  return use(connector).finally(() => connector.close());
}

/** One row per way to the service, whose settings have a document at its address, and the result. */
const ways: readonly (readonly [what: string, go: (use: Use) => Promise<unknown>, gives: unknown])[] = [
  [
    'discovery, and the OpenAPI document',
    (use) => withConnector(use, async (connector) => (await connector.describe({})).objects.map(({ name }) => name)),
    ['by-page', 'by-offset'],
  ],
  [
    'a preview',
    (use) =>
      withConnector(use, async (connector) => {
        const query = fileQuery('SELECT id FROM "by-offset" ORDER BY id', ['by-offset']);
        return (await connector.preview(query, { limit: 2 })).rows.length;
      }),
    2,
  ],
  [
    'an import',
    async ({ file, projectContext }) => {
      const graphFile = await readGraphFile(
        file.path.replace('entity-sources.yaml', 'graph.entity.yaml'),
        projectContext,
      );
      const outcome = await importGraph(graphFile, projectContext, { onProgress: () => undefined, signal });
      if (outcome.status !== 'imported') throw Object.assign(new Error(outcome.error.message), outcome.error);
      return outcome.elements[0]?.rows;
    },
    25,
  ],
  [
    'the endpoints of the API explorer',
    async ({ file, source, projectContext }) =>
      (await exploreSource(file, source, projectContext)).endpoints.map(({ path }) => path),
    ['/by-page', '/by-offset', '/by-id/{id}'],
  ],
  [
    'a request of the API explorer',
    async ({ file, source, projectContext }) =>
      (
        await exploreSend(
          file,
          source,
          { method: 'GET', path: '/by-page', parameters: [], body: '' },
          projectContext,
          signal,
        )
      ).status,
    200,
  ],
  [
    'Diagnose Data Source',
    async ({ file, projectContext }) => {
      const { checks } = await diagnoseSource(file, 'api', projectContext, { signal });
      const failed = checks.find(({ state }) => state === 'failed');
      if (failed)
        throw Object.assign(new Error(failed.message), {
          code: failed.name === 'Encryption' ? 'tls-failed' : failed.name,
        });
      return checks.map(({ name, state }) => `${name} ${state}`);
    },
    ['Settings ok', 'Network ok', 'Data Objects ok', 'Rows ok'],
  ],
];

describe('REST source › client certificate', () => {
  let folder = '';
  let service: PagedService;

  before(async function () {
    this.timeout(600_000);
    folder = await folderWith({ 'graph.entity.yaml': graph });
    const { authority, certificate: cert, key } = makeCertificates(folder, 'localhost');
    makeClientCertificate(folder, { passphrase: 'pw 1' });
    const tls = { cert, key, ca: readFileSync(authority, 'utf8') };
    service = await startPagedService(25, 10, { accepts: () => true, tls });
  });
  after(async () => {
    await service.close();
    await removeFolder(folder);
  });

  async function useWith(settings: object): Promise<Use> {
    const api = {
      ...{ kind: 'rest', baseUrl: service.url, openapi: `${service.url}/openapi.json` },
      ...{ endpoints: [{ name: 'by-page', path: '/by-page', key: ['id'], pagination: { style: 'page' } }] },
      ...settings,
    };
    await writeFiles(folder, { 'entity-sources.yaml': stringify({ version: 1, dataSources: { api } }) });
    const projectContext: ProjectContext = {
      permitUses: permitAllUses,
      readSecret: async (name) => (name === 'passphrase' ? 'pw 1' : undefined),
      environment: {},
      workspaceFolderOf: () => folder,
    };
    const file = await readSourcesFile(join(folder, 'entity-sources.yaml'), projectContext);
    return { file, source: findSource(file, 'api'), projectContext };
  }

  for (const [what, go, gives] of ways) {
    it(`is presented by ${what}`, async () => {
      const auth = {
        kind: 'mtls',
        cert: 'client.pem',
        key: 'client.key',
        ca: 'ca.pem',
        passphrase: '${secret:passphrase}',
      };
      assert.deepEqual(await go(await useWith({ auth })), gives);
    });

    it(`its absence is explained where ${what} has none`, async () => {
      await assert.rejects(go(await useWith({ ca: 'ca.pem' })), {
        code: 'tls-failed',
        message: `${new URL(service.url).host} wants a client certificate, and was given none.`,
      });
    });
  }
});
