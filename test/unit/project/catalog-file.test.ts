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

  it('ignores a catalog with a value of another type, wherever it is', async () => {
    assert.ok(source);
    const rich: Catalog = {
      ...catalog,
      objects: [
        {
          ...{ name: 'orders', kind: 'table', path: ['orders'], primaryKey: ['id'], statistics: { columnCount: 1 } },
          columns: [
            {
              ...{ name: 'id', type: 'BIGINT', sense: 'integer', nullable: false, primaryKey: true },
              ...{ samples: ['1'], values: [{ value: '1', label: 'one' }], nullShare: 0 },
              references: { dataObject: 'orders', column: 'id' },
            },
          ],
          foreignKeys: [{ name: 'self', columns: ['id'], references: { dataObject: 'orders', columns: ['id'] } }],
        },
      ],
      unusedSettings: [{ path: ['types'], message: 'No file has x.' }],
    };
    await writeCachedCatalog(folder, source, {}, rich);
    const path = statePaths.catalog(folder, 'shop');
    const text = await readFile(path, 'utf8');
    assert.deepEqual(await readCachedCatalog(folder, source, {}), rich);
    const places = placesIn(rich);
    assert.ok(places.length > 40);
    for (const place of places) {
      const file = JSON.parse(text) as { catalog: unknown };
      for (const other of [7.5, 'x', null, [7], {}]) {
        const changed = withValue(file.catalog, place, other);
        if (
          typeof other === typeof valueAt(rich, place) &&
          Array.isArray(other) === Array.isArray(valueAt(rich, place))
        )
          continue;
        await writeFile(path, JSON.stringify({ ...file, catalog: changed }));
        const read = await readCachedCatalog(folder, source, {});
        assert.equal(read, undefined, `${place.join('.')} is ${JSON.stringify(other)}`);
      }
    }
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

type Place = readonly (string | number)[];

/** The places of all values of a tree, below its root. */
function placesIn(value: unknown): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [[key], ...placesIn(each).map((place) => [key, ...place])]);
}

function valueAt(value: unknown, place: Place): unknown {
  return place.reduce((at, key) => (at as Record<string | number, unknown>)[key], value);
}

function withValue(value: unknown, [key, ...rest]: Place, other: unknown): unknown {
  if (key === undefined) return other;
  const own = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  const members = own as Record<string | number, unknown>;
  members[key] = withValue(members[key], rest, other);
  return own;
}
