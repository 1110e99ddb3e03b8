import assert from 'node:assert/strict';
import { storeSnippet } from '../../../server/src/event-graph/store-snippet.ts';

describe('storeSnippet', () => {
  const store = "/data/Anna's graphs/run.duckdb";

  it('DuckDB: the path is a quoted literal', () =>
    assert.match(
      storeSnippet('duckdb', store, 'shop.entity.yaml'),
      /^ATTACH '\/data\/Anna''s graphs\/run\.duckdb' AS graph \(READ_ONLY\);\n/,
    ));

  it('Python and Cypher: a file name with spaces is quoted for the shell', () => {
    for (const kind of ['python', 'cypher'] as const) {
      assert.match(storeSnippet(kind, store, 'my shop.entity.yaml'), / export "my shop\.entity\.yaml" --as /);
      assert.ok(storeSnippet(kind, store, 'a$b`c"d.yaml').includes(' export "a\\$b\\`c\\"d.yaml" --as '));
      assert.match(storeSnippet(kind, store, 'shop.entity.yaml'), / export shop\.entity\.yaml --as /);
    }
  });

  it('path: the store itself', () => assert.equal(storeSnippet('path', store, 'shop.entity.yaml'), store));
});
