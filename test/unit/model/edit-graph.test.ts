import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { CrossTableValues, DataObjectName } from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { editGraph } from '../../../server/src/model/edits/edit-graph.ts';
import { identifyElements, identifyRelationships } from '../../../server/src/model/edits/entry-ids.ts';
import type { JsonObject } from '../../../server/src/model/edits/json-value.ts';
import { type TextEdit, applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { countSoak, soakCases, soakRuns } from '../../support/soak.ts';

const text = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers]
elements:
  - activityName: Place Order   # the start of it all
    dataObject: orders
    startTimestamp: placed_at
    properties: [note]
  - activityName: Win Customer
    dataObject: customers
    startTimestamp: since
relationships:
  # who ordered
  - source: Place Order
    target: Win Customer
    mappings:
      - { source: customer_id, operator: "=", target: id }   # the key
`;

function after(intent: CanvasIntent, before = text): string {
  const edit = editGraph({ text: before }, intent);
  assert.ok('edits' in edit, JSON.stringify(edit));
  return applyEdits(before, edit.edits);
}

const named = (...names: readonly string[]) => names.map((name) => ({ name }));

describe('canvas intents › row correlations', () => {
  const before = `dataSource: shop
elements:
  - activityName: Ship
    correlatesWith:
      - { entityType: order, key: order_id }
      - { entityType: carrier, key: carrier_id }   # who brings it
`;
  const remove = (...correlations: { readonly element: string; readonly index: number }[]) =>
    after({ kind: 'remove', elements: [], relationships: [], correlations }, before);

  it('are removed alone, and the field with the last of them', () => {
    const ship = (index: number) => ({ element: 'Ship', index });
    assert.equal(remove(ship(0)), before.replace('      - { entityType: order, key: order_id }\n', ''));
    assert.equal(remove(ship(1), ship(0)), 'dataSource: shop\nelements:\n  - activityName: Ship\n');
    assert.equal(remove(ship(2), { element: 'Return', index: 0 }), before);
  });
});

describe('canvas intents › process rules and measures', () => {
  const ruled = `${text}rules:
  - name: Customers order   # twice
    each: { activity: Win Customer }
    expect:
      - { activity: Place Order, after: Win Customer }
      - { relationship: Place Order → Win Customer }
measures:
  - name: Orders   # in all
    each: { activity: Win Customer }
    duration: { from: Win Customer, to: Place Order }
  - { name: Related, each: { activity: Place Order }, count: { relationship: Place Order → Win Customer } }
