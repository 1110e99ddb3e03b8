import assert from 'node:assert/strict';
import { validateDataSources, validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { catalog, sources } from './shop-catalog.ts';

const entry = (start: string): string => `  - activityName: A\n    dataObject: orders\n    startTimestamp: ${start}\n`;
const key = (start: string): string => `    startTimestamp: ${start}\n`;
const graph = (element: string): string => `version: 1\nname: Orders\ndataSource: shop\nelements:\n${element}`;
const opened = '  - activityName: A\n    dataObject: orders\n';
const conflict = (current: string, incoming: string, base = ''): string =>
  `<<<<<<< HEAD\n${current}${base}=======\n${incoming}>>>>>>> other\n`;

/** A text with a conflict, and the result of each fix. */
const cases: readonly (readonly [name: string, text: string, current?: string, incoming?: string])[] = [
  [
    'a value',
    graph(`${opened}${conflict(key('placed_at'), key('shipped_on'))}`),
    graph(entry('placed_at')),
    graph(entry('shipped_on')),
  ],
  [
    'with lines of Windows',
    graph(`${opened}${conflict(key('placed_at'), key('shipped_on'))}`).replaceAll('\n', '\r\n'),
    graph(entry('placed_at')).replaceAll('\n', '\r\n'),
    graph(entry('shipped_on')).replaceAll('\n', '\r\n'),
  ],
  [
    'an entry, with its common ancestor',
    graph(conflict(entry('placed_at'), entry('shipped_on'), `||||||| base\n${entry('id')}`)),
    graph(entry('placed_at')),
    graph(entry('shipped_on')),
  ],
  [
    'a key of the file',
    graph(entry('placed_at')).replace('name: Orders\n', conflict('name: Orders\n', 'name: Order\n')),
    graph(entry('placed_at')),
    graph(entry('placed_at')).replace('Orders', 'Order'),
  ],
  ['a mark left alone', graph(`${opened}<<<<<<< HEAD\n${key('placed_at')}`)],
  ['a last mark left alone', graph(`${entry('placed_at')}>>>>>>> other\n`)],
];

describe('merge conflict markers', () => {
  for (const [name, text, ...sides] of cases) {
    it(`are one problem without a quick fix: ${name}`, () => {
      const parser = createGraphParser();
      parser.parse(graph(entry('placed_at')));
      const parsed = parser.parse(text);
      const known = { parsed, catalog, sources };
      const problems = validateEntityGraph({ text, ...known });
      assert.deepEqual(
        problems.map(({ code, message, range }) => [code, /merge conflict/.test(message), range.start]),
        [['yaml-syntax', true, text.search(/^[<>]{7}/m)]],
      );
      const fixes = problems.flatMap((problem) => fixesOf(problem, known));
      assert.deepEqual(
        fixes.map(({ edits }) => applyEdits(text, edits)),
        sides,
      );
      assert.ok(fixes.every(({ preferred }) => !preferred));
    });
  }

  it('are reported once per conflict', () => {
    const text = graph(conflict(entry('placed_at'), entry('shipped_on'))).replace(
      'name: Orders\n',
      conflict('name: Orders\n', 'name: Order\n'),
    );
    assert.equal(validateEntityGraph({ text, catalog, sources }).length, 2);
  });

  it('are reported in sources files', () => {
    const text = `version: 1\ndataSources:\n${conflict('  a: { kind: csv }\n', '  b: { kind: csv }\n')}`;
    assert.deepEqual(
      validateDataSources({ text }).map(({ message }) => /merge conflict/.test(message)),
      [true],
    );
  });

  it('are not reported inside valid text', () => {
    const text = `${graph(entry('placed_at'))}    where: |\n      <<<<<<< HEAD\ndescription: >-\n  =======\n`;
    assert.ok(!validateEntityGraph({ text, catalog, sources }).some(({ message }) => /merge/.test(message)));
  });
});
