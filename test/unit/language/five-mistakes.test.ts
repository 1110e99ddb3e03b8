import assert from 'node:assert/strict';
import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import {
  type DuckDbValidator,
  openDuckDbValidator,
} from '../../../server/src/operations/validation/duckdb-validator.ts';
import { loadPostgresqlValidator } from '../../../server/src/sql/postgresql-validator.ts';
import type { SqlValidator } from '../../../server/src/language/sql/sql-validator.ts';
import { withRanges } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const files: Catalog = {
  ...catalog,
  dataSource: 'files',
  kind: 'csv',
  dialect: 'duckdb',
  objects: catalog.objects.map((object) => ({ ...object, path: [object.name] })),
};

const good = `  - activityName: Good
    dataObject: orders
    startTimestamp: placed_at
`;

/** Several unlike mistakes; each must be reported although the others are there. The rules are listed in text order. */
const cases: readonly (readonly [name: string, marked: string, ...codes: string[]])[] = [
  [
    'an element with five different mistakes',
    `elements:
  - activityName: ‹|A|›
    dataObject: orders
    key: ‹|idd|›
    changeTimestamp: ‹|customer_id|›
    properties: [‹|nte|›]
    where: ‹|custmer_id|› > 1
`,
    ...['element-unconfigured', 'unknown-column', 'timestamp-type', 'unknown-column', 'unknown-column'],
  ],
  [
    'an element without start whose data object has no primary key',
    `elements:
  - activityName: ‹|‹|A|›|›
    dataObject: customers
    properties: [‹|nam|›]
`,
    ...['element-unconfigured', 'missing-key', 'unknown-column'],
  ],
  [
    'an element without activity name',
    `elements:
  - ‹|dataObject: orders|›
    startTimestamp: placed_at
    sequence: ‹|nr|›
`,
    ...['element-unconfigured', 'unknown-column'],
  ],
  [
    'a missing start timestamp beside a key without a meaning',
    `elements:
  - activityName: ‹|A|›
    dataObject: orders
    ‹|colour|›: red
`,
    ...['element-unconfigured', 'schema-unknown-property'],
  ],
  [
    'a missing start timestamp beside a correlation without key',
    `elements:
  - activityName: ‹|A|›
    dataObject: orders
    correlatesWith: [‹|{ entityType: customer }|›]
`,
    ...['element-unconfigured', 'schema-missing-property'],
  ],
  [
    'a missing start timestamp beside a malformed value',
    `elements:
  - activityName: ‹|A|›
    dataObject: orders
    where: ‹|5|›
`,
    ...['element-unconfigured', 'schema-type'],
  ],
  [
    'two names in one filter',
    `elements:
  - activityName: A
    dataObject: orders
    startTimestamp: placed_at
    where: ‹|nte|› IS NULL AND orders.‹|custmer_id|› > 1 AND ‹|ordrs|›.id = 1
`,
    ...['unknown-column', 'unknown-column', 'unknown-alias'],
  ],
  [
    'a filter that cannot be read, and a computed time with an unknown name',
    `elements:
  - activityName: A
    dataObject: orders
    startTimestamp: { expression: "‹|plced_at|›" }
    where: id > ‹|>|› 5 5
`,
    ...['unknown-column', 'sql-syntax'],
  ],
  [
    'joins with an unknown column, and a filter with another',
    `elements:
  - activityName: A
    dataObject: orders
    startTimestamp: placed_at
    joins: JOIN customers AS c ON c.‹|idd|› = orders.id
    where: c.‹|nam|› IS NULL
`,
    ...['unknown-column', 'unknown-column'],
  ],
  [
    'a filter that closes an outer parenthesis, and joins with an unknown column',
    `elements:
  - activityName: A
    dataObject: orders
    startTimestamp: placed_at
    joins: JOIN customers AS c ON c.‹|idd|› = orders.id
    where: ‹|(|›id = 1
`,
    ...['unknown-column', 'sql-not-contained'],
  ],
  [
    'a mapping with an unknown column, and one of different types',
    `elements:
${good}relationships:
  - source: Good
    target: Good
    mappings:
      - { source: ‹|idd|›, target: id }
      - ‹|{ source: id, operator: <, target: note }|›
`,
    ...['unknown-column', 'type-mismatch'],
  ],
  [
    'an incomplete cross table with an unknown column',
    `elements:
${good}relationships:
  - source: Good
    target: Good
    crossTable: ‹|{ dataObject: customers, sourceMappings: [{ source: id, cross: ‹|idd|› }] }|›
`,
    ...['incomplete-cross-table', 'unknown-column'],
  ],
  [
    'an unknown end, and an unknown column at the other end',
    `elements:
${good}relationships:
  - source: Good
    target: ‹|Bad|›
    mappings: [{ source: ‹|idd|›, target: id }]
`,
    ...['unknown-activity', 'unknown-column'],
  ],
  [
    'keys of two widths beside a key without a meaning',
    `elements:
${good}  - activityName: B
    dataObject: customers
    entityType: orders
    key: [‹|id|›, name]
    startTimestamp: since
    ‹|colour|›: red
`,
    ...['key-width', 'schema-unknown-property'],
  ],
  [
    'an entry of entities with three mistakes',
    `elements:
${good}entities:
  - entityType: ‹|customer|›
    dataObject: customers
    properties: [‹|nam|›]
    where: ‹|snce|› IS NULL
`,
    ...['missing-key', 'unknown-column', 'unknown-column'],
  ],
];

describe('one mistake hides no other', () => {
  let postgresql: SqlValidator;
  let duckdb: DuckDbValidator;
  before(async () => {
    postgresql = await loadPostgresqlValidator();
    duckdb = openDuckDbValidator();
  });
  after(() => duckdb.close());

  for (const [name, marked, ...codes] of cases) {
    it(`in PostgreSQL's dialect: ${name}`, () => {
      const { text, ranges } = withRanges(`version: 1\ndataSource: shop\n${marked}`);
      const found = validateEntityGraph({ text, sources, catalog, sqlValidator: postgresql });
      assert.deepEqual(
        found.map(({ code, range }) => [code, range]),
        codes.map((code, index) => [code, ranges[index]]),
      );
    });

    it(`in DuckDB's dialect: ${name}`, async () => {
      const { text, ranges } = withRanges(`version: 1\ndataSource: files\n${marked}`);
      const known = { text, sources, catalog: files, sqlValidator: duckdb.validator };
      let found = validateEntityGraph(known);
      while (duckdb.isPending()) {
        await duckdb.answered();
        found = validateEntityGraph(known);
      }
      assert.deepEqual(
        found.map(({ code, range }) => [code, range]),
        codes.map((code, index) => [code, ranges[index]]),
      );
    });
  }
});
