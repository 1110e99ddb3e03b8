import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { readCachedCatalog, writeCachedCatalog } from '../../../server/src/project/catalog-file.ts';
import { statePaths } from '../../../server/src/state/state-folder.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

describe('catalog cache', () => {
  const catalog: Catalog = {
    ...{ dataSource: 'shop', kind: 'csv', dialect: 'duckdb', objects: [], complete: true, warnings: [] },
    readAt: '2026-01-01T00:00:00Z',
  };
  const [source] = parseDataSources('version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n').sources.sources;
  let folder = '';

  beforeEach(async () => {
    folder = await folderWith({});
  });
  afterEach(() => removeFolder(folder));

  it('returns what was written', async () => {
    assert.ok(source);
    await writeCachedCatalog(folder, source, {}, catalog);
    assert.deepEqual(await readCachedCatalog(folder, source, {}), catalog);
  });

  it('ignores a catalog of an unknown dialect', async () => {
    assert.ok(source);
    await writeCachedCatalog(folder, source, {}, catalog);
    const path = statePaths.catalog(folder, 'shop');
    await writeFile(path, (await readFile(path, 'utf8')).replace('"duckdb"', '"oracle"'));
    assert.equal(await readCachedCatalog(folder, source, {}), undefined);
  });

  describe('environment variables', () => {
    const written =
      'version: 1\ndataSources:\n  shop: { kind: mysql, host: "${env:SHOP_HOST}", database: shop, user: reader, password: "${env:SHOP_PASSWORD}" }\n';
    const [shop] = parseDataSources(written).sources.sources;
    const environment = { SHOP_HOST: 'test.example', SHOP_PASSWORD: 'hunter2' };
    const ofShop: Catalog = { ...catalog, kind: 'mysql', dialect: 'mysql' };

    it('a catalog is valid only for the values with which it was read', async () => {
      assert.ok(shop);
      await writeCachedCatalog(folder, shop, environment, ofShop);
      assert.deepEqual(await readCachedCatalog(folder, shop, environment), ofShop);
      assert.equal(await readCachedCatalog(folder, shop, { ...environment, SHOP_HOST: 'live.example' }), undefined);
    });

    it('a catalog stays valid without the variables, and with another password', async () => {
      assert.ok(shop);
      await writeCachedCatalog(folder, shop, environment, ofShop);
      assert.deepEqual(await readCachedCatalog(folder, shop, {}), ofShop);
      assert.deepEqual(await readCachedCatalog(folder, shop, { ...environment, SHOP_PASSWORD: 'other' }), ofShop);
    });

    it('no part of a password is written', async () => {
      assert.ok(shop);
      await writeCachedCatalog(folder, shop, environment, ofShop);
      const file = JSON.parse(await readFile(statePaths.catalog(folder, 'shop'), 'utf8')) as { variables: object };
      assert.deepEqual(Object.keys(file.variables), ['SHOP_HOST']);
    });

    it('passwords and keys in an address do not affect the catalog, while host and user do', async () => {
      const [api] = parseDataSources(
        'version: 1\ndataSources:\n  api: { kind: rest, baseUrl: "${env:API}", endpoints: [] }\n',
      ).sources.sources;
      assert.ok(api);
      const ofApi: Catalog = { ...catalog, dataSource: 'api', kind: 'rest' };
      const at = (address: string) => ({ API: address });
      const first = at('https://bob:hunter2@test.example/v1?api_key=hunter3&page=1');
      await writeCachedCatalog(folder, api, first, ofApi);
      for (const same of ['https://bob:x@y@test.example/v1?api_key=z&page=1', first.API])
        assert.deepEqual(await readCachedCatalog(folder, api, at(same)), ofApi, same);
      for (const other of [
        'https://bob:hunter2@live.example/v1?api_key=hunter3&page=1',
        first.API.replace('bob', 'al'),
      ])
        assert.equal(await readCachedCatalog(folder, api, at(other)), undefined, other);
    });

    it('values are salted: the same value is written differently each time', async () => {
      assert.ok(shop);
      const written = async (): Promise<unknown> => {
        await writeCachedCatalog(folder, shop, environment, ofShop);
        return JSON.parse(await readFile(statePaths.catalog(folder, 'shop'), 'utf8'));
      };
      const variables = [await written(), await written()].map((file) => (file as { variables: object }).variables);
      assert.notDeepEqual(variables[0], variables[1]);
    });
  });
});
