import assert from 'node:assert/strict';
import type { GraphFilter } from '../../../protocol/event-graph.ts';
import {
  type ConditionDraft,
  type DraftSubject,
  brushOfRange,
  draftOf,
  mistakeOf,
  rangeOfClasses,
  withDraft,
  withoutValue,
} from '../../../webview/src/event-graph/condition-draft.ts';

const day = 86_400_000;
const amount: DraftSubject = { kind: 'property', property: 'amount' };
const types = { number: 'number', time: 'time', text: 'text' } as const;

describe('a condition that is being written', () => {
  const cases: readonly (readonly [
    name: string,
    subject: DraftSubject,
    part: Partial<ConditionDraft>,
    type: keyof typeof types,
    filter: GraphFilter | undefined,
  ])[] = [
    ['nothing', amount, {}, 'number', undefined],
    ['values', amount, { values: ['1', null] }, 'number', { values: [{ property: 'amount', values: ['1', null] }] }],
    ['a range', amount, { from: '5', to: '9.5' }, 'number', { values: [{ property: 'amount', from: '5', to: '9.5' }] }],
    ['a lower limit', amount, { from: '5' }, 'number', { values: [{ property: 'amount', from: '5' }] }],
    [
      'times of inputs',
      { kind: 'property', property: 'at' },
      { from: '2024-01-02T07:30', to: '2024-01-03 10:00:05' },
      'time',
      { values: [{ property: 'at', from: '2024-01-02 07:30:00', to: '2024-01-03 10:00:05' }] },
    ],
    ['no duration', { kind: 'throughput' }, { longer: '' }, 'text', undefined],
    [
      'durations',
      { kind: 'throughput' },
      { longer: '1.5', shorter: '3' },
      'text',
      { throughput: { slower: 1.5 * day, faster: 3 * day } },
    ],
    ['half a path', { kind: 'path' }, { source: 'Open' }, 'text', undefined],
    [
      'a path',
      { kind: 'path' },
      { source: 'Open', target: 'Close', follows: 'eventually', longer: '2', unit: 'hours' },
      'text',
      { paths: [{ source: 'Open', target: 'Close', follows: 'eventually', slower: 7_200_000 }] },
    ],
    ['related entities', { kind: 'related' }, { related: [{ id: 7, key: 'P7' }] }, 'text', { related: [7] }],
  ];
  for (const [name, subject, part, type, filter] of cases) {
    it(`is a filter once it says something: ${name}`, () => {
      assert.deepEqual(withDraft({}, { ...draftOf({}, subject), ...part }, types[type]), filter);
    });
  }

  it('is no filter while its limits leave nothing, or say nothing', () => {
    const throughput: DraftSubject = { kind: 'throughput' };
    for (const [subject, part, type, mistake] of [
      [
        amount,
        { from: '9', to: '2' },
        'number',
        'No value is from 9 to below 2: the second limit must be above the first.',
      ],
      [
        amount,
        { from: '9', to: '9' },
        'number',
        'No value is from 9 to below 9: the second limit must be above the first.',
      ],
      [
        amount,
        { from: '2024-01-02T00:00', to: '2024-01-01 00:00:00' },
        'time',
        'No value is from 2024-01-02 00:00 to below 2024-01-01 00:00:00: the second limit must be above the first.',
      ],
      [throughput, { longer: '10', shorter: '-3' }, 'text', 'A duration cannot be negative.'],
      [throughput, { longer: '-3' }, 'text', 'A duration cannot be negative.'],
      [throughput, { shorter: '0' }, 'text', 'Nothing is shorter than 0.'],
      [
        { kind: 'path' },
        { source: 'Open', target: 'Close', longer: '3', shorter: '3' },
        'text',
        'Nothing is longer than 3 and shorter than 3: the second limit must be above the first.',
      ],
      [amount, { from: '10', to: '9', values: ['1'] }, 'number', undefined],
      [amount, { from: '9', to: '10' }, 'number', undefined],
    ] as const) {
      const draft = { ...draftOf({}, subject), ...part };
      assert.equal(mistakeOf(draft, type), mistake);
      assert.equal(withDraft({}, draft, type) === undefined, mistake !== undefined);
    }
  });

  it('starts with the related entities of the filter', () => {
    assert.deepEqual(draftOf({ related: [7, 8] }, { kind: 'related' }, { 7: 'P7' }).related, [
      { id: 7, key: 'P7' },
      { id: 8, key: 'entity 8' },
    ]);
  });

  it('starts with the condition on the same subject, and takes its place', () => {
    const filter: GraphFilter = {
      entityType: 'order',
      values: [
        { property: 'amount', from: '5' },
        { property: 'country', values: ['DE'] },
      ],
      throughput: { slower: 14 * day },
    };
    const draft = draftOf(filter, amount);
    assert.deepEqual([draft.from, draft.to], ['5', '']);
    assert.deepEqual(withDraft(filter, { ...draft, from: '', to: '9' }, 'number')?.values, [
      { property: 'country', values: ['DE'] },
      { property: 'amount', to: '9' },
    ]);
    assert.deepEqual(withoutValue(filter, 'amount').values, [{ property: 'country', values: ['DE'] }]);
    assert.deepEqual(withoutValue({ values: [{ property: 'amount' }] }, 'amount'), {});
    const { longer, unit } = draftOf(filter, { kind: 'throughput' });
    assert.deepEqual([longer, unit], ['2', 'weeks']);
    assert.deepEqual(
      draftOf({ values: [{ property: 'at', from: '2024-01-02 07:30:00' }] }, { kind: 'property', property: 'at' }).from,
      '2024-01-02T07:30',
    );
  });

  it('has the range of chosen classes, of which the first and the last are open', () => {
    const classes = [0, 10, 20, 30].map((from) => ({ from, to: from + 10, entities: 1 }));
    const found = { classes, type: 'number' } as const;
    assert.deepEqual(rangeOfClasses(found, { from: 2, to: 1 }), { values: [], from: '10', to: '30' });
    assert.deepEqual(rangeOfClasses(found, { from: 0, to: 1 }), { values: [], from: '', to: '20' });
    assert.deepEqual(rangeOfClasses(found, { from: 3, to: 2 }), { values: [], from: '20', to: '' });
    for (const [from, to, brush] of [
      ['10', '30', { from: 1, to: 2 }],
      ['', '15', { from: 0, to: 1 }],
      ['25', '', { from: 2, to: 3 }],
      ['', '', undefined],
      ['90', '', undefined],
    ] as const) {
      assert.deepEqual(brushOfRange(found, { from, to }), brush, `${from} to ${to}`);
    }
    const days = [0, 1, 2].map((place) => ({ from: place * day, to: (place + 1) * day, entities: 1 }));
    const range = rangeOfClasses({ classes: days, type: 'time' }, { from: 1, to: 1 });
    assert.deepEqual([range.from, range.to], ['1970-01-02 00:00:00', '1970-01-03 00:00:00']);
    assert.deepEqual(brushOfRange({ classes: days, type: 'time' }, range), { from: 1, to: 1 });
  });
});
