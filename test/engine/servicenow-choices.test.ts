import assert from 'node:assert/strict';
import type { Catalog, KnownValue } from '../../server/src/catalog/catalog.ts';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import { insertRecord, type Instance } from '../simulator/instance.ts';
import { withInstance } from '../support/servicenow-source.ts';

function valuesOf({ objects }: Catalog, dataObject: string, column: string): readonly KnownValue[] {
  const found = objects.find(({ name }) => name === dataObject);
  return found?.columns.find(({ name }) => name === column)?.values ?? [];
}

function labelsOf(catalog: Catalog, dataObject = 'incident', column = 'category'): readonly (string | undefined)[] {
  return valuesOf(catalog, dataObject, column).map(({ label }) => label);
}

/** The logged-in user has chosen a language; the instance has another. */
function speak(instance: Instance, language: string, ofInstance = ''): void {
  const [user] = instance.data.get('sys_user') ?? [];
  assert.ok(user);
  user['preferred_language'] = language;
  instance.settings.userId = user['sys_id'] ?? '';
  if (ofInstance !== '') insertRecord(instance, 'sys_properties', { name: 'glide.sys.language', value: ofInstance });
}

const isCategory = ({ name, element }: SimulatedRecord): boolean => name === 'incident' && element === 'category';

const english = ['Network', 'Software', 'Hardware'];
const german = english.map((label) => `${label} (de)`);
const french = english.map((label) => `${label} (fr)`);

/** Labels of another language. */
function translate({ data }: Instance, language: string): void {
  const rows = data.get('sys_choice')?.filter((row) => isCategory(row) && row['language'] === 'en') ?? [];
  for (const [index, row] of rows.entries()) {
    const own = { sys_id: `${language}${index}`, language, label: `${row['label']} (${language})` };
    data.get('sys_choice')?.push({ ...row, ...own });
  }
}

function keepOnly({ data }: Instance, isKept: (row: SimulatedRecord) => boolean): void {
  data.set('sys_choice', data.get('sys_choice')?.filter((row) => !isCategory(row) || isKept(row)) ?? []);
}

/** One row per instance: the settings, and the resulting labels. */
const spoken: readonly (readonly [
  what: string,
  prepare: (instance: Instance) => void,
  settings: Readonly<Record<string, unknown>>,
  expected: readonly (string | undefined)[],
])[] = [
  ['in English by default', () => undefined, {}, english],
  ['in the language of the user', (instance) => speak(instance, 'de'), {}, german],
  ['in the language of the settings', (instance) => speak(instance, 'en'), { language: 'DE' }, german],
  [
    'in the language of the settings rather than that of the user',
    (instance) => speak(instance, 'de'),
    { language: 'en' },
    english,
  ],
  ['in English where that language has none', (instance) => speak(instance, 'xx'), {}, english],
  [
    'in the language of the instance if the user has chosen none',
    (instance) => {
      translate(instance, 'fr');
      speak(instance, '', 'fr');
    },
    {},
    french,
  ],
  [
    'in the language of the instance without labels in English and in the language of the user',
    (instance) => {
      translate(instance, 'fr');
      keepOnly(instance, ({ language }) => language === 'fr');
      speak(instance, 'de', 'fr');
    },
    {},
    french,
  ],
  [
    'per value: an English label replaces a missing one',
    (instance) => {
      keepOnly(instance, ({ language, value }) => language === 'en' || value !== 'software');
      speak(instance, 'de');
    },
    {},
    ['Network (de)', 'Software', 'Hardware (de)'],
  ],
  [
    'in English if the user may not read users or properties',
    (instance) => {
      speak(instance, 'de', 'de');
      instance.settings.mayRead = (table) => table !== 'sys_user' && table !== 'sys_properties';
    },
    {},
    english,
  ],
  [
    'in English if the instance ignores the filter by user',
    (instance) => {
      speak(instance, 'de');
      for (const user of instance.data.get('sys_user') ?? []) user['preferred_language'] = 'de';
      instance.settings.hiddenFields = new Set(['sys_user.sys_id']);
    },
    {},
    english,
  ],
  [
    'in the language of the user if records reveal it',
    (instance) => speak(instance, 'de'),
    { displayValue: 'true', language: 'en' },
    [],
  ],
];

describe('ServiceNow › choice labels', () => {
  for (const [what, prepare, settings, expected] of spoken) {
    it(`are ${what}`, async () => {
      const only = { tables: ['incident'], ...settings };
      await withInstance({ incidents: 5, settings: only }, async (connector, { instance }) => {
        prepare(instance);
        const catalog = await connector.describe({});
        const values = valuesOf(catalog, 'incident', 'category').map(({ value }) => value);
        if (expected.length === 0) return assert.deepEqual(values, german);
        assert.deepEqual(labelsOf(catalog), expected);
        assert.deepEqual(values, ['network', 'software', 'hardware']);
        assert.deepEqual(catalog.warnings, []);
      });
    });
  }

  it('the language is requested once, and not at all without choices', async () => {
    const tables = ['incident', 'problem', 'cmdb_ci'];
    const isAsked = ({ path }: { readonly path: string }): boolean => /\/sys_(?:user|properties)$/.test(path);
    const settings = { tables, dotWalked: { incident: ['problem_id.priority'] } };
    await withInstance({ incidents: 5, settings }, async (connector, { requests }) => {
      await connector.describe({});
      assert.equal(requests.filter(isAsked).length, 2);
    });
    await withInstance({ incidents: 5, settings: { tables: ['cmdb_ci'] } }, async (connector, { requests }) => {
      await connector.describe({});
      assert.deepEqual(requests.filter(isAsked), []);
    });
  });

  it('are in English when the instance refuses or cancels the language query', async () => {
    for (const fault of [{ kind: 'status', status: 403 }, { kind: 'cancelled' }] as const) {
      await withInstance({ incidents: 5, settings: { tables: ['incident'] } }, async (connector, simulator) => {
        speak(simulator.instance, 'de', 'de');
        simulator.failNext(fault, { times: 20, on: ({ path }) => /\/sys_(?:user|properties)$/.test(path) });
        const catalog = await connector.describe({});
        assert.deepEqual([labelsOf(catalog), catalog.warnings], [english, []]);
      });
    }
  });
});
