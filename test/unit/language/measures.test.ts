import assert from 'node:assert/strict';
import { entityMeasures } from '../../../server/src/analysis/entity-measures.ts';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { outlineEntityGraph } from '../../../server/src/language/document-symbols.ts';
import { hoverEntityGraph } from '../../../server/src/language/hover.ts';
import { importedMeasures } from '../../../server/src/language/imported-measures.ts';
import { namesOfEveryType } from '../../../server/src/measure-kinds/default-measures.ts';
import { nameAt, renameSymbol } from '../../../server/src/language/names.ts';
import { findingGraphTokens, wholeOrder } from '../../../server/src/language/semantic-tokens.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { toEnd } from '../../../server/src/model/steps.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const text = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, entityType: order, startTimestamp: placed_at, properties: [note] }
  - { activityName: Register Customer, dataObject: customers, entityType: customer, startTimestamp: registered_at, properties: [{ column: id, name: number }] }
relationships:
  - { name: placed by, source: Place Order, target: Register Customer, mappings: [{ source: customer_id, target: id }] }
calendars:
  office: { timeZone: Europe/Berlin, days: Mon-Fri, hours: "08:00-12:00, 13:00-17:00", holidays: [2026-12-25] }
measures:
  - name: Lead time
    severity: error
    calendar: office
    each: { entityType: order, where: note IS NOT NULL }
    duration: { from: Register Customer, to: Place Order, take: last }
    by: [note]
    target: { median: { atMost: 5d }, share: { atMost: 2w, atLeast: 90% }, count: { atLeast: 10 } }
  - name: Customers
    each: { entityType: order }
    count: { relationship: placed by }
    target: { max: { atMost: 1 } }
  - name: Waiting
    each: { activity: Place Order }
    duration: { sincePrevious: true, of: customer }
  - { name: Numbers, each: { activity: Register Customer }, value: number }
