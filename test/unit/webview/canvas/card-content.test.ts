import assert from 'node:assert/strict';
import type { CardView, MasterDataView } from '../../../../protocol/graph-view.ts';
import { type CardContent, cardContent } from '../../../../webview/src/canvas/card-content.ts';
import { element, lineRange } from '../../../webview/graph-views.ts';
import { plainTextMetrics } from '../plain-text-metrics.ts';

const customers: MasterDataView = {
  isMasterData: true,
  id: 'Buyers',
  name: 'Buyers',
  entityType: 'customer',
  dataObject: 'customers',
  key: ['country', 'number'],
  properties: ['name'],
  allProperties: false,
  values: {},
  range: lineRange(0),
  extent: lineRange(0),
};

const cards: readonly (readonly [what: string, view: CardView, card: CardContent])[] = [
  [
    'a name alone',
    element('Open Incident', 0),
    { title: 'Open Incident', unnamed: false, problemLines: 0, size: { width: 220, height: 38 } },
  ],
  [
    'every line',
    element('Open Incident', 0, {
      dataObject: 'incident',
      startTimestamp: 'opened_at',
      changeTimestamp: 'sys_updated_on',
      properties: ['number', 'priority', 'impact', 'urgency', 'caller'],
      processContext: 'A caller reports it.',
    }),
    {
      title: 'Open Incident',
      unnamed: false,
      dataObject: 'incident',
      startTimestamp: 'opened_at',
      changeTimestamp: 'sys_updated_on',
      properties: 'number, priority, impact, +2',
      problemLines: 0,
      processContext: 'A caller reports it.',
      size: { width: 243, height: 98 },
    },
  ],
  [
    'what identifies the entities of a log, and the column with its activities',
    {
      ...element('Log', 0, { dataObject: 'log' }),
      values: {
        activityName: 'Log',
        dataObject: 'log',
        key: ['case', 'line'],
        entityType: 'order',
        activityColumn: 'step',
      },
    },
    {
      title: 'Log',
      unnamed: false,
      dataObject: 'log',
      entityType: 'order',
      key: 'case, line',
      activityColumn: 'step',
      problemLines: 0,
      size: { width: 220, height: 98 },
    },
  ],
  [
    'a long name is cut at 280 pixels',
    element('Receive the Confirmation of the Carrier in Writing', 0, { allProperties: true }),
    {
      title: 'Receive the Confirmation of the Carrier in Writing',
      unnamed: false,
      properties: 'all properties',
      problemLines: 0,
      size: { width: 280, height: 58 },
    },
  ],
  [
    'one property that does not fit is still named',
    element('Send', 0, { properties: ['a_name_that_is_much_longer_than_the_card', 'b'] }),
    {
      title: 'Send',
      unnamed: false,
      properties: 'a_name_that_is_much_longer_than_the_card, +1',
      problemLines: 0,
      size: { width: 220, height: 58 },
    },
  ],
  [
    'master data, with its entity type if that differs from its name',
    customers,
    {
      title: 'Buyers',
      unnamed: false,
      isMasterData: true,
      dataObject: 'customers',
      entityType: 'customer',
      key: 'country, number',
      properties: 'name',
      problemLines: 0,
      size: { width: 243, height: 98 },
    },
  ],
  [
    'master data that is named after its entity type',
    { ...customers, name: 'customer' },
    {
      title: 'customer',
      unnamed: false,
      isMasterData: true,
      dataObject: 'customers',
      key: 'country, number',
      properties: 'name',
      problemLines: 0,
      size: { width: 220, height: 98 },
    },
  ],
  [
    'why it is unconfigured, without its name',
    {
      ...element('x', 0, {
        unconfigured: {
          message: 'Element 3 is not configured: Activity Name and Start Timestamp are missing. Set activityName.',
          problem: 'Activity Name and Start Timestamp are missing.',
          remedy: 'Set activityName.',
        },
      }),
      activityName: undefined,
    } as unknown as CardView,
    {
      title: 'Unnamed Element',
      unnamed: true,
      problem: 'Activity Name and Start Timestamp are missing. Set activityName.',
      severity: 'error',
      problemLines: 3,
      size: { width: 220, height: 98 },
    },
  ],
  [
    'the worst problem, the number of others, and the last import',
    element('Ship', 0, {
      problems: [
        { id: 'a', severity: 'error', message: 'There is no column "at".', range: lineRange(1) },
        { id: 'b', severity: 'warning', message: 'Nothing uses it.', range: lineRange(2) },
      ],
      imported: { events: 1200, entities: 1 },
    }),
    {
      title: 'Ship',
      unnamed: false,
      imported: '1,200 events · 1 entity',
      problem: 'There is no column "at".',
      severity: 'error',
      moreProblems: 1,
      problemLines: 2,
      size: { width: 220, height: 98 },
    },
  ],
];

describe('card content', () => {
  for (const [what, view, expected] of cards) {
    it(what, () => assert.deepEqual(cardContent(view, plainTextMetrics), expected));
  }

  it('has the same size before and after an import, whose counts stand beside the data object', () => {
    const card = element('Ship', 0, { dataObject: 'orders', startTimestamp: 'shipped' });
    const imported = { events: 125_000, entities: 1200 };
    const [before, after] = [card, { ...card, imported }].map((each) => cardContent(each, plainTextMetrics));
    assert.deepEqual(after?.size, before?.size);
    assert.equal(after?.imported, '125,000 events · 1,200 entities');
    assert.equal(after.importedBeside, '125,000 events');
    // The name of a data object is never cut for them.
    const long = cardContent({ ...card, dataObject: 'a_data_object_of_some_length', imported }, plainTextMetrics);
    assert.equal(long.importedBeside, undefined);
  });
});
