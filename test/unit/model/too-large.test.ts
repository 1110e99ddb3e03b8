import assert from 'node:assert/strict';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { editGraph } from '../../../server/src/model/edits/edit-graph.ts';
import { createGraphParser, maxWhileTyping } from '../../../server/src/model/graph-parser.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { catalog, sources } from '../language/shop-catalog.ts';

const head = 'version: 1\nname: Orders\ndataSource: shop\ndataObjects: [orders]\n';
const names = (count: number): string => Array.from({ length: count }, (_, index) => `name_${index}`).join(', ');
const entry = (name: string, properties: string): string =>
  `  - activityName: ${name}\n    dataObject: orders\n    key: id\n    startTimestamp: placed_at\n    properties: [${properties}]\n`;
const large = (count: number): string =>
  `${head}elements:\n${entry('First', 'placed_at')}${entry('Large', names(count))}${entry('Last', 'placed_at')}`;

describe('entry that is too large to parse while typing', () => {
  const activities = (text: string, parser = createGraphParser(maxWhileTyping)) =>
    parser.parse(text).graph.elements.map(({ activityName }) => activityName?.value);

  it('is skipped with a message, and everything around it is parsed', () => {
    const parsed = createGraphParser(maxWhileTyping).parse(large(20_000));
    assert.deepEqual(
      parsed.graph.elements.map(({ activityName }) => activityName?.value),
      ['First', 'Last'],
    );
    const problems = validateEntityGraph({ text: parsed.yaml.text, parsed, sources, catalog });
    assert.deepEqual(
      problems.map(({ code, severity }) => ({ code, severity })),
      [{ code: 'too-large', severity: 'warning' }],
    );
    const [{ message, range } = { message: '', range: { start: 0, end: 0 } }] = problems;
    assert.match(message, /more than 60,000 words and signs. Shorten its lists, or split it./);
    assert.equal(parsed.yaml.text.slice(range.start, range.end), '- activityName: Large');
  });

  it('is parsed again once it is shorter', () => {
    const parser = createGraphParser(maxWhileTyping);
    assert.deepEqual(activities(large(20_000), parser), ['First', 'Last']);
    assert.deepEqual(activities(large(10_000), parser), ['First', 'Large', 'Last']);
  });

  it('no parsing step processes all of its characters', () => {
    const steps = createGraphParser(maxWhileTyping).reading(large(200_000));
    let count = 0;
    while (!steps.next().done) count += 1;
    // A thousand characters a step, and none once it is known to be too large.
    assert.ok(count < maxWhileTyping / 1000 + 50, `It was read in ${count} steps.`);
  });

  it('is skipped in JSON', () => {
    const value = (name: string, properties: string) => ({ activityName: name, properties: properties.split(', ') });
    const text = JSON.stringify({ version: 1, elements: [value('First', 'state'), value('Large', names(40_000))] });
    assert.deepEqual(activities(text), ['First']);
  });

  it('is the whole text when the text cannot be split', () => {
    const text = `{ version: 1, elements: [{ activityName: Large, properties: [${names(40_000)}] }] }`;
    const { graph, problems } = createGraphParser(maxWhileTyping).parse(text);
    assert.equal(graph.elements.length, 0);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['too-large'],
    );
    assert.match(problems[0]?.message ?? '', /^This file is too large .* and cannot be read entry by entry/);
  });

  it('makes edits of the file fail with a message', () => {
    const { yaml } = createGraphParser(maxWhileTyping).parse(large(20_000));
    assert.deepEqual(editGraph(yaml, { kind: 'duplicateElement', element: 'First' }), {
      refusal:
        'This file has a part that is too large to be parsed while you type; it is marked with a warning. Make this change in the text.',
    });
  });

  it('is parsed on the command line', () => {
    assert.equal(parseEntityGraph(large(20_000)).graph.elements.length, 3);
  });
});

describe('list with very many unknown names', () => {
  it('reports a hundred individually, and the others together', () => {
    const problems = validateEntityGraph({ text: large(300), sources, catalog }).filter(
      ({ code }) => code === 'unknown-column',
    );
    assert.equal(problems.length, 101);
    assert.equal(
      problems.at(-1)?.message,
      '"name_100" and 199 other names here are neither columns of "orders" nor, as alias.column, of a joined table. Correct the names, or join the table.',
    );
  });
});
