import assert from 'node:assert/strict';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { changesAt } from '../../../server/src/language/refactorings/index.ts';
import { type TextEdit, applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import type { ParsedEntityGraph } from '../../../server/src/model/parse-model.ts';
import type { Problem } from '../../../server/src/model/problem.ts';
import { countSoak, isSoak, soakList } from '../../support/soak.ts';
import { damages } from './damage-file.ts';
import { catalog as shop, sources } from './shop-catalog.ts';

const [orders, customers] = shop.objects;
const foreignKeys = [
  { name: 'orders_customer_fk', columns: ['customer_id'], references: { dataObject: 'customers', columns: ['id'] } },
];
const values = [{ value: 'new', label: 'New' }, { value: "o'k" }];
const catalog = {
  ...shop,
  objects: [
    ...(orders
      ? [
          {
            ...orders,
            foreignKeys,
            columns: orders.columns.map((column) => (column.name === 'note' ? { ...column, values } : column)),
          },
        ]
      : []),
    ...(customers ? [customers] : []),
  ],
};

const block = `version: 1
name: Orders # what is sold
dataSource: shop
dataObjects: [orders, customers]
elements:
  # the first
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    properties: [note, customer_id] # two
    where: |
      orders.id > 1
  - activityName: Ship Order # second
    dataObject: orders
    startTimestamp: placed_at
    properties: all
    where: orders.id > 1
  - activityName: Win Customer
    dataObject: customers
    key:
      - id
    startTimestamp: since
    properties:
      - since
      - name # whose
relationships:
  - name: ships
    source: Place Order # who
    target: Ship Order
    mappings:
      - source: id
        target: id
x-note: kept # last
`;

const begun = `version: 1
dataSource: shop
dataObjects: [orders]
elements:
x-note: kept # last
`;

const flow = `version: 1
dataSource: shop
dataObjects:
  - orders
  - customers
elements:
  - { activityName: Place Order, dataObject: orders, startTimestamp: placed_at, properties: [note, id] } # in braces
  - { activityName: Win Customer, dataObject: customers, key: id, startTimestamp: since, properties: all, where: id > 1 }
  - { activityName: Lose Customer, dataObject: customers, key: id, startTimestamp: since, where: id > 1 }
`;

const json = `{
  "version": 1,
  "dataSource": "shop",
  "dataObjects": ["orders", "customers"],
  "elements": [
    { "activityName": "Place Order", "dataObject": "orders", "startTimestamp": "placed_at", "properties": ["note", "id"] },
    {
      "activityName": "Win Customer",
      "dataObject": "customers",
      "key": "id",
      "startTimestamp": "since",
      "properties": "all"
    }
  ]
}
`;

describe('code actions in a damaged file', () => {
  for (const [style, text] of Object.entries({ begun, block, flow, json })) {
    const lines = text.split('\n').slice(0, -1);

    it(`include all actions in the file without damage: ${style}`, () => {
      if (style === 'begun') {
        assert.deepEqual(
          changes(text).map(({ title }) => title),
          ['Create an element for "orders"', 'Add "orders" as master data'],
        );
        return;
      }
      const offered = new Set(changes(text).map(({ title }) => title.replace(/^(\w+).*/, '$1')));
      for (const title of style === 'block' ? ['List', 'Relate', 'Sort', 'Split', 'Write'] : ['Relate'])
        assert.ok(offered.has(title), title);
      assert.deepEqual(wrongChanges(text), []);
    });

    const turns = [...Object.entries(damages).entries()];
    for (const [turn, [kind, damage]] of soakList(turns, turns)) {
      it(`introduce no problem and lose nothing: ${kind}, ${style}`, () => {
        // Each kind damages other lines; the soak has all kinds on all lines.
        const tried = [...lines.entries()].filter(([at]) => isSoak || at % 8 === turn % 8);
        const wrong = tried.flatMap(([at, line]) => {
          const left = damage(line);
          return wrongChanges(`${lines.toSpliced(at, 1, ...(left === undefined ? [] : [left])).join('\n')}\n`);
        });
        assert.deepEqual([...new Set(wrong)], []);
        countSoak(tried.length);
      });
    }
  }
});

interface Change {
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** The proposals at the ends of lines with fields of an element, each change once. */
function changes(text: string, { parsed } = read(text)): readonly Change[] {
  const found = new Map<string, Change>();
  for (const { index } of text.matchAll(/(?<=(?:activityName|properties|where|dataObjects).*)\w+(?=\W*$)/gm)) {
    for (const { title, edits } of changesAt({ parsed, sources, catalog }, index)) {
      const made = edits();
      if ('edits' in made) found.set(`${title} ${JSON.stringify(made.edits)}`, { title, edits: made.edits });
    }
  }
  return [...found.values()];
}

/** The changes of a text that have another effect than they should, and why. */
function wrongChanges(text: string): readonly string[] {
  const reading = read(text);
  const before = reading.problems;
  return changes(text, reading).flatMap(({ title, edits }) => {
    const after = applyEdits(text, edits);
    const problems = problemsOf(after);
    const isJson = text.startsWith('{') && isJsonText(text) && !isJsonText(after);
    const reasons = [
      ...(isJson ? ['it is no JSON any more'] : []),
      ...(after === text ? ['it changes nothing'] : []),
      ...added(before, problems).map((message) => `new: ${message}`),
      ...lost(text, after).map((word) => `"${word}" is lost`),
    ];
    return reasons.map((reason) => `${reason}: ${title}: ${difference(text, after)} → ${difference(after, text)}`);
  });
}

function read(text: string): { readonly parsed: ParsedEntityGraph; readonly problems: readonly Problem[] } {
  const parsed = createGraphParser().parse(text);
  return { parsed, problems: validateEntityGraph({ text, parsed, sources, catalog }) };
}

type Mistake = Pick<Problem, 'code' | 'message' | 'severity'>;

/** By text: a third of the changed texts are equal. */
const known = new Map<string, readonly Mistake[]>();

function problemsOf(text: string): readonly Mistake[] {
  const problems =
    known.get(text) ?? read(text).problems.map(({ code, message, severity }) => ({ code, message, severity }));
  known.set(text, problems);
  return problems;
}

/**
 * New kinds of mistakes: each part of a split entry has those of the whole. A missing key is not reported before a
 * relationship reaches the element.
 */
function added(before: readonly Mistake[], after: readonly Mistake[]): readonly string[] {
  const codes = new Set(before.map(({ code }) => code));
  return after
    .filter(({ code, severity }) => severity !== 'information' && code !== 'missing-key' && !codes.has(code))
    .map(({ code, message }) => `${code} ${message}`);
}

/** Keys and comments that occur more often in one text than in another. */
function lost(before: string, after: string): readonly string[] {
  const words = (text: string): readonly string[] => text.match(/[\w-]+(?="?:(?:\s|$))|(?<=^|\s)#.*/gm) ?? [];
  const left = [...words(after)];
  return words(before).filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function difference(from: string, to: string): string {
  const others = to.split('\n');
  return from
    .split('\n')
    .filter((line) => !others.includes(line))
    .join('\n');
}
