import assert from 'node:assert/strict';
import { diagnoseEntityGraph } from '../../../server/src/language/diagnose.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { catalog, sources } from './shop-catalog.ts';

const head = 'version: 1\ndataSource: shop\n';

/** A text, the title of a fix and the text after it. */
const cases: readonly (readonly [name: string, before: string, title: string, after: string])[] = [
  [
    'a misspelt key',
    `${head}elements:\n  - { activityName: A, dataObject: orders, startTimestmp: placed_at } # note\n`,
    'Change to "startTimestamp"',
    `${head}elements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at } # note\n`,
  ],
  [
    'a misspelt column in quotes',
    `${head}elements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: "placedat"\n`,
    'Change to "placed_at"',
    `${head}elements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: "placed_at"\n`,
  ],
  ['a version', 'version: 2\ndataSource: shop\n', 'Change to "1"', 'version: 1\ndataSource: shop\n'],
  [
    'missing keys in block style',
    `${head}elements:\n  - activityName: A\n    dataObject: orders\n\n  - activityName: B\n    dataObject: customers\n    key: id\n    startTimestamp: since\n`,
    'Add startTimestamp',
    `${head}elements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n\n  - activityName: B\n    dataObject: customers\n    key: id\n    startTimestamp: since\n`,
  ],
  [
    'missing keys in braces',
    `${head}elements: [{ dataObject: orders }]\n`,
    'Add activityName and startTimestamp',
    `${head}elements: [{ activityName: Change orders, dataObject: orders, startTimestamp: placed_at }]\n`,
  ],
  [
    'an object that is not selected, in brackets',
    `${head}dataObjects: [customers]\nelements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n  - { activityName: B, dataObject: customers, key: id, startTimestamp: since }\n`,
    'Add "orders" to dataObjects',
    `${head}dataObjects: [customers, orders]\nelements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n  - { activityName: B, dataObject: customers, key: id, startTimestamp: since }\n`,
  ],
  [
    'an object that is not selected, in a list of lines',
    `${head}dataObjects:\n  - customers # kept\nelements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n  - { activityName: B, dataObject: customers, key: id, startTimestamp: since }\n`,
    'Add "orders" to dataObjects',
    `${head}dataObjects:\n  - customers # kept\n  - orders\nelements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n  - { activityName: B, dataObject: customers, key: id, startTimestamp: since }\n`,
  ],
  [
    'a selected object without element',
    `${head}dataObjects: [orders, customers]\nelements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n\nrelationships: []\n`,
    'Create an element for "customers"',
    `${head}dataObjects: [orders, customers]\nelements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n  - activityName: Change customers\n    dataObject: customers\n    startTimestamp: since\n\nrelationships: []\n`,
  ],
  [
    'a selected object that is not wanted',
    `${head}dataObjects:\n  - customers\n  - orders\nelements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n`,
    'Remove "customers" from dataObjects',
    `${head}dataObjects:\n  - orders\nelements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n`,
  ],
];

describe('quick fixes', () => {
  for (const [name, before, title, after] of cases) {
    it(`mend ${name}`, () => {
      const parsed = parseEntityGraph(before);
      const context = { parsed, graph: parsed.graph, sources, catalog };
      const fixes = diagnoseEntityGraph({ text: before, ...context }).flatMap((problem) => fixesOf(problem, context));
      const fix = fixes.find((each) => each.title === title);
      assert.ok(fix, fixes.map((each) => each.title).join());
      assert.equal(applyEdits(before, fix.edits), after);
    });
  }
});
