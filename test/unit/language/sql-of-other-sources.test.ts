import assert from 'node:assert/strict';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { combineCatalogs } from '../../../server/src/project/combine-catalogs.ts';
import { sqlValidatorsOf } from '../../../server/src/sql/sql-validator-of.ts';
import { catalog as shop } from './shop-catalog.ts';

describe('SQL of elements of another data source', () => {
  const { sources } = parseDataSources(`version: 1
dataSources:
  files: { kind: csv, path: "*.csv" }
  shop: { kind: postgresql, database: shop, user: u, password: "\${secret:shop}" }
  store: { kind: mysql, database: store, user: u, password: "\${secret:store}" }
`);
  const store = { ...shop, dataSource: 'store', kind: 'mysql', dialect: 'mysql' } as const;

  /** The code and the text of each problem of SQL. */
  async function problems(source: 'shop' | 'store', where: string, isKnown: boolean): Promise<readonly string[]> {
    const text = `version: 1
dataSource: files
elements:
  - activityName: Place Order
    dataSource: ${source}
    dataObject: orders
    startTimestamp: placed_at
    where: ${where}
`;
    const parsed = parseEntityGraph(text);
    const catalogs = new Map([
      ['shop', shop],
      ['store', store],
    ] as const);
    const catalog = combineCatalogs(parsed.graph, sources, ({ name }) =>
      isKnown ? catalogs.get(name.value as 'shop' | 'store') : undefined,
    );
    const found = validateEntityGraph({
      ...{ text, parsed, sources },
      catalog,
      ...(await sqlValidatorsOf(parsed.graph, sources)),
    });
    return found
      .filter(({ code }) => ['sql-syntax', 'unknown-column', 'unknown-alias', 'sql-error'].includes(code))
      .map(({ code, range }) => `${code} ${text.slice(range.start, range.end)}`);
  }

  it('resolves names in the tables of its own source, in its own dialect', async () => {
    assert.deepEqual(await problems('shop', 'orders.nte = 1', true), ['unknown-column nte']);
    assert.deepEqual(await problems('store', "'`orders`.`nte` = 1'", true), ['unknown-column `nte`']);
  });

  it('is parsed by the parser of its own dialect', async () => {
    assert.deepEqual(await problems('shop', 'note = = 1', true), ['sql-syntax =']);
    assert.deepEqual(await problems('store', "'`note` <=> NULL # why'", true), []);
  });

  it('has no problems while its catalog is unknown', async () => {
    assert.deepEqual(await problems('store', "'`orders`.`nte` = 1'", false), []);
  });
});
