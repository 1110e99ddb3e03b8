import assert from 'node:assert/strict';
import { type LinkCache, findingLinks } from '../../../server/src/language/document-links.ts';
import { createIncrementalYaml } from '../../../server/src/model/incremental-yaml.ts';
import { toEnd } from '../../../server/src/model/steps.ts';
import { editedTexts, randomOf } from '../../support/random.ts';

const texts = [
  `description: https://example.com/all
elements:
  - activityName: A
    processContext: { owner: https://example.com/a, page: "https://example.com/b" }
  - activityName: https://example.com/c
relationships: [{ source: &x https://example.com/d, target: *x }]
`,
  'dataSources:\n  files: { kind: csv, path: [a.csv, "*.csv"] }\n  api:\n    baseUrl: https://example.com\n    ca: ./ca.pem\n',
  '{ "elements": [{ "activityName": "https://example.com/a" },\n { "activityName": "https://example.com/b" }] }',
];

describe('links of entries that were visited before', () => {
  it('equal the result of a full parse after any edits', () => {
    const random = randomOf(5);
    const pieces = [
      '\n',
      '\n  ',
      '# x\n',
      ' ',
      '- ',
      'a: b\n',
      '{',
      ']',
      '\r\n',
      '&x ',
      '*x',
      'https://x.org/y',
      'z.csv',
    ];
    for (const start of texts) {
      const parser = createIncrementalYaml();
      const cache: LinkCache = new WeakMap();
      for (const text of editedTexts(start, random, pieces)) {
        const links = toEnd(findingLinks(parser.parse(text), cache));
        assert.deepEqual(links, toEnd(findingLinks(createIncrementalYaml().parse(text))), JSON.stringify(text));
      }
    }
  });
});
