import assert from 'node:assert/strict';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const graph = (more: string): string => `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, entityType: order, startTimestamp: placed_at, properties: [number, note] }
  - { activityName: Register Customer, dataObject: customers, entityType: good customer, startTimestamp: registered_at, properties: [{ column: name, name: full name }] }
relationships:
  - { name: placed by, source: Place Order, target: Register Customer, mappings: [{ source: customer_id, target: id }] }
${more}`;

const ruleOf = (each: string, sql: string): string =>
  `rules:\n  - { name: Other, each: { activity: Place Order }, expect: [{ sql: number > 1 }] }\n  - name: Rule\n    each: { ${each} }\n    expect:\n      - sql: ${sql}\n`;
const measureOf = (each: string, sql: string): string =>
  `measures:\n  - name: M\n    each: { ${each} }\n    sql: ${sql}\n`;

describe('completion in the SQL of rules and measures', () => {
  const offered = (marked: string) => {
    const { text, offset } = withCursor(marked);
    return completeEntityGraph({ parsed: parseEntityGraph(text), sources, catalog }, offset);
  };
  const names = ['number', 'note', '"full name"'];
  const ofEntities = ['key', 'events', 'first', 'last'];
  const cases: readonly (readonly [what: string, text: string, texts: readonly string[]])[] = [
    ['of an entity', ruleOf('entityType: order', '<|>'), [...names, 'entity', 'order', '"good customer"']],
    [
      'of an event',
      ruleOf('activity: Place Order', 'note = 1 AND <|>'),
      [...names, 'event', 'entity', 'order', '"good customer"'],
    ],
    ['behind event', ruleOf('activity: Place Order', 'event.<|>'), ['time', 'activity']],
    ['behind event of a judged entity', ruleOf('entityType: order', 'event.<|>'), []],
    ['behind entity', ruleOf('entityType: order', 'number > entity.<|>'), ofEntities],
    ['behind a type', ruleOf('entityType: order', "'max(order.<|>) > 1'"), ['number', 'note', ...ofEntities]],
    ['behind a quoted type', ruleOf('entityType: order', `'"good customer".<|>'`), ['"full name"', ...ofEntities]],
    ['in where', ruleOf("entityType: order, where: 'entity.<|>'", 'true'), ofEntities],
    ['in a measure', measureOf('activity: Place Order', 'event.<|>'), ['time', 'activity']],
    [
      'in the where of a measure',
      measureOf("entityType: order, where: 'order.<|>'", 'number'),
      ['number', 'note', ...ofEntities],
    ],
  ];
  for (const [what, text, texts] of cases) {
    it(`offers the names ${what}`, () => {
      const found = offered(graph(text)).filter(({ kind }) => kind === 'column' || kind === 'dataObject');
      assert.deepEqual(
        found.map(({ label, insertText }) => (insertText.includes('"') ? insertText.replaceAll("'", '') : label)),
        texts,
      );
      for (const { documentation, label } of found) assert.ok(documentation, label);
    });
  }

  it('offers functions of the embedded engine beside them', () => {
    const labels = offered(graph(ruleOf('entityType: order', '<|>'))).map(({ label }) => label);
    assert.ok(labels.includes('date_diff'), labels.join());
    assert.deepEqual(offered(graph(ruleOf('entityType: order', `"note = '<|>'"`))), []);
  });
});
