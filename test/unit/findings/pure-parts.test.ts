import assert from 'node:assert/strict';
import { acceptFindings } from '../../../server/src/model/accept-findings.ts';
import { type UsedLabel, alikeLabels } from '../../../server/src/model/alike-labels.ts';
import { shiftOf, wholeShiftOf } from '../../../server/src/findings/shift-evidence.ts';
import { timeGaps } from '../../../server/src/findings/time-gaps.ts';
import { judgeTimesOfDay } from '../../../server/src/findings/time-of-day.ts';

describe('findings, pure parts', () => {
  describe('labels that mean the same', () => {
    const used = (label: string, events: number, after = 'Pay'): UsedLabel => ({
      label,
      events,
      neighbours: new Map([[`>${after}`, events]]),
    });
    const cases: readonly (readonly [string, readonly UsedLabel[], readonly string[]])[] = [
      ['differ in case and blanks', [used('Ship Order', 90), used(' ship  order', 80)], [' ship  order = Ship Order']],
      ['differ in accents', [used('Prüfen', 90), used('Prufen', 5)], ['Prufen = Prüfen']],
      ['have a letter too few', [used('Ship Order', 90), used('Ship Ordr', 5)], ['Ship Ordr = Ship Order']],
      ['are no typing error if both are frequent', [used('Closed', 90), used('Closer', 80)], []],
      ['are no typing error if others come next', [used('Closed', 90), used('Closer', 5, 'Open')], []],
      ['are two things if digits differ', [used('Approve Level 1', 90), used('Approve Level 2', 5)], []],
      ['are two things if short', [used('Pay', 90), used('Day', 5)], []],
      [
        'are in two languages',
        [used('Ship Order', 90), used('Auftrag versenden', 40), used('Expédier la commande', 5)],
        ['Auftrag versenden = Ship Order', 'Expédier la commande = Ship Order'],
      ],
      ['are two things if both are of one language', [used('Ship Order', 90), used('Send Order', 40)], []],
      ['are two things if they mean another', [used('Ship Order', 90), used('Rechnung versenden', 40)], []],
      ['are two things if others come next', [used('Ship Order', 90), used('Auftrag versenden', 40, 'Open')], []],
      ['keep signs that are all they have', [used('?', 90), used('!', 5)], []],
    ];
    for (const [title, labels, expected] of cases) {
      it(title, () =>
        assert.deepEqual(
          alikeLabels(labels).map(({ variant, usual }) => `${variant} = ${usual}`),
          expected,
        ),
      );
    }
  });

  describe('times of day', () => {
    const judge = (total: number, quarters: Readonly<Record<number, number>>) => {
      const entries = Object.entries(quarters).map(([minutes, events]) => [Number(minutes), events] as const);
      return judgeTimesOfDay({ total, quarters: new Map(entries) });
    };
    it('midnight stands out', () =>
      assert.deepEqual(judge(1_000, { 0: 50, 480: 2 }).spike, { minutes: [0], events: 50 }));
    it('midnight of a zone with summer time is two hours in UTC', () =>
      assert.deepEqual(judge(1_000, { 1320: 30, 1380: 25 }).spike, { minutes: [1320, 1380], events: 55 }));
    it('a busy hour beside others is no midnight', () =>
      assert.equal(judge(1_000, { 600: 60, 660: 40, 720: 30 }).spike, undefined));
    it('all at midnight are dates', () => assert.equal(judge(1_000, { 0: 1_000 }).areDates, true));
    it('whole hours of times in minutes are a sixtieth', () =>
      assert.equal(judge(6_000, { 600: 50, 660: 50, 615: 50, 645: 48 }).areRounded, false));
    it('more are rounded', () => assert.equal(judge(6_000, { 600: 150, 660: 150, 615: 50, 645: 48 }).areRounded, true));
    it('quarters of an hour are not', () =>
      assert.equal(judge(400, { 600: 100, 615: 100, 630: 100, 645: 100 }).areRounded, false));
  });

  describe('gaps in time', () => {
    const days = (from: number, to: number, events: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => ({ day: from + index, events, entities: events }));
    it('a week of many events is missing', () =>
      assert.deepEqual(timeGaps([...days(0, 30, 10), ...days(38, 70, 10)]), [{ from: 31, to: 37, expected: 70 }]));
    it('six days are none', () => assert.deepEqual(timeGaps([...days(0, 30, 10), ...days(37, 70, 10)]), []));
    it('few events a week are none', () =>
      assert.deepEqual(
        timeGaps(Array.from({ length: 20 }, (_, index) => ({ day: index * 9, events: 1, entities: 1 }))),
        [],
      ));
    it('events of a few entities that come together tell of none', () =>
      assert.deepEqual(
        timeGaps([...days(0, 30, 10), ...days(38, 70, 10)].map((each) => ({ ...each, entities: 1 }))),
        [],
      ));
    it('one early event makes none', () =>
      assert.deepEqual(timeGaps([{ day: 0, events: 1, entities: 1 }, ...days(400, 500, 10)]), []));
  });

  describe('shifts', () => {
    // Waits from a minute to three hours.
    const usual = Array.from({ length: 180 }, (_, index) => (index + 1) * 60);
    it('two hours', () =>
      assert.deepEqual(
        shiftOf([...usual, ...usual.filter((_, index) => index % 4 === 0).map((wait) => wait - 7_200)]),
        { hours: 2 },
      ));
    it('exchanged times are none', () =>
      assert.equal(
        shiftOf([...usual, ...usual.filter((_, index) => index % 9 === 0).map((wait) => -wait * wait)]),
        undefined,
      ));
    it('few are none', () => assert.equal(shiftOf([...usual, -60, -120]), undefined));

    const moved = (waits: readonly number[], hours: number): readonly number[] =>
      waits.map((wait) => wait + hours * 3_600);
    it('all events are an hour late', () =>
      assert.deepEqual(wholeShiftOf(moved(usual, -1), moved(usual, 1)), { hours: 1 }));
    it('waits on the other side that are shorter rule that out', () =>
      assert.equal(wholeShiftOf(moved(usual, -1), [600, ...moved(usual, 1)]), undefined));
    it('so do waits that are all long', () => assert.equal(wholeShiftOf(moved(usual, -1), moved(usual, 3)), undefined));
  });

  describe('accepted', () => {
    const findings = [
      { kind: 'midnight-times', element: 'Place Order', column: 'placed' },
      { kind: 'midnight-times', element: 'Pay', column: 'paid' },
    ] as const;
    const accept = (...entries: Parameters<typeof acceptFindings>[1]) => {
      const { findings: marked, stale } = acceptFindings(findings, entries);
      return [marked.map(({ accepted }) => accepted), stale.length];
    };
    it('by kind, element and column', () =>
      assert.deepEqual(
        accept({ finding: 'midnight-times', element: 'Place Order', column: 'placed', reason: 'only dates are known' }),
        [['only dates are known', undefined], 0],
      ));
    it('of all elements without one', () =>
      assert.deepEqual(accept({ finding: 'midnight-times', reason: 'x' }), [['x', 'x'], 0]));
    it('another column accepts none and is stale', () =>
      assert.deepEqual(accept({ finding: 'midnight-times', element: 'Pay', column: 'due' }), [
        [undefined, undefined],
        1,
      ]));
  });
});
