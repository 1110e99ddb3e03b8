import assert from 'node:assert/strict';
import { createEntryMemo } from '../../../server/src/language/checks/entry-memo.ts';
import { createDiagnosedGraphs } from '../../../server/src/lsp/diagnosed-graphs.ts';
import type { GraphContext } from '../../../server/src/lsp/graph-contexts.ts';
import type { OpenGraph } from '../../../server/src/lsp/open-documents.ts';
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
  ...{ parsed: createGraphParser().parse(text, undefined), memo: createEntryMemo() },
};
describe('what is wrong with open graphs', () => {
  // Loading PostgreSQL's parser takes longer than reading a catalog that is kept in a file.
  const changes: readonly (readonly [what: string, before: GraphContext])[] = [
    ['catalog', { sources }],
    ['sources file', {}],
  ];
  for (const [what, before] of changes) {
    it(`a ${what} that came while a judge of the SQL was loaded is used`, async () => {
      let known = before;
      const graphs = createDiagnosedGraphs({
        documents: { get: () => document },
        contexts: {
          of() {
            const told = known;
            known = { sources, catalog };
            return told;
          },
        },
        duckdbJudge: () => [],
      });
      const found = await graphs.of(uri);
      assert.ok(found?.known.sqlJudge);
      assert.deepEqual(
        found.problems.map(({ code }) => code),
        ['unknown-column'],
      );
    });
  }
});
