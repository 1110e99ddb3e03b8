import assert from 'node:assert/strict';
import type { JsonObject } from '../../../server/src/model/edits/json-value.ts';
import { meaningEdits } from '../../../server/src/model/meaning-edits.ts';
import { editGroups } from '../../../server/src/operations/effect/edit-groups.ts';
import { type Random, pick, randomOf } from '../../support/random.ts';

const place = { activityName: 'Place', dataObject: 'orders', key: 'id', startTimestamp: 'at' };
const win = { activityName: 'Win', dataObject: 'customers', key: 'id', startTimestamp: 'since' };
const base: JsonObject = {
  version: 1,
  elements: [place, win],
  relationships: [{ source: 'Win', target: 'Place', mappings: [{ source: 'id', target: 'customer' }] }],
  calendars: { office: { days: 'Mon-Fri' } },
};

function titles(after: JsonObject): readonly string[] {
  return meaningEdits(base, after).edits.map(({ kind, section, title }) => `${kind} ${section}: ${title}`);
}

describe('edits of meaning', () => {
  it('are fields of entries, entries, their order and other keys', () => {
    assert.deepEqual(titles(base), []);
    assert.deepEqual(
      titles({
        ...base,
        description: 'New',
        elements: [
          { ...win, key: ['id', 'region'] },
          { ...place, where: 'a > 1' },
          { activityName: 'Pay', dataObject: 'x' },
        ],
        relationships: [],
        calendars: { office: { days: 'Mon-Sat' } },
      }),
      [
        'changed elements: Win · key',
        'new elements: Place · where',
        'new elements: Pay',
        'order elements: order of elements',
        'gone relationships: Win → Place',
        'changed calendars: office · days',
        'new description: description',
      ],
    );
  });

  it('know a rename by what else is equal, and not entries that share little', () => {
    const renamed = { ...base, elements: [{ ...place, activityName: 'Order' }, win] };
    assert.deepEqual(titles(renamed), ['changed elements: Place → Order']);
    const other = { ...base, elements: [{ activityName: 'Pay', dataObject: 'orders', key: 'no' }, win] };
    assert.deepEqual(titles(other), ['new elements: Pay', 'gone elements: Place']);
  });

  it('apply one by one, and all of them give the new text', () => {
    const after: JsonObject = {
      ...base,
      elements: [{ activityName: 'Pay', dataObject: 'x' }, win, { ...place, where: 'a > 1', key: 'no' }],
      rules: [{ name: 'Large' }],
    };
    const { edits, apply } = meaningEdits(base, after);
    assert.deepEqual(apply(new Set()), base);
    assert.deepEqual(apply(new Set(edits.keys())), after);
    const where = edits.findIndex(({ field }) => field === 'where');
    assert.deepEqual(apply(new Set([where])), { ...base, elements: [{ ...place, where: 'a > 1' }, win] });
    const order = edits.findIndex(({ kind }) => kind === 'order');
    assert.deepEqual(apply(new Set([order])), { ...base, elements: [win, place] });
    const pay = edits.findIndex(({ title }) => title === 'Pay');
    assert.deepEqual(apply(new Set([pay]))['elements'], [{ activityName: 'Pay', dataObject: 'x' }, place, win]);
  });

  it('of random texts give both of them, none and all applied', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = randomOf(seed);
      const [before, after] = [randomText(random), randomText(random)];
      const { edits, apply } = meaningEdits(before, after);
      assert.deepEqual(apply(new Set()), before, `seed ${seed}`);
      assert.deepEqual(apply(new Set(edits.keys())), after, `seed ${seed}`);
    }
  });
});

function randomText(random: Random): JsonObject {
  const entries = Array.from({ length: 1 + Math.floor(random() * 4) }, () => ({
    activityName: pick(random, ['A', 'B', 'C', 'D']),
    dataObject: pick(random, ['x', 'y']),
    ...(random() < 0.5 && { where: pick(random, ['a', 'b']) }),
    key: pick(random, ['id', 'no']),
  }));
  return {
    elements: entries,
    ...(random() < 0.5 && { name: pick(random, ['One', 'Two']) }),
    ...(random() < 0.5 && { rules: [{ name: pick(random, ['R', 'S']), sql: pick(random, ['a', 'b']) }] }),
    ...(random() < 0.5 && { calendars: { [pick(random, ['c', 'd'])]: { days: pick(random, ['Mon', 'Tue']) } } }),
  };
}

describe('groups of edits', () => {
  const groupsOf = (count: number, isValid: (edits: ReadonlySet<number>) => boolean) =>
    editGroups(count, async (edits) => isValid(new Set(edits)));

  it('are single edits where all are valid alone', async () => {
    assert.deepEqual(await groupsOf(3, () => true), [[0], [1], [2]]);
  });

  it('join an edit with the smallest set that makes it valid', async () => {
    // 2 needs 0, whether that is valid alone or not.
    assert.deepEqual(await groupsOf(3, (edits) => !edits.has(2) || edits.has(0)), [[0, 2], [1]]);
    // 0 and 3 need each other.
    assert.deepEqual(await groupsOf(4, (edits) => edits.has(0) === edits.has(3)), [[0, 3], [1], [2]]);
    // 1 needs both others.
    assert.deepEqual(await groupsOf(3, (edits) => !edits.has(1) || edits.size === 3), [[0, 1, 2]]);
  });

  it('are merged when they share an edit', async () => {
    const needs = (edits: ReadonlySet<number>): boolean =>
      (!edits.has(1) || edits.has(0)) && (!edits.has(2) || edits.has(0));
    assert.deepEqual(await groupsOf(4, needs), [[0, 1, 2], [3]]);
  });
});
