import assert from 'node:assert/strict';
import type { GraphFilter } from '../../../protocol/event-graph.ts';
import { filterConditions } from '../../../protocol/filter-conditions.ts';
import { englishMapWords } from '../../../protocol/map-words.ts';

const day = 86_400_000;
const [from, to] = ['2024-01-01T00:00:00Z', '2024-02-01T12:30:00Z'];
const path = { source: 'Open', target: 'Close', follows: 'directly' } as const;

describe('conditions of a filter', () => {
  const cases: readonly (readonly [filter: GraphFilter, text: string])[] = [
    [{ from }, 'events from 2024-01-01 UTC'],
    [{ to }, 'events before 2024-02-01 12:30 UTC'],
    [{ from, to }, 'events from 2024-01-01 to before 2024-02-01 12:30 UTC'],
    [{ property: { element: 1, name: 'priority', value: '1 - High' } }, 'priority = 1 - High'],
    [{ values: [{ property: 'priority', values: ['1', null] }] }, 'priority = 1, no value'],
    [{ values: [{ property: 'amount', from: '5', to: '9' }] }, 'amount from 5 to below 9'],
    [{ values: [{ property: 'amount', from: '5' }] }, 'amount from 5'],
    [{ values: [{ property: 'amount', to: '9' }] }, 'amount below 9'],
    [{ where: ['amount > 5'] }, 'amount > 5'],
    [{ rule: { number: 1, name: 'Solved in time' } }, 'breaks: Solved in time'],
    [{ activities: [{ activity: 'Open', occurs: true, lifecycle: true }] }, 'with Open · start'],
    [{ activities: [{ activity: 'Close', occurs: false }] }, 'without Close'],
    [{ paths: [path] }, 'Open → Close'],
    [{ paths: [{ ...path, follows: 'eventually', slower: 2 * day }] }, 'Open → … → Close: longer than 2 d'],
    [{ paths: [{ ...path, lifecycle: true, faster: day }] }, 'Open · start → Close · start: shorter than 1 d'],
    [{ variant: { id: '7', events: 2, path: 'Open → Close' } }, 'variant Open → Close'],
    [{ throughput: { slower: day } }, 'throughput time longer than 1 d'],
    [{ throughput: { slower: day, faster: 2 * day } }, 'throughput time 1 d – 2 d'],
    [{ related: [1, 2] }, 'related to chosen entities (2)'],
  ];
  for (const [filter, text] of cases) {
    it(`are named, and each can be removed: ${text}`, () => {
      assert.deepEqual(
        filterConditions({ entityType: 'incident', ...filter }, englishMapWords).map((each) => [each.text, each.rest]),
        [[text, { entityType: 'incident' }]],
      );
    });
  }

  it('of one kind are removed one by one', () => {
    const [one, other] = [
      { activity: 'Open', occurs: true },
      { activity: 'Close', occurs: false },
    ];
    assert.deepEqual(
      filterConditions({ to, activities: [one, other] }, englishMapWords).map(({ rest }) => rest),
      [{ activities: [one, other] }, { to, activities: [other] }, { to, activities: [one] }],
    );
  });
});
