import assert from 'node:assert/strict';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { hoverEntityGraph } from '../../../server/src/language/hover.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor, withRanges } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const order = (lines: string): string =>
  `version: 1\ndataSource: shop\nelements:\n  - activityName: Order\n    dataObject: orders\n    key: id\n    startTimestamp: placed_at\n${lines}`;
const lifecycle = '    lifecycle: { column: note, start: [begun], end: [done] }\n';

describe('ends of activities in the language', () => {
  const cases: readonly (readonly [name: string, marked: string, codes: readonly string[]])[] = [
    ['an end in the row', order('    endTimestamp: shipped_on\n'), []],
    ['an end that is the end of its day', order('    endTimestamp: { column: shipped_on, atEndOfDay: true }\n'), []],
    ['an end without a time', order('    endTimestamp: ‹|customer_id|›\n'), ['timestamp-type']],
    ['starts and ends in two rows', order(lifecycle), []],
    ['an unknown column', order(lifecycle.replace('note', '‹|nte|›')), ['unknown-column']],
    ['no ends', order('    ‹|lifecycle|›: { column: note, start: [begun] }\n'), ['schema-missing-property']],
    [
      'two ways',
      order(`    endTimestamp: shipped_on\n${lifecycle.replace(/\{.*\}/, '‹|$&|›')}`),
      ['lifecycle-unclear'],
    ],
    ['a value that is both', order(lifecycle.replace('done', 'done, ‹|begun|›')), ['lifecycle-unclear']],
    [
      'no own entity',
      order(
        `${lifecycle.replace(/\{.*\}/, '‹|$&|›')}    ownEntity: false\n    correlatesWith: [{ entityType: customer, key: customer_id }]\n`,
      ),
      ['no-own-entity'],
    ],
  ];
  for (const [name, marked, codes] of cases) {
    it(`problems › ${name}`, () => {
      const { text, ranges } = withRanges(marked);
      const problems = validateEntityGraph({ text, sources, catalog }).filter(({ severity }) => severity === 'error');
      assert.deepEqual(
        problems.map(({ code }) => code),
        codes,
      );
      assert.deepEqual(
        problems.map(({ range }) => text.slice(range.start, range.end)),
        ranges.map(({ start, end }) => text.slice(start, end)),
      );
    });
  }

  it('are mended by removing one of two ways, or a value', () => {
    const fixed = (text: string): Readonly<Record<string, string>> => {
      const [problem] = validateEntityGraph({ text, sources, catalog }).filter(({ severity }) => severity === 'error');
      assert.ok(problem);
      const fixes = fixesOf(problem, { parsed: parseEntityGraph(text), sources, catalog });
      return Object.fromEntries(fixes.map(({ title, edits }) => [title, applyEdits(text, edits)]));
    };
    const ended = '    endTimestamp: shipped_on\n';
    assert.deepEqual(fixed(order(`${ended}${lifecycle}`)), {
      'Remove endTimestamp': order(lifecycle),
      'Remove lifecycle': order(ended),
    });
    assert.deepEqual(fixed(order(lifecycle.replace('done', 'done, begun'))), {
      'Remove "begun" from end': order(lifecycle),
    });
  });

  it('complete keys and columns', () => {
    const labels = (marked: string): readonly string[] => {
      const { text, offset } = withCursor(marked);
      return completeEntityGraph({ parsed: parseEntityGraph(text), sources, catalog }, offset).map(
        ({ label }) => label,
      );
    };
    assert.ok(labels(order('    endTimestamp: <|>\n')).includes('shipped_on'));
    assert.ok(labels(order('    <|>\n')).includes('lifecycle'));
    assert.deepEqual(labels(order('    lifecycle: { <|> }\n')).slice(0, 3).toSorted(), ['column', 'end', 'start']);
    assert.ok(labels(order('    lifecycle: { column: <|> }\n')).includes('note'));
  });

  it('are explained', () => {
    const { text, offset } = withCursor(order(lifecycle.replace('lifecycle', 'life<|>cycle')));
    assert.match(
      JSON.stringify(hoverEntityGraph({ parsed: parseEntityGraph(text), sources, catalog }, offset)),
      /first in, first out/,
    );
  });
});
