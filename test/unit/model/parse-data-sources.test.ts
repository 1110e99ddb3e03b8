import assert from 'node:assert/strict';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';

describe('parseDataSources with aliases', () => {
  const fine = `version: 1
x-files: &files [a.csv, b.csv]
dataSources:
  shop: { kind: csv, path: shop.csv }
  log: { kind: csv, path: *files }
`;
  const settingsOf = (text: string): readonly unknown[] =>
    parseDataSources(text).sources.sources.map(({ settings }) => settings);
  const shop = { kind: 'csv', path: 'shop.csv' };

  it('reads aliased settings', () => {
    assert.deepEqual(settingsOf(fine), [shop, { kind: 'csv', path: ['a.csv', 'b.csv'] }]);
  });

  for (const [what, path] of [
    ['that lead into themselves', '&path [*path]'],
    ['that lead nowhere', '*nowhere'],
  ] as const) {
    it(`ignores sources with aliases ${what}, reads the others, and reports one problem`, () => {
      const text = fine.replace('*files', path);
      assert.deepEqual(settingsOf(text), [shop, {}]);
      const { problems, sources } = parseDataSources(text);
      assert.deepEqual(
        problems.map(({ code, range }) => `${code} ${text.slice(range.start, range.end)}`),
        [`yaml-syntax ${path.replace(/.*\*(\w+).*/, '*$1')}`],
      );
      assert.equal(sources.complete, false);
    });
  }
});
