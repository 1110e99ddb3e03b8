import assert from 'node:assert/strict';
import { createEntryCache } from '../../../server/src/language/checks/entry-cache.ts';
import type { GraphContext } from '../../../server/src/language/graph-context.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import type { OpenGraph } from '../../../server/src/lsp/documents/open-documents.ts';
import { createLastFixes } from '../../../server/src/lsp/features/last-fixes.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { createLineIndex } from '../../../server/src/model/line-index.ts';
import { catalog, sources } from '../language/shop-catalog.ts';

const text = `version: 1
dataSource: shop
elements:
  - { activityName: A, dataObject: orders, kez: id }
`;

function opened(version: number): OpenGraph {
  const parsed = createGraphParser().parse(text);
  const lines = createLineIndex(text);
  return {
    ...{ kind: 'graph', uri: 'file:///o.entity.yaml', version, isNew: false, cameAt: 0 },
    ...{ text, lines, parsed, memo: createEntryCache() },
  };
}

describe('cached fixes of the last position', () => {
  it('are computed once for a version, a catalog and its problems', () => {
    let made = 0;
    const counting: typeof fixesOf = (problem, known) => {
      made += 1;
      return fixesOf(problem, known);
    };
    const lastFixes = createLastFixes();
    const titles = (document: OpenGraph, more: Partial<GraphContext> = {}, code?: string): readonly string[] => {
      const known = { parsed: document.parsed, sources, catalog, ...more };
      // Validated anew, as each request does.
      const problems = validateEntityGraph({ text, ...known }).filter(
        (each) => code === undefined || each.code === code,
      );
      return lastFixes.of(document, known, problems, counting).flatMap(({ fixes }) => fixes.map(({ title }) => title));
    };
    const document = opened(1);
    const first = titles(document);
    assert.ok(first.includes('Change to "key"'), first.join());
    const once = made;
    assert.deepEqual(titles(document), first);
    assert.equal(made, once);
    titles(opened(2));
    assert.equal(made, 2 * once, 'another version');
    titles(opened(2), { catalog: { ...catalog } });
    assert.equal(made, 3 * once, 'another catalog');
    titles(document, {}, 'schema-unknown-property');
    assert.equal(made, 3 * once + 1, 'other problems');
  });
});
