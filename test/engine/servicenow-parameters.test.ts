import assert from 'node:assert/strict';
import type { ServiceNowClient } from '../../server/src/connectors/servicenow/api/client.ts';
import {
  sysparms,
  type AggregateParameters,
  type TableParameters,
} from '../../server/src/connectors/servicenow/api/parameters.ts';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { withClient } from '../support/servicenow-source.ts';

const few = { incidents: 20 };

type Shown = Readonly<Record<string, unknown>>;

interface ListCase {
  readonly parameters: TableParameters;
  /** The query in the address. */
  readonly sent: string;
  /** The result, of 20 incidents. */
  readonly means: (records: readonly Shown[], all: readonly SimulatedRecord[], totalCount: number | undefined) => void;
}

const numbers = (records: readonly Shown[]): readonly unknown[] => records.map(({ number }) => number);
const ordered = (all: readonly SimulatedRecord[]): readonly string[] => all.map(({ number = '' }) => number).sort();

/** One row per documented parameter of lists. */
const lists: readonly ListCase[] = [
  {
    parameters: { query: 'number=INC0000003^ORnumber=INC0000005^ORDERBYDESCnumber' },
    sent: 'sysparm_query=number=INC0000003^ORnumber=INC0000005^ORDERBYDESCnumber',
    means: (records) => assert.deepEqual(numbers(records), ['INC0000005', 'INC0000003']),
  },
  {
    parameters: { matching: { number: 'INC0000003', active: 'true' } },
    sent: 'number=INC0000003&active=true',
    means: (records, all) =>
      assert.equal(
        records.length,
        all.filter(({ number, active }) => number === 'INC0000003' && active === 'true').length,
      ),
  },
  {
    parameters: { matching: { assignment_group: 'Group 1' }, limit: 100 },
    sent: 'assignment_group=Group 1&sysparm_limit=100',
    means: (records) => {
      const keys = new Set(records.map((record) => (record['assignment_group'] as Shown)['value']));
      assert.ok(records.length > 0 && keys.size === 1);
    },
  },
  {
    parameters: { query: 'ORDERBYnumber', limit: 3, offset: 2 },
    sent: 'sysparm_query=ORDERBYnumber&sysparm_limit=3&sysparm_offset=2',
    means: (records, all, totalCount) => {
      assert.deepEqual(numbers(records), ordered(all).slice(2, 5));
      assert.equal(totalCount, 20);
    },
  },
  {
    parameters: { fields: ['number', 'assignment_group.name', 'no_such'], limit: 1 },
    sent: 'sysparm_fields=number,assignment_group.name,no_such&sysparm_limit=1',
    means: ([record]) => assert.deepEqual(Object.keys(record ?? {}), ['number', 'assignment_group.name']),
  },
  {
    parameters: { displayValue: 'all', excludeReferenceLink: true, fields: ['assignment_group'], limit: 1 },
    sent: 'sysparm_display_value=all&sysparm_exclude_reference_link=true&sysparm_fields=assignment_group&sysparm_limit=1',
    means: ([record]) =>
      assert.deepEqual(Object.keys(record?.['assignment_group'] as Shown).sort(), ['display_value', 'value']),
  },
  {
    parameters: { view: 'mobile', limit: 1 },
    sent: 'sysparm_view=mobile&sysparm_limit=1',
    means: ([record]) => assert.deepEqual(Object.keys(record ?? {}).sort(), ['number', 'short_description']),
  },
  {
    parameters: { view: 'mobile', fields: ['state'], limit: 1 },
    sent: 'sysparm_view=mobile&sysparm_fields=state&sysparm_limit=1',
    means: ([record]) => assert.deepEqual(Object.keys(record ?? {}), ['state']),
  },
  {
    parameters: { noCount: true },
    sent: 'sysparm_no_count=true',
    means: (records, _, totalCount) => assert.deepEqual([records.length, totalCount], [20, undefined]),
  },
  {
    parameters: { queryCategory: 'reporting' },
    sent: 'sysparm_query_category=reporting',
    means: (records) => assert.equal(records.length, 20),
  },
  {
    parameters: { query: 'ORDERBYnumber' },
    sent: 'sysparm_query=ORDERBYnumber',
    means: (records, all) =>
      assert.deepEqual(
        numbers(records),
        ordered(all).filter((number) => !/[37]$/.test(number)),
      ),
  },
  {
    parameters: { query: 'ORDERBYnumber', queryNoDomain: true },
    sent: 'sysparm_query=ORDERBYnumber&sysparm_query_no_domain=true',
    means: (records, all) => assert.deepEqual(numbers(records), ordered(all)),
  },
];

