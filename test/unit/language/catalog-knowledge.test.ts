import assert from 'node:assert/strict';
import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import { catalogUnknown, withCatalogAge } from '../../../server/src/language/catalog-knowledge.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import type { Problem } from '../../../server/src/model/problem.ts';
import { catalog, sources } from './shop-catalog.ts';

const graphOf = (lines: string) => parseEntityGraph(`version: 1\ndataSource: shop\n${lines}`).graph;
const [orders, ...others] = catalog.objects;
const partly: Catalog = { ...catalog, complete: false, warnings: ['The instance did not answer.'] };
const withoutColumns: Catalog = { ...partly, objects: [...(orders ? [{ ...orders, columns: [] }] : []), ...others] };
const element = (dataObject: string): string => `elements: [{ activityName: A, dataObject: ${dataObject} }]\n`;

describe('hints about the catalog', () => {
  const cases: readonly (readonly [string, string, Catalog | undefined, string | undefined, RegExp | undefined])[] = [
    ['nothing when it is complete', element('nowhere'), catalog, undefined, undefined],
    ['why there is none', element('orders'), undefined, 'It is not known.', /^It is not known\.$/],
    ['nothing while it is being read', element('orders'), undefined, undefined, undefined],
    ['nothing when a part is missing that the graph does not name', element('orders'), partly, undefined, undefined],
    [
      'what is not checked, when a part is missing',
      element('nowhere'),
      partly,
      undefined,
      /^Not all of "shop" is known, so "nowhere" and its columns are not checked\. The instance did not answer\.$/,
    ],
    [
      'the reason of that part, when several are missing',
      element('nowhere'),
      { ...partly, undescribed: [{ name: 'nowhere', reason: 'nowhere.csv is empty.' }] },
      undefined,
      /are not checked\. nowhere\.csv is empty\.$/,
    ],
    ['that of a selected object', 'dataObjects: [nowhere]\n', partly, undefined, /"nowhere"/],
    ['that of an object whose columns could not be read', element('orders'), withoutColumns, undefined, /"orders"/],
  ];
  for (const [name, lines, known, because, expected] of cases) {
    it(`show ${name}`, () => {
      const graph = graphOf(lines);
      const problems = catalogUnknown(graph, known, because);
      assert.equal(problems.length, expected ? 1 : 0);
      const [problem] = problems;
      if (!expected) return;
      assert.match(problem?.message ?? '', expected);
      assert.deepEqual(problem?.range, graph.dataSource?.range);
    });
  }
});

describe('a catalog that could not be read', () => {
  it('leads to the place in the data sources file', () => {
    const graph = graphOf('');
    const place = {
      file: '/project/entity-sources.yaml',
      range: { start: { line: 3, character: 10 }, end: { line: 3, character: 15 } },
    };
    const [problem] = catalogUnknown(graph, undefined, 'No file matches.', place);
    assert.deepEqual(problem?.elsewhere, { ...place, message: 'The files of "shop" are named here.' });
  });
});

describe('notes about a file', () => {
  const note = (text: string) =>
    validateEntityGraph({
      ...{ text, sources },
      notes: catalogUnknown(parseEntityGraph(text).graph, undefined, 'It is not known.'),
    }).map(({ code }) => code);

  it('are listed among the problems of rules, in the order of the text', () => {
    assert.deepEqual(note('version: 1\nname: Orders\ndataSource: shop\ndataObjects: [a, a]\n'), [
      'catalog-unknown',
      'schema-value',
    ]);
  });

  it('are suppressed by comments like other problems', () => {
    const silenced = '# entity-graph-disable-next-line catalog-unknown\ndataSource: shop\n';
    assert.deepEqual(note(`version: 1\nname: Orders\n${silenced}dataObjects: []\n`), []);
  });

  it('are listed beside the problems of an unreadable text', () => {
    assert.ok(note('version: 1\nname: [Orders\ndataSource: shop\n').includes('yaml-syntax'));
  });
});

describe('problems based on an old catalog', () => {
  const day = 24 * 60 * 60 * 1000;
  const readAt = Date.parse(catalog.readAt);
  const range = { start: 0, end: 1 };
  const problems: readonly Problem[] = (['unknown-column', 'yaml-syntax'] as const).map((code) => ({
    code,
    severity: 'error',
    message: 'Wrong.',
    range,
  }));
  const said = (now: number): readonly string[] => withCatalogAge(problems, catalog, now).map(({ message }) => message);

  it('state the age of the catalog', () => {
    assert.deepEqual(said(readAt + 3.5 * day), [
      'Wrong. The catalog was read 3 days ago: refresh it if the source has changed since.',
      'Wrong.',
    ]);
    assert.match(said(readAt + day)[0] ?? '', /read 1 day ago/);
  });

  it('state no age for a catalog of today', () => {
    assert.deepEqual(said(readAt + day - 1), ['Wrong.', 'Wrong.']);
    assert.equal(withCatalogAge(problems, undefined, readAt), problems);
  });
});
