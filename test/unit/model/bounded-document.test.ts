import assert from 'node:assert/strict';
import { parseDocument } from 'yaml';
import { editGraph } from '../../../server/src/model/edits/edit-graph.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { parseYaml, yamlOptions } from '../../../server/src/model/yaml-text.ts';
import { formattingEdits } from '../language/formatting-edits.ts';

const entry = (index: number): string =>
  `  - activityName: Place Order ${index}\n    dataObject: orders\n    where: |\n      id > ${index}\n`;
const entries = Array.from({ length: 500 }, (_, index) => entry(index)).join('');

describe('parseYaml', () => {
  it('reports the unclosed bracket above a thousand entries without consequential errors', () => {
    const head = 'name: x\n';
    const text = `${head}§elements:\n${entries}§${entries}`;
    const [first = '', list = '', rest = ''] = text.split('§');
    for (const typed of ['a: [\n', '[a\n', 'dataObjects: [\n']) {
      for (const broken of [`${first}${typed}${list}${rest}`, `${first}${list}${typed}${rest}`]) {
        const opened = broken.indexOf(typed) + typed.indexOf('[');
        const [problem] = parseYaml(broken).problems;
        assert.match(problem?.message ?? '', /is never closed\. Close it/, JSON.stringify(typed));
        assert.equal(problem?.range.start, opened, JSON.stringify(typed));
        assert.ok(createGraphParser().parse(broken).problems.length > 0);
        assert.deepEqual(formattingEdits({ text: broken }), []);
        assert.match(
          JSON.stringify(editGraph({ text: broken }, { kind: 'setGraphName', name: 'y' } as never)),
          /cannot be read|too large/,
        );
      }
    }
  });

  it('counts nested brackets, except in comments, quotes and SQL', () => {
    const many = '['.repeat(1_000);
    for (const text of [
      `name: x # ${many}\n`,
      `# ${many}\nname: x\n`,
      `name: "${many}"\n`,
      `name: '${many}'\n`,
      `where: |\n  ${many}\n`,
      `where: a${many}\n`,
      `${'a: [ # [\n]\n'.repeat(400)}`.replace(/a/g, () => `k${Math.random()}`),
      `a: ${'['.repeat(290)}${']'.repeat(290)}\n`,
    ]) {
      assert.deepEqual(parseYaml(text).problems, [], text.slice(0, 40));
    }
  });

  it('reports too many nesting levels of any kind', () => {
    const nested = Array.from({ length: 400 }, (_, index) => `${' '.repeat(index)}a:\n`).join('');
    const lists = Array.from({ length: 400 }, (_, index) => `${' '.repeat(index)}-\n`).join('');
    const cases: readonly (readonly [string, RegExp])[] = [
      [`a: ${'['.repeat(400)}`, /^Brackets are nested deeper than 300 levels/],
      [`a: ${'['.repeat(400)}${']'.repeat(400)}`, /^Brackets are nested deeper than 300 levels/],
      ['{ "a":'.repeat(400), /^Brackets are nested deeper than 300 levels/],
      [nested, /^Values are nested deeper than 300 levels/],
      [lists, /^Values are nested deeper than 300 levels/],
    ];
    for (const [text, message] of cases) {
      const [problem, ...others] = parseYaml(text).problems;
      assert.match(problem?.message ?? '', message);
      assert.deepEqual(others, []);
    }
  });

  it('agrees with the YAML library', () => {
    for (const text of [
      '',
      'a',
      'a: 1\n---\nb: 2\n',
      '%YAML 1.2\n---\na: [1, { b: 2 }]\n',
      '---\n---\n',
      '- &a 1\n- *a\n',
    ]) {
      const [ours, theirs] = [parseYaml(text), parseDocument(text, { ...yamlOptions, prettyErrors: false })];
      assert.deepEqual(ours.document.toJS(), theirs.toJS(), text);
      assert.equal(ours.problems.length, theirs.errors.length, text);
    }
  });
});