/** One row per documented parameter of figures, and the resulting groups. */
const figures: readonly (readonly [
  parameters: AggregateParameters,
  sent: string,
  expected: (groups: readonly (readonly [category: string, records: readonly SimulatedRecord[]])[]) => unknown,
])[] = [
  [
    { count: true, groupBy: ['category'], having: ['count^category^>^11'] },
    'sysparm_count=true&sysparm_group_by=category&sysparm_having=count^category^>^11',
    (groups) =>
      groups.filter(([, records]) => records.length > 11).map(([category, { length }]) => [category, `${length}`]),
  ],
  [
    { count: true, groupBy: ['category'], having: ['count^category^>^1', 'sum^priority^>=^40'] },
    'sysparm_count=true&sysparm_group_by=category&sysparm_having=count^category^>^1,sum^priority^>=^40',
    (groups) =>
      groups
        .filter(([, records]) => records.reduce((sum, { priority }) => sum + Number(priority), 0) >= 40)
        .map(([category, { length }]) => [category, `${length}`]),
  ],
  [
    { count: true, groupBy: ['category'], orderBy: ['COUNT^DESC', 'category'] },
    'sysparm_count=true&sysparm_group_by=category&sysparm_order_by=COUNT^DESC,category',
    (groups) =>
      [...groups]
        .sort(([one, left], [other, right]) => right.length - left.length || (one < other ? -1 : 1))
        .map(([category, { length }]) => [category, `${length}`]),
  ],
  [
    { count: true, groupBy: ['category'], orderBy: ['category^DESC'] },
    'sysparm_count=true&sysparm_group_by=category&sysparm_order_by=category^DESC',
    (groups) =>
      [...groups]
        .sort(([one], [other]) => (one < other ? 1 : -1))
        .map(([category, { length }]) => [category, `${length}`]),
  ],
  [
    { count: true, groupBy: ['category'], query: 'active=true', orderBy: ['category'] },
    'sysparm_count=true&sysparm_group_by=category&sysparm_query=active=true&sysparm_order_by=category',
    (groups) =>
      groups.flatMap(([category, records]) => {
        const { length } = records.filter(({ active }) => active === 'true');
        return length === 0 ? [] : [[category, `${length}`]];
      }),
  ],
  [
    { count: true, groupBy: ['category'], matching: { active: 'true' }, orderBy: ['category'] },
    'active=true&sysparm_count=true&sysparm_group_by=category&sysparm_order_by=category',
    (groups) =>
      groups.flatMap(([category, records]) => {
        const { length } = records.filter(({ active }) => active === 'true');
        return length === 0 ? [] : [[category, `${length}`]];
      }),
  ],
];

function incidents({ instance }: Simulator): readonly SimulatedRecord[] {
  return instance.data.get('incident') ?? [];
}

function lastAddress({ requests }: Simulator): string {
  return [...(requests.at(-1)?.parameters ?? [])].map(([name, value]) => `${name}=${value}`).join('&');
}

const isElsewhere = (table: string, { number = '' }: SimulatedRecord): boolean =>
  table === 'incident' && /[37]$/.test(number);

