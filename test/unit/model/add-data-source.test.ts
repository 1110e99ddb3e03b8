import assert from 'node:assert/strict';
import { addDataSource } from '../../../server/src/model/edits/add-data-source.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';

describe('addDataSource', () => {
  const settings = { kind: 'csv', path: ['a.csv', 'b.csv'] };
  const cases: readonly (readonly [what: string, before: string, after: string])[] = [
    [
      'makes a file of nothing',
      '',
      'version: 1\ndataSources:\n  files:\n    kind: csv\n    path:\n      - a.csv\n      - b.csv\n',
    ],
    [
      'adds to a block, and keeps comments',
      '# ours\nversion: 1\ndataSources:\n  shop: # the shop\n    kind: postgresql\n    database: shop # main\n    user: me\n',
      '# ours\nversion: 1\ndataSources:\n  shop: # the shop\n    kind: postgresql\n    database: shop # main\n    user: me\n  files:\n    kind: csv\n    path: [a.csv, b.csv]\n',
    ],
    [
      'starts the list',
      'version: 1\n',
      'version: 1\ndataSources:\n  files:\n    kind: csv\n    path: [a.csv, b.csv]\n',
    ],
  ];
  for (const [what, before, after] of cases) {
    it(what, () => {
      const outcome = addDataSource(before, 'files', settings);
      assert.ok('edits' in outcome, JSON.stringify(outcome));
      assert.equal(applyEdits(before, outcome.edits), after);
    });
  }

  it('refuses an existing name, and an unreadable file', () => {
    const refusal = (text: string): string => {
      const outcome = addDataSource(text, 'files', settings);
      return 'refusal' in outcome ? outcome.refusal : '';
    };
    assert.match(refusal('version: 1\ndataSources:\n  files: { kind: csv, path: x.csv }\n'), /named files already/);
    assert.match(refusal('version: [1\n'), /cannot be read/);
  });
});