`;

const problemsOf = (of: string): readonly (readonly string[])[] =>
  validateEntityGraph({ text: of, sources }).map(({ code, range }) => [code, of.slice(range.start, range.end)]);

describe('measures in the language', () => {
  it('have no problems if they are correct', () => assert.deepEqual(problemsOf(text), []));

  it('cannot be called like those of every entity type', () =>
    assert.deepEqual([...namesOfEveryType], Object.keys(entityMeasures)));

  const mistakes: readonly (readonly [what: string, from: string, to: string, code: string, at: string])[] = [
    ['an unknown activity', 'to: Place Order', 'to: Place Ordr', 'measure-unknown-name', 'Place Ordr'],
    ['an unknown entity type', 'of: customer', 'of: custom', 'measure-unknown-name', 'custom'],
    ['an unknown relationship', 'relationship: placed by', 'relationship: placed', 'measure-unknown-name', 'placed'],
    ['an unknown property', 'value: number', 'value: numbr', 'measure-unknown-name', 'numbr'],
    ['a column that is no property', 'by: [note]', 'by: [id]', 'measure-unknown-name', 'id'],
    ['a time without an end', ', to: Place Order', '', 'measure-incomplete', 'Register Customer'],
    ['two kinds', 'count: { relationship', 'value: note\n    count: { relationship', 'measure-incomplete', 'note'],
    ['no kind', '    count: { relationship: placed by }\n', '', 'measure-incomplete', 'name: Customers'],
    ['two durations', 'take: last', 'sinceLast: true', 'measure-incomplete', 'Register Customer'],
    [
      'the event before of an entity',
      'each: { activity: Place Order }',
      'each: { entityType: customer }',
      'measure-incomplete',
      'customer',
    ],
    [
      'an event in the middle of a time',
      'sincePrevious: true, of: customer',
      'from: Register Customer, to: Register Customer',
      'measure-incomplete',
      'Register Customer',
    ],
    [
      'events and related entities',
      'relationship: placed by',
      'activity: Place Order, relationship: placed by',
      'measure-incomplete',
      'placed by',
    ],
    [
      'two subjects',
      'entityType: order }\n    count',
      'entityType: order, activity: Place Order }\n    count',
      'measure-incomplete',
      'Place Order',
    ],
    [
      'no subject',
      'each: { entityType: order }\n    count',
      'each: { lifecycle: any }\n    count',
      'measure-incomplete',
      '{ lifecycle: any }',
    ],
    ['a number where a time is measured', 'median: { atMost: 5d }', 'median: { atMost: 5 }', 'measure-incomplete', '5'],
    ['a time where a number is measured', 'max: { atMost: 1 }', 'max: { atMost: 1d }', 'measure-incomplete', '1d'],
    [
      'a share without a percentage',
      'atLeast: 90%',
      'atLeast: 1d',
      'measure-incomplete',
      '{ atMost: 2w, atLeast: 1d }',
    ],
    ['an unknown calendar', 'calendar: office', 'calendar: offce', 'measure-unknown-name', 'offce'],
    [
      'a calendar of what is no time',
      'count: { relationship',
      'calendar: office\n    count: { relationship',
      'measure-incomplete',
      'office',
    ],
    ['an unknown time zone', 'Europe/Berlin', 'Europe/Berln', 'unknown-time-zone', 'Europe/Berln'],
    ['hours that overlap', '12:00, 13:00', '12:00, 11:00', 'calendar-incomplete', '"08:00-12:00, 11:00-17:00"'],
    ['hours that are empty', '"08:00-12:00, 13:00-17:00"', '""', 'calendar-incomplete', '""'],
    ['days that are empty', 'days: Mon-Fri', 'days: " "', 'calendar-incomplete', '" "'],
    ['an empty calendar', 'measures:', '  night:\nmeasures:', 'calendar-incomplete', 'night'],
    [
      'limits in the wrong order',
      'count: { atLeast: 10 }',
      'count: { atLeast: 10, atMost: 2 }',
      'measure-incomplete',
      '10',
    ],
    [
      'a lifecycle without from and to',
      '{ sincePrevious: true, of',
      '{ sincePrevious: true, lifecycle: end, of',
      'measure-incomplete',
      'end',
    ],
    [
      'the event before an end',
      'each: { activity: Place Order }',
      'each: { activity: Place Order, lifecycle: end }',
      'measure-incomplete',
      'true',
    ],
    ['days that there are not', 'Mon-Fri', 'Mon-Fry', 'calendar-incomplete', 'Mon-Fry'],
    ['a date that there is not', '2026-12-25', '2026-02-29', 'calendar-incomplete', '2026-02-29'],
    ['a calendar without a zone', 'timeZone: Europe/Berlin, ', '', 'schema-missing-property', 'office'],
    ['a word that is no day', 'Mon-Fri', '[Mon, Fry]', 'schema-value', 'Fry'],
    ['a limit without a unit', 'atMost: 5d', 'atMost: "5"', 'schema-value', '"5"'],
    ['a name twice', 'name: Customers', 'name: Lead time', 'duplicate-rule-name', 'Lead time'],
    ['a name that every entity type has', 'name: Customers', 'name: rework rate', 'duplicate-rule-name', 'rework rate'],
    ['SQL with a closing bracket', 'note IS NOT NULL', 'note IS NOT NULL) OR (1 = 1', 'sql-not-contained', ')'],
    ['a misspelt key', 'severity:', 'severty:', 'schema-unknown-property', 'severty'],
  ];
  for (const [what, from, to, code, at] of mistakes) {
    it(`a problem reports ${what}`, () => {
      const wrong = text.replace(from, to);
      assert.notEqual(wrong, text);
      assert.deepEqual(problemsOf(wrong), [[code, at]]);
    });
  }

  it('a problem reports the name of a rule', () => {
    const rule = 'rules:\n  - { name: Waiting, each: { entityType: order }, expect: [{ activity: Place Order }] }\n';
    const [problem] = validateEntityGraph({ text: text.replace('measures:', `${rule}measures:`), sources });
    assert.equal(problem?.message, 'A rule is already called "Waiting". Give one of them another name.');
  });

  const completions: readonly (readonly [what: string, from: string, to: string, first: readonly string[]])[] = [
    ['activities', 'to: Place Order', 'to: <|>', ['Place Order', 'Register Customer']],
    ['entity types', 'of: customer', 'of: <|>', ['order', 'customer']],
    ['relationships', 'relationship: placed by', 'relationship: <|>', ['placed by']],
    ['properties', 'value: number', 'value: <|>', ['note', 'number']],
    ['properties in a list', 'by: [note]', 'by: [<|>]', ['note', 'number']],
    ['calendars', 'calendar: office', 'calendar: <|>', ['office']],
    ['durations of a limit', 'atMost: 5d', 'atMost: <|>', ['1h', '1d', '5d', '2w']],
    ['numbers of a target', 'max: { atMost: 1 }', '<|>', ['count', 'sum', 'mean']],
    ['keys of a duration', 'take: last', '<|>', ['take', 'sincePrevious', 'sinceLast']],
  ];
  for (const [what, from, to, first] of completions) {
    it(`completion offers ${what}`, () => {
      const { text: plain, offset } = withCursor(text.replace(from, to));
      const found = completeEntityGraph({ parsed: parseEntityGraph(plain), sources, catalog }, offset);
      assert.deepEqual(found.map(({ label }) => label).slice(0, first.length), first);
    });
  }

  it('follow a renamed activity, entity type and relationship', () => {
    const defined = ['activityName: Place Order', 'entityType: order', 'name: placed by', 'calendar: office'];
    for (const definition of defined) {
      const [field = '', name = ''] = definition.split(': ');
      const parsed = parseEntityGraph(text);
      const thing = nameAt(parsed.graph, text.indexOf(definition) + field.length + 2);
      assert.ok(thing?.definition, name);
      const outcome = renameSymbol(parsed, thing, 'Other Name');
      assert.ok('edits' in outcome);
      const renamed = applyEdits(text, outcome.edits);
      const key = text.replace('  office:', name === 'office' ? '  Other Name:' : '  office:');
      assert.equal(renamed, key.replaceAll(new RegExp(`: ${name}\\b`, 'gu'), ': Other Name'));
    }
  });

  it('are coloured: names, properties and SQL', () => {
    const tokens = wholeOrder(toEnd(findingGraphTokens(parseEntityGraph(text), new WeakMap())));
    const inMeasures = tokens.filter(({ range }) => range.start > text.indexOf('measures:'));
    assert.deepEqual(
      inMeasures.slice(0, 6).map(({ type, range }) => [type, text.slice(range.start, range.end)]),
      [
        ['property', 'note'],
        ['keyword', 'IS'],
        ['keyword', 'NOT'],
        ['keyword', 'NULL'],
        ['event', 'Register Customer'],
        ['event', 'Place Order'],
      ],
    );
    assert.deepEqual(inMeasures.map(({ type, range }) => [type, text.slice(range.start, range.end)]).slice(6), [
      ['property', 'note'],
      ['event', 'placed by'],
      ['event', 'Place Order'],
      ['event', 'Register Customer'],
      ['property', 'number'],
    ]);
  });

  it('need a calendar for business days, where the file has none or several', () => {
    const without = text.replace('    calendar: office\n', '').replace('atMost: 5d', 'atMost: 5bd');
    assert.deepEqual(problemsOf(without), []);
    const none = without.replace(/calendars:\n.*\n/u, '');
    const several = without.replace(/( {2})office(.*\n)/u, '$&$1home$2');
    for (const wrong of [none, several]) assert.deepEqual(problemsOf(wrong), [['measure-incomplete', '5bd']]);
  });

  it('are in the outline, and show the numbers of the last import in their hover', () => {
    const parsed = parseEntityGraph(text);
    assert.deepEqual(
      outlineEntityGraph(parsed)
        .at(-1)
        ?.children.map(({ name }) => name),
      ['Lead time', 'Customers', 'Waiting', 'Numbers'],
    );
    const numbers = { unit: 'ms', count: 3, missing: 1, mean: 1, median: 86_400_000, p90: 172_800_000 } as const;
    const found = { name: 'Lead time', met: false, missed: ['median at most 5 d: 6 d'], ...numbers };
    const hover = hoverEntityGraph(
      { parsed, importedMeasures: importedMeasures(text, [found]) },
      text.indexOf('Lead time') + 1,
    );
    assert.match(JSON.stringify(hover?.markdown), /Lead time.*median 1 d, p90 2 d.*median at most 5 d: 6 d/su);
  });
});