describe('ServiceNow client › with documented parameters', () => {
  for (const { parameters, sent, means } of lists) {
    it(`lists records with ${JSON.stringify(parameters)}`, async () => {
      await withClient(few, async ({ tables }, simulator) => {
        if (/no_domain|^sysparm_query=ORDERBYnumber$/.test(sent)) simulator.instance.settings.otherDomain = isElsewhere;
        const { records, totalCount } = await tables.list('incident', parameters);
        assert.equal(lastAddress(simulator), sent);
        means(records, incidents(simulator), totalCount);
      });
    });
  }

  it('omits the Link header on request', async () => {
    await withClient(few, async ({ http }) => {
      const links: (string | null)[] = [];
      for (const suppressPaginationHeader of [false, true]) {
        const url = new URL(`${http.baseUrl.href}api/now/table/incident`);
        url.search = sysparms({ limit: 5, suppressPaginationHeader }).toString();
        links.push((await http.send({ method: 'GET', url })).headers.get('link'));
      }
      assert.match(links[0] ?? '', /rel="next"/);
      assert.equal(links[1], null);
    });
  });

  for (const [parameters, sent, expected] of figures) {
    it(`counts records with ${JSON.stringify(parameters)}`, async () => {
      await withClient({ incidents: 40 }, async ({ aggregates }, simulator) => {
        const groups = await aggregates.aggregate('incident', parameters);
        assert.equal(lastAddress(simulator), sent);
        const byCategory = new Map<string, SimulatedRecord[]>();
        for (const record of incidents(simulator)) {
          const category = record['category'] ?? '';
          byCategory.set(category, [...(byCategory.get(category) ?? []), record]);
        }
        const all = [...byCategory].sort(([one], [other]) => (one < other ? -1 : 1));
        const found = groups.map(({ groupedBy, count }) => [groupedBy['category'], count]);
        const wanted = expected(all) as readonly unknown[];
        assert.ok(wanted.length > 0 && (!parameters.having || wanted.length < all.length));
        assert.deepEqual(parameters.orderBy ? found : found.sort(), wanted);
      });
    });
  }

  it('returns aggregates of fields as texts, empty without values', async () => {
    await withClient(few, async ({ aggregates }, simulator) => {
      const fields = ['priority'];
      const parameters = { minFields: fields, maxFields: fields, sumFields: fields, avgFields: fields };
      const [all] = await aggregates.aggregate('incident', parameters);
      const values = incidents(simulator).map(({ priority }) => Number(priority));
      const sum = values.reduce((one, other) => one + other, 0);
      assert.deepEqual(
        [all?.min, all?.max, all?.sum, all?.avg].map((each) => each?.['priority']),
        [String(Math.min(...values)), String(Math.max(...values)), String(sum), (sum / values.length).toFixed(4)],
      );
      const [none] = await aggregates.aggregate('incident', { ...parameters, count: true, query: 'number=none' });
      assert.deepEqual([none?.count, none?.min?.['priority']], ['0', '']);
    });
  });

  it('names the display values of groups', async () => {
    await withClient(few, async ({ aggregates }, simulator) => {
      const groupBy = ['assignment_group'];
      const both = await aggregates.aggregate('incident', { count: true, groupBy, displayValue: 'all' });
      for (const { groupedBy, labels } of both) {
        assert.match(groupedBy['assignment_group'] ?? '', /^[0-9a-f]{32}$/);
        assert.match(labels?.['assignment_group'] ?? '', /^Group \d$/);
      }
      const shown = await aggregates.aggregate('incident', { count: true, groupBy, displayValue: 'true' });
      assert.equal(shown.length, both.length);
      for (const { groupedBy } of shown) assert.match(groupedBy['assignment_group'] ?? '', /^Group \d$/);
      assert.match(lastAddress(simulator), /sysparm_display_value=true$/);
    });
  });

  it('writes display values, and returns the requested shape', async () => {
    await withClient(few, async ({ tables }, simulator) => {
      // New York is four hours behind UTC in summer, five in winter.
      const values = {
        opened_at: '01/07/2024 10:00:00',
        closed_at: '02/01/2024 20:30:00',
        assignment_group: 'Group 1',
      };
      const fields = ['opened_at', 'closed_at', 'assignment_group'];
      const group = simulator.instance.data.get('sys_user_group')?.find(({ name }) => name === 'Group 1')?.['sys_id'];
      const stored = { opened_at: '2024-07-01 14:00:00', closed_at: '2024-01-03 01:30:00', assignment_group: group };
      const parameters = { inputDisplayValue: true, fields, excludeReferenceLink: true } as const;
      assert.deepEqual(await tables.create('incident', values, parameters), stored);
      assert.match(lastAddress(simulator), /^sysparm_input_display_value=true&sysparm_fields=opened_at,closed_at,ass/);
      const id = incidents(simulator)[0]?.['sys_id'] ?? '';
      assert.deepEqual(await tables.update('incident', id, values, parameters), stored);
      assert.deepEqual(await tables.replace('incident', id, values, { ...parameters, displayValue: 'true' }), values);
      assert.deepEqual(await tables.get('incident', id, { fields, excludeReferenceLink: true }), stored);
      const raw = await tables.update('incident', id, { opened_at: '2024-07-01 10:00:00' }, { fields: ['opened_at'] });
      assert.deepEqual(raw, { opened_at: '2024-07-01 10:00:00' });
    });
  });

  it('reaches records of other domains only on request', async () => {
    await withClient(few, async ({ tables }, simulator) => {
      simulator.instance.settings.otherDomain = isElsewhere;
      const id = incidents(simulator).find((record) => isElsewhere('incident', record))?.['sys_id'] ?? '';
      await assert.rejects(tables.update('incident', id, { state: '2' }), { code: 'object-missing' });
      const across = { queryNoDomain: true } as const;
      assert.equal((await tables.update('incident', id, { state: '2' }, across))['state'], '2');
      await assert.rejects(tables.remove('incident', id), { code: 'object-missing' });
      await tables.remove('incident', id, across);
      assert.equal(incidents(simulator).length, 19);
    });
  });

  it('omits the record from responses to writes on request', async () => {
    await withClient(few, async ({ tables }, simulator) => {
      const quiet = { noResponseBody: true } as const;
      const made = await tables.create('incident', { number: 'N1' }, {}, quiet);
      const record = incidents(simulator).find(({ number }) => number === 'N1');
      assert.deepEqual(made, { sys_id: record?.['sys_id'] });
      assert.deepEqual(await tables.update('incident', record?.['sys_id'] ?? '', { state: '2' }, {}, quiet), {});
      assert.deepEqual(await tables.replace('incident', record?.['sys_id'] ?? '', { state: '3' }, {}, quiet), {});
      assert.equal(record?.['state'], '3');
      const sent = simulator.requests.map(({ headers }) => headers['x-no-response-body']);
      assert.deepEqual(sent, ['true', 'true', 'true']);
    });
  });

  it('attaches files with the given key and time', async () => {
    await withClient(few, async ({ attachments }, simulator) => {
      const recordId = incidents(simulator)[0]?.['sys_id'] ?? '';
      const file = { table: 'incident', recordId, fileName: 'a.txt', contentType: 'text/plain' };
      const content = Buffer.from('a');
      const meta = await attachments.upload({
        ...{ ...file, content },
        encryptionContext: 'c'.repeat(32),
        creationTime: '2024-01-02 03:04:05',
      });
      assert.deepEqual([meta['encryption_context'], meta['sys_created_on']], ['c'.repeat(32), '2024-01-02 03:04:05']);
      assert.equal(
        lastAddress(simulator),
        `table_name=incident&table_sys_id=${recordId}&file_name=a.txt&encryption_context=${'c'.repeat(32)}&creation_time=2024-01-02 03:04:05`,
      );
    });
  });
});