`;

  it('call an activity, and relationships named after it, by its new name', () => {
    const values = { activityName: 'Register Customer' };
    assert.equal(
      after({ kind: 'configureElement', element: 'Win Customer', values }, ruled),
      ruled.replaceAll('Win Customer', 'Register Customer'),
    );
  });
});

describe('canvas intents', () => {
  const cases: readonly (readonly [string, CanvasIntent, (readonly [string, string])[], string?])[] = [
    [
      'a provisional element and its data object',
      { kind: 'addElement', dataObject: 'products' },
      [
        ['[orders, customers]', '[orders, customers, products]'],
        ['    startTimestamp: since\n', '    startTimestamp: since\n  - dataObject: products\n'],
      ],
      'element:#2',
    ],
    [
      'only what the dialog changed',
      {
        kind: 'configureElement',
        element: 'Place Order',
        values: {
          where: 'orders.id > 0',
          joins: 'JOIN a ON b',
          properties: ['note', 'id'],
          changeTimestamp: 'shipped_on',
          key: ['id'],
        },
      },
      [
        ['    dataObject: orders\n', '    dataObject: orders\n    key: id\n'],
        ['placed_at\n', 'placed_at\n    changeTimestamp: shipped_on\n'],
        ['[note]\n', '[note, id]\n    joins: JOIN a ON b\n    where: orders.id > 0\n'],
      ],
      'element:Place Order',
    ],
    [
      'a new name with all its uses',
      { kind: 'configureElement', element: 'Place Order', values: { activityName: 'Take: Order' } },
      [
        ['activityName: Place Order', "activityName: 'Take: Order'"],
        ['source: Place Order', "source: 'Take: Order'"],
      ],
      'element:Take: Order',
    ],
    [
      'a process context',
      {
        kind: 'configureElement',
        element: 'Win Customer',
        values: { processContext: { description: 'First contact', businessRules: ['One each'] } },
      },
      [
        [
          'startTimestamp: since\n',
          'startTimestamp: since\n    processContext:\n      description: First contact\n      businessRules: [One each]\n',
        ],
      ],
      'element:Win Customer',
    ],
    [
      'a copy below with a free name',
      { kind: 'duplicateElement', element: 'Win Customer' },
      [
        [
          'startTimestamp: since\n',
          'startTimestamp: since\n  - activityName: Win Customer 2\n    dataObject: customers\n    startTimestamp: since\n',
        ],
      ],
      'element:Win Customer 2',
    ],
    [
      'a draft with a free name',
      { kind: 'addRelationship', source: 'Place Order', target: 'Win Customer' },
      [
        [
          '# the key\n',
          '# the key\n  - name: Place Order → Win Customer 2\n    source: Place Order\n    target: Win Customer\n',
        ],
      ],
      'relationship:Place Order → Win Customer 2',
    ],
    [
      'a further mapping; the one before stays as it is written',
      {
        kind: 'configureRelationship',
        relationship: 'Place Order → Win Customer',
        values: {
          mappings: [{ source: 'customer_id', target: 'id' }, { expression: 'source.id > 0' }],
          correlate: 'source',
        },
      },
      [['# the key\n', '# the key\n      - expression: source.id > 0\n    correlate: source\n']],
      'relationship:Place Order → Win Customer',
    ],
    [
      'a cross table',
      {
        kind: 'configureRelationship',
        relationship: 'Place Order → Win Customer',
        values: {
          mappings: [],
          crossTable: {
            dataObject: 'products',
            sourceMappings: [{ column: 'id', cross: 'order_id' }],
            targetMappings: [{ column: 'id', operator: '>=', cross: 'customer_id' }],
          },
        },
      },
      [
        [
          '    mappings:\n      - { source: customer_id, operator: "=", target: id }   # the key\n',
          '    crossTable:\n      dataObject: products\n      sourceMappings:\n        - { source: id, cross: order_id }\n' +
            "      targetMappings:\n        - { cross: customer_id, operator: '>=', target: id }\n",
        ],
      ],
      'relationship:Place Order → Win Customer',
    ],
    [
      'a cross table of another data source',
      {
        kind: 'configureRelationship',
        relationship: 'Place Order → Win Customer',
        values: {
          crossTable: {
            dataSource: 'itsm',
            dataObject: 'links',
            sourceMappings: [{ column: 'id', cross: 'order_id' }],
            targetMappings: [{ column: 'id', cross: 'customer_id' }],
          },
        },
      },
      [
        [
          '# the key\n',
          '# the key\n    crossTable:\n      dataSource: itsm\n      dataObject: links\n      sourceMappings:\n        - { source: id, cross: order_id }\n' +
            '      targetMappings:\n        - { cross: customer_id, target: id }\n',
        ],
      ],
      'relationship:Place Order → Win Customer',
    ],
    [
      'rules of the process',
      {
        kind: 'addRules',
        rules: [
          {
            name: 'Orders are shipped: soon',
            each: { entityType: 'order' },
            expect: [{ activity: 'Ship', after: 'Place Order', within: '5d' }],
            atLeast: '95%',
          },
        ],
      },
      [
        [
          text,
          `${text}rules:\n  - name: 'Orders are shipped: soon'\n    each: { entityType: order }\n    expect:\n      - { activity: Ship, after: Place Order, within: 5d }\n    atLeast: 95%\n`,
        ],
      ],
    ],
    [
      'a finding that is as it should be',
      {
        kind: 'acceptFinding',
        finding: 'midnight-times',
        element: 'Place Order',
        column: 'placed',
        reason: ' Days only. ',
      },
      [
        [
          text,
          `${text}accepted:\n  - finding: midnight-times\n    element: Place Order\n    column: placed\n    reason: Days only.\n`,
        ],
      ],
    ],
    [
      'an element with its relationships, and the comments that belong to them',
      { kind: 'remove', elements: ['Win Customer'], relationships: [] },
      [
        ['  - activityName: Win Customer\n    dataObject: customers\n    startTimestamp: since\n', ''],
        [
          text.slice(text.indexOf('relationships:'), text.indexOf('   # the key') + '   # the key'.length),
          'relationships: []',
        ],
      ],
    ],
    [
      'row correlations that are no longer in the file',
      { kind: 'remove', elements: [], relationships: [], correlations: [{ element: 'Place Order', index: 0 }] },
      [],
    ],
    [
      'another selection',
      { kind: 'selectDataObjects', dataObjects: named('customers', 'products', 'orders') },
      [['[orders, customers]', '[customers, products, orders]']],
    ],
    [
      'a selection without a data object: its elements go, and their relationships',
      { kind: 'selectDataObjects', dataObjects: named('orders') },
      [
        ['[orders, customers]', '[orders]'],
        ['  - activityName: Win Customer\n    dataObject: customers\n    startTimestamp: since\n', ''],
        [
          text.slice(text.indexOf('relationships:'), text.indexOf('   # the key') + '   # the key'.length),
          'relationships: []',
        ],
      ],
    ],
  ];
  for (const [name, intent, changes, select] of cases) {
    it(name, () => {
      const expected = changes.reduce((result, [from, to]) => {
        assert.ok(result.includes(from), from);
        return result.replace(from, () => to);
      }, text);
      assert.equal(after(intent), expected);
      const edit = editGraph({ text }, intent);
      assert.equal('select' in edit ? edit.select : undefined, select);
    });
  }

  const refusals: readonly (readonly [string, CanvasIntent, RegExp])[] = [
    ['what is gone', { kind: 'configureElement', element: 'Gone', values: {} }, /"Gone" is no longer in the file/],
    [
      'a name that is taken',
      { kind: 'configureElement', element: 'Place Order', values: { activityName: 'Win Customer' } },
      /already called "Win Customer"/,
    ],
    [
      'a reserved name',
      { kind: 'configureElement', element: 'Place Order', values: { activityName: 'self' } },
      /reserved/,
    ],
  ];
  it('adds an element for an object of a group with the data source of the group', () => {
    const grouped = text.replace('[orders, customers]', '[orders, { source: itsm, objects: [incident, orders] }]');
    const added = (dataObject: string) => after({ kind: 'addElement', dataObject }, grouped);
    assert.equal(
      added('incident'),
      grouped.replace('since\n', 'since\n  - dataSource: itsm\n    dataObject: incident\n'),
    );
    // A plain entry belongs to the data source of the file, which is the default.
    assert.equal(added('orders'), grouped.replace('since\n', 'since\n  - dataObject: orders\n'));
  });

  it('selects data objects of other data sources in groups, and leaves those of the data source of the file unchanged', () => {
    const selected = (dataObjects: readonly DataObjectName[], before = text): string | undefined =>
      /^dataObjects: (.*)$/m.exec(after({ kind: 'selectDataObjects', dataObjects }, before))?.[1];
    const own = named('orders', 'customers');
    const incident = { name: 'incident', dataSource: 'itsm' };
    const grouped = text.replace('[orders, customers]', '[orders, customers, { source: itsm, objects: [incident] }]');
    assert.equal(selected([...own, incident]), '[orders, customers, { source: itsm, objects: [incident] }]');
    assert.equal(
      selected([...own, incident, { name: 'orders', dataSource: 'itsm' }, { name: 'x', dataSource: 'files' }], grouped),
      '[orders, customers, { source: itsm, objects: [incident, orders] }, { source: files, objects: [x] }]',
    );
    // Only the one that is meant goes, with its elements.
    const both = grouped.replace('[incident]', '[incident, orders]');
    assert.equal(selected([...own, incident], both), '[orders, customers, { source: itsm, objects: [incident] }]');
    assert.match(after({ kind: 'selectDataObjects', dataObjects: [...own, incident] }, both), /Place Order/);
    assert.equal(selected(own, grouped), '[orders, customers]');
  });

  it('adds an element for a data object of the given data source, and selects it there', () => {
    const added = (dataSource: string, before = text): string =>
      after({ kind: 'addElement', dataObject: 'orders', dataSource }, before);
    assert.equal(added('shop'), text.replace('since\n', 'since\n  - dataObject: orders\n'));
    assert.equal(
      added('itsm'),
      text
        .replace('[orders, customers]', '[orders, customers, { source: itsm, objects: [orders] }]')
        .replace('since\n', 'since\n  - dataSource: itsm\n    dataObject: orders\n'),
    );
    const once = added('itsm');
    assert.match(added('itsm', once), /objects: \[orders\] \}\]/);
  });

  it('refuses the name of an entry of entities, and avoids it for a copy', () => {
    const more = `${text}entities:\n  - { entityType: Place Order 2, dataObject: plans }\n  - { dataObject: materials }\n`;
    for (const activityName of ['Place Order 2', 'materials']) {
      const edit = editGraph(
        { text: more },
        { kind: 'configureElement', element: 'Place Order', values: { activityName } },
      );
      assert.ok('refusal' in edit);
      assert.match(edit.refusal, /already called/);
    }
    assert.match(after({ kind: 'duplicateElement', element: 'Place Order' }, more), /activityName: Place Order 3/);
  });

  for (const [name, intent, message] of refusals) {
    it(`refuses ${name}`, () => {
      const edit = editGraph({ text }, intent);
      assert.ok('refusal' in edit);
      assert.match(edit.refusal, message);
    });
  }
});

/** The edits that restore the text, like an editor's undo. */
function inverse(before: string, edits: readonly TextEdit[]): TextEdit[] {
  let shift = 0;
  return edits.map(({ range, newText }) => {
    const start = range.start + shift;
    shift += newText.length - (range.end - range.start);
    return { range: { start, end: start + newText.length }, newText: before.slice(range.start, range.end) };
  });
}

const columns = fc.constantFrom('id', 'opened_at', 'number', 'priority', 'caller.name', 'Case ID', 'state');
const name = fc.constantFrom('Open Incident', 'Take: it', '# one', "it's", 'Ünïcode ✓', 'a, b', 'Close Case');

/** An intent that fits the current graph. */
function intentFor(graph: JsonObject): fc.Arbitrary<CanvasIntent> {
  const elements = identifyElements(graph).map(({ id }) => id);
  const relationships = identifyRelationships(graph).map(({ id }) => id);
  const element = fc.constantFrom(...elements, 'gone');
  const relationship = fc.constantFrom(...relationships, 'gone');
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
  const mapping = fc.oneof(
    fc.record({ source: columns, target: columns }),
    fc.record({ source: columns, operator: fc.constantFrom('>=', 'like', '!='), target: columns }),
    fc.record({ expression: fc.constantFrom('source.a = target.b', "lower(source.x) = 'a: b'", 'a\nAND b') }),
  );
  return fc.oneof(
    fc.record({ kind: fc.constant('addElement' as const), dataObject: columns }),
    fc.record({ kind: fc.constant('duplicateElement' as const), element }),
    fc.record({
      kind: fc.constant('configureElement' as const),
      element,
      values: fc.record(
        {
          activityName: name,
          startTimestamp: optional(columns),
          key: optional(fc.array(columns, { minLength: 1, maxLength: 3 })),
          properties: fc.oneof(fc.constant('all' as const), fc.uniqueArray(columns), fc.constant(null)),
          where: optional(fc.constantFrom('a = 1', "b = 'x: # y'", 'a\nAND b\n', 'one\n\ntwo')),
          joins: optional(fc.constantFrom('LEFT JOIN a ON b', 'JOIN a\n  ON b\nJOIN c\n')),
          processContext: optional(fc.record({ description: name, links: fc.array(name, { maxLength: 2 }) })),
        },
        { requiredKeys: [] },
      ),
    }),
    fc.record({ kind: fc.constant('addRelationship' as const), source: element, target: element }),
    fc.record({
      kind: fc.constant('configureRelationship' as const),
      relationship,
      values: fc.record(
        {
          name: optional(name),
          mappings: fc.array(mapping, { maxLength: 3 }),
          correlate: optional(fc.constant('none')),
        },
        { requiredKeys: [] },
      ),
    }),
    fc.record({
      kind: fc.constant('remove' as const),
      elements: fc.uniqueArray(element, { maxLength: 1 }),
      relationships: fc.uniqueArray(relationship, { maxLength: 2 }),
    }),
  );
}

describe('canvas intents › a cross table of another data source', () => {
  const crossed = `${text}    crossTable: { dataSource: itsm, dataObject: links, sourceMappings: [{ source: id, cross: order_id }], targetMappings: [{ cross: customer_id, target: id }] }\n`;
  const values = {
    dataObject: 'links',
    sourceMappings: [{ column: 'number', cross: 'order_id' }],
    targetMappings: [{ column: 'id', cross: 'customer_id' }],
  };
  const configured = (crossTable: CrossTableValues) =>
    after(
      { kind: 'configureRelationship', relationship: 'Place Order → Win Customer', values: { crossTable } },
      crossed,
    );

  it('keeps its data source when a mapping changes', () => {
    const expected = crossed.replace('source: id, cross', 'source: number, cross');
    assert.equal(configured({ dataSource: 'itsm', ...values }), expected);
  });

  it('returns to the data source of the file', () => {
    const expected = crossed.replace('dataSource: itsm, ', '').replace('source: id, cross', 'source: number, cross');
    assert.equal(configured(values), expected);
  });
});

describe('fifty random canvas operations', () => {
  const files = [
    text,
    text.replaceAll('\n', '\r\n'),
    ...['incidents/incidents', 'incidents/trail', 'northwind/northwind'].map((file) =>
      readFileSync(`samples/${file}.entity.yaml`, 'utf8'),
    ),
  ];
  for (const [index, file] of files.entries()) {
    it(`restore the file when undone (${index + 1})`, () => {
      let done = 0;
      const steps = 50;
      // Some of them are refused.
      const runs = Math.ceil(soakCases(2 * steps, 4 / files.length) / steps);
      let tried = 0;
      fc.assert(
        fc.property(fc.integer(), (seed) => {
          tried += 1;
          let now = file;
          const undo: TextEdit[][] = [];
          for (let step = 0; step < steps; step += 1) {
            const [intent] = fc.sample(intentFor(parse(now) as JsonObject), { seed: seed + step, numRuns: 1 });
            assert.ok(intent);
            const edit = editGraph({ text: now }, intent);
            if ('refusal' in edit) {
              assert.doesNotMatch(edit.refusal, /would affect other text/, `${JSON.stringify(intent)}\n${now}`);
              continue;
            }
            undo.push(inverse(now, edit.edits));
            now = applyEdits(now, edit.edits);
            done += 1;
          }
          // A comment on a line of its own is lost only with the entry that contains it.
          for (const line of file.split(/\r?\n/).filter((each) => each.startsWith('#'))) assert.ok(now.includes(line));
          for (const edits of undo.toReversed()) now = applyEdits(now, edits);
          assert.equal(now, file);
        }),
        { ...soakRuns(0), numRuns: runs },
      );
      countSoak(done);
      assert.ok(done > (tried * steps) / 4, `${done} operations were done`);
    });
  }
});
