import assert from 'node:assert/strict';
import { createEntryCache } from '../../../server/src/language/checks/entry-cache.ts';
import { createValidatedGraphs } from '../../../server/src/lsp/diagnostics/validated-graphs.ts';
import { importedExpectations } from '../../../server/src/language/imported-expectations.ts';
import type { GraphContext } from '../../../server/src/language/graph-context.ts';
import type { OpenGraph } from '../../../server/src/lsp/documents/open-documents.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { createLineIndex } from '../../../server/src/model/line-index.ts';
import { catalog, sources } from '../language/shop-catalog.ts';

const text = `version: 1
dataSource: shop
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_on
`;
const uri = 'file:///o.entity.yaml';
const document: OpenGraph = {
  ...{ kind: 'graph', uri, version: 1, isNew: true, cameAt: 0, text, lines: createLineIndex(text) },
  ...{ parsed: createGraphParser().parse(text, undefined), memo: createEntryCache() },
};
/** A graph with as many elements, by the text of the one at a place. */
function graphWith(count: number, entry: (index: number) => string): OpenGraph {
  const whole = `${text.split('  - ')[0]}${Array.from({ length: count }, (_, index) => entry(index)).join('')}`;
  return {
    ...{ ...document, text: whole, lines: createLineIndex(whole) },
    ...{ parsed: createGraphParser().parse(whole, undefined), memo: createEntryCache() },
  };
}

const duckdb = { validator: () => [], answerCount: 0 };