/** One row per setting of the instance: the result of 20 for a query with a missing or unreadable field. */
const invalid: readonly (readonly ['ignore' | 'none' | 'forbid', number | RegExp])[] = [
  ['ignore', 20],
  ['none', 0],
  ['forbid', /Insufficient rights to query records: Field\(s\) present in the query do not have permission to be read/],
];

describe('ServiceNow client › invalid encoded queries', () => {
  for (const [mode, expected] of invalid) {
    for (const query of ['no_such_field=1', 'category=network']) {
      it(`${query}, where instances ${mode} them`, async () => {
        await withClient(few, async (client: ServiceNowClient, { instance }) => {
          instance.settings.invalidQuery = mode;
          instance.settings.hiddenFields = new Set(['incident.category']);
          const list = client.tables.list('incident', { query });
          const count = client.aggregates.count('incident', query);
          if (typeof expected === 'number') {
            assert.deepEqual([(await list).records.length, await count], [expected, expected]);
            return;
          }
          await assert.rejects(list, { code: 'permission-denied', message: expected });
          await assert.rejects(count, { code: 'permission-denied' });
        });
      });
    }
  }

  it('accepts control characters in response texts', async () => {
    await withClient(few, async ({ tables }, simulator) => {
      const text = 'one\u000btwo\nthree\u0000\u001f "quoted" \\n \\';
      // As some fields arrive: unescaped, which JSON does not allow.
      const raw = JSON.stringify(text).replace(/\\(?:u00(..)|n)(?! )/g, (_, code = '0a') =>
        String.fromCharCode(parseInt(String(code), 16)),
      );
      simulator.failNext({ kind: 'answer', body: `{"result":\n[{"sys_id":"a",\t"short_description":${raw}}]}` });
      const { records } = await tables.list('incident');
      // eslint-disable-next-line no-control-regex -- the pattern matches control characters
      const spaced = (shown: unknown): string => String(shown).replace(/[\u0000-\u001f]/g, ' ');
      assert.equal(spaced(records[0]?.['short_description']), spaced(text));
      assert.equal(simulator.requests.length, 1);
    });
  });
});