describe('diagnostics of open graphs', () => {
  // Loading PostgreSQL's parser takes longer than reading a cached catalog.
  const changes: readonly (readonly [what: string, before: GraphContext])[] = [
    ['catalog', { parsed: document.parsed, sources }],
    ['sources file', { parsed: document.parsed }],
  ];
  for (const [what, before] of changes) {
    it(`a ${what} that changed while the SQL validator was loading is used`, async () => {
      let known = before;
      const graphs = createValidatedGraphs({
        documents: { get: () => document, whenRead: () => Promise.resolve(document) },
        contexts: {
          of() {
            const told = known;
            known = { parsed: document.parsed, sources, catalog };
            return told;
          },
          searched: () => Promise.resolve(),
          importResultsRead: () => Promise.resolve(),
        },
        duckdb,
      });
      const found = await graphs.of(uri);
      assert.ok(found?.known.sqlValidator);
      assert.deepEqual(
        found.problems.map(({ code }) => code),
        ['unknown-column'],
      );
    });
  }

  it('known problems are returned when time is short, those at a position always', async () => {
    const entry = (index: number): string =>
      `  - activityName: Order ${index}\n    dataObject: orders\n    key: id\n    startTimestamp: ${index % 100 === 0 ? 'placed_on' : 'placed_at'}\n`;
    const large = graphWith(5001, entry);
    const graphs = createValidatedGraphs({
      documents: { get: () => large, whenRead: () => Promise.resolve(large) },
      contexts: {
        of: () => ({ parsed: large.parsed, sources, catalog }),
        searched: () => Promise.resolve(),
        importResultsRead: () => Promise.resolve(),
      },
      duckdb,
    });
    const last = { start: large.text.lastIndexOf('placed_on'), end: large.text.lastIndexOf('placed_on') };
    const part = await graphs.soon(uri, 0, { urgent: last });
    assert.equal(part?.isPart, true);
    assert.ok(part.problems.length < 51, `${part.problems.length} were told`);
    assert.ok(part.problems.some(({ code, range }) => code === 'unknown-column' && range.start === last.start));
    const whole = await graphs.soon(uri, 600_000, { urgent: last });
    assert.equal(whole?.isPart, false);
    assert.deepEqual(
      whole.problems.map(({ code }) => code),
      Array.from({ length: 51 }, () => 'unknown-column'),
    );
  });

  it('a catalog that arrives during the first check of all entries does not delay problems that need no source', async () => {
    const misspelt = (index: number): string => (index % 2000 === 0 ? 'entityTypo' : 'entityType');
    const entry = (index: number): string =>
      `  - { activityName: Order ${index}, dataObject: orders, key: id, ${misspelt(index)}: order, startTimestamp: placed_on }\n`;
    const large = graphWith(2001, entry);
    const arrived = { parsed: large.parsed, sources, catalog };
    let context: GraphContext = { parsed: large.parsed, sources };
    const graphs = createValidatedGraphs({
      documents: { get: () => large, whenRead: () => Promise.resolve(large) },
      contexts: { of: () => context, searched: () => Promise.resolve(), importResultsRead: () => Promise.resolve() },
      duckdb,
    });
    // The check has begun when the problem of the first entry is known.
    let part = await graphs.soon(uri, 0, { which: 'first' });
    while (part?.problems.length === 0) part = await graphs.soon(uri, 0, { which: 'first' });
    assert.equal(part?.isPart, true);
    context = arrived;
    const found = await graphs.first(uri);
    const codes = new Set(found?.problems.map(({ code }) => code));
    assert.ok(codes.has('schema-unknown-property'));
    assert.ok(!codes.has('unknown-column'), 'the entries were checked anew before anything was told');
    assert.equal(found?.isOutdated, true);
    const again = await graphs.first(uri);
    assert.deepEqual(again?.problems, found.problems);
    const latest = await graphs.of(uri);
    assert.equal(latest?.isOutdated, false);
    assert.equal(latest.problems.filter(({ code }) => code === 'unknown-column').length, 2001);
  });

  it('reports after the first check why the catalog could not be read during it', async () => {
    const entry = (index: number): string =>
      `  - { activityName: Order ${index}, dataObject: orders, key: id, startTimestamp: placed_on }\n`;
    const large = graphWith(10_001, entry);
    let context: GraphContext = { parsed: large.parsed, sources };
    const graphs = createValidatedGraphs({
      documents: { get: () => large, whenRead: () => Promise.resolve(large) },
      contexts: { of: () => context, searched: () => Promise.resolve(), importResultsRead: () => Promise.resolve() },
      duckdb,
    });
    const part = await graphs.soon(uri, 0, { which: 'first' });
    assert.equal(part?.isPart, true);
    context = { parsed: large.parsed, sources, catalogUnknownBecause: 'The server refused the connection.' };
    const first = await graphs.first(uri);
    assert.equal(first?.isOutdated, true);
    const latest = await graphs.of(uri);
    assert.equal(latest?.isOutdated, false);
    assert.ok(latest.problems.some(({ message }) => message.includes('refused the connection')));
  });

  it('a result is outdated as soon as DuckDB has validated SQL', async () => {
    let answerCount = 0;
    const graphs = createValidatedGraphs({
      documents: { get: () => document, whenRead: () => Promise.resolve(document) },
      contexts: {
        of: () => ({ parsed: document.parsed, sources, catalog }),
        searched: () => Promise.resolve(),
        importResultsRead: () => Promise.resolve(),
      },
      duckdb: {
        validator: () => [],
        get answerCount() {
          return answerCount;
        },
      },
    });
    await graphs.first(uri);
    assert.equal((await graphs.first(uri))?.isOutdated, false);
    answerCount += 1;
    assert.equal((await graphs.first(uri))?.isOutdated, true);
  });

  it('reports the findings of the last import when time is short', async () => {
    const entry = (index: number): string =>
      `  - { activityName: Order ${index}, dataObject: orders, key: id, startTimestamp: placed_at, expect: { rows: 9 } }\n`;
    const large = graphWith(2001, entry);
    const found = { element: 'Order 2000', expectation: 'rows', index: 0, columns: [], judged: 8, broken: 1 } as const;
    const expectations = [{ ...found, holds: false, warning: '"Order 2000" has 8 rows, but 9 are expected.' }];
    const context = {
      ...{ parsed: large.parsed, sources, catalog },
      importedExpectations: importedExpectations(large.text, expectations),
    };
    const graphs = createValidatedGraphs({
      documents: { get: () => large, whenRead: () => Promise.resolve(large) },
      contexts: {
        of: () => context,
        searched: () => Promise.resolve(),
        importResultsRead: () => Promise.resolve(),
      },
      duckdb,
    });
    const part = await graphs.soon(uri, 0);
    assert.equal(part?.isPart, true);
    const places = part.problems.filter(({ code }) => code === 'expectation-broken').map(({ range }) => range.start);
    assert.deepEqual(places, [large.text.lastIndexOf('9 }')]);
  });
});
