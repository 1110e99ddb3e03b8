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
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed_at, properties: [note] }
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

  it('name events, their entity and related entities in SQL', () => {
    for (const sql of ['customer.number > 1 AND entity.events > 2', "date '2024-01-01' < entity.first", 'note IS NULL'])
      assert.deepEqual(problemsOf(text.replace('note IS NOT NULL', sql)), []);
    const short = text
      .replace('value: number', 'sql: "list_sum(list_transform(list_value(id), i -> i + 1))"')
      .replace('name: number', 'name: id');
    assert.deepEqual(problemsOf(short), []);
    for (const sql of ['count(order.note)', 'EXTRACT(day FROM event.time)', 'customer.number'])
      assert.deepEqual(problemsOf(text.replace('value: number', `sql: ${sql}`)), []);
    const [problem] = validateEntityGraph({ text: text.replace('note IS', 'noet IS'), sources });
    assert.deepEqual([problem?.severity, problem?.suggestions], ['warning', ['note']]);
    assert.equal(problem?.message, 'No property of this file is called "noet". Did you mean "note"?');
  });

  it('leave other words and names of their SQL to the engine', () => {
    const properties = 'properties: [note, amount, width, currency, mode, tags, customer]';
    const own = text.replace('properties: [note]', properties);
    for (const sql of [
      "len(list_filter(string_split(tags, ','), tag -> tag <> 'b')) > 0",
      "len([tag for tag in string_split(tags, ',') if tag <> 'b']) > 0",
      "len(list_filter(tags, lambda tag: tag <> 'b')) > 0",
      'struct_pack(widht := 1).widht = 1',
      'note COLLATE "Note" IS NOT NULL',
      'CAST(amount::"amuont" AS TIMESTAMP WITH TIME ZONE) IS NULL',
      'max(amount) OVER (ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) > 1',
      '"amuont"(amount, 3) > 1',
      'MOD(amount, 2) = 1 OR CURRENT_DATE IS NULL',
      'list_sum(list_transform(tags, l -> l.amount)) = amount',
      'exists(select 1 from unnest(tags) as t(noet) where noet.amount > 3)',
      'delivery.customer IS NULL',
      "noteworthy = 'x'",
    ])
      assert.deepEqual(problemsOf(own.replace('note IS NOT NULL', JSON.stringify(sql))), [], sql);
    const hidden = validateEntityGraph({ text: own.replace('note IS NOT NULL', 'customer.number > 1'), sources });
    assert.match(
      hidden.map(({ severity, message }) => `${severity}: ${message}`).join('\n'),
      /^warning: "customer" is a/,
    );
    const wrong: readonly (readonly [sql: string, at: string, proposal: string])[] = [
      ['count(Customer.key) = 0', 'Customer', 'customer'],
      ['custmer.key IS NULL', 'custmer', 'customer'],
      ['entty.first IS NULL', 'entty', 'entity'],
    ];
    for (const [sql, at, proposal] of wrong) {
      const found = validateEntityGraph({ text: text.replace('note IS NOT NULL', sql), sources });
      const told = found.map(({ severity, suggestions, range: { start, end } }) => [
        severity,
        suggestions,
        end - start,
      ]);
      assert.deepEqual(told, [['error', [proposal], at.length]], sql);
    }
  });

  it('cannot be called like those of every entity type', () =>
    assert.deepEqual([...namesOfEveryType], Object.keys(entityMeasures)));

  const mistakes: readonly (readonly [what: string, from: string, to: string, code: string, at: string])[] = [
    ['an unknown activity', 'to: Place Order', 'to: Place Ordr', 'measure-unknown-name', 'Place Ordr'],
    ['an unknown entity type', 'of: customer', 'of: custom', 'measure-unknown-name', 'custom'],
    ['an unknown relationship', 'relationship: placed by', 'relationship: placed', 'measure-unknown-name', 'placed'],
    ['an unknown property', 'value: number', 'value: numbr', 'measure-unknown-name', 'numbr'],
    ['a column that is no property', 'by: [note]', 'by: [id]', 'measure-unknown-name', 'id'],
    ['a misspelt property in SQL', 'note IS', 'noet IS', 'measure-unknown-name', 'noet'],
    ['a name of events at an entity', 'note IS', 'event.time IS', 'measure-unknown-name', 'event'],
    ['a misspelt name of an entity', 'note IS', 'entity.frst IS', 'measure-unknown-name', 'frst'],
    ['a misspelt property of related entities', 'note IS', 'customer.numbr IS', 'measure-unknown-name', 'numbr'],
    ['a misspelt type of related entities', 'note IS', 'custmer.number IS', 'measure-unknown-name', 'custmer'],
    ['one of several related entities', 'value: number', 'sql: order.note', 'measure-unknown-name', 'order.note'],
    [
      'entities that are not related',
      'value: number',
      'sql: max(customer.number) + count(parcel.id)',
      'measure-unknown-name',
      'count(parcel.id)',
    ],
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

  it('are grouped by a property of the one related entity, or by an aggregate of several', () => {
    const keyed = text.replace('entityType: customer, startTimestamp', 'key: id, entityType: customer, startTimestamp');
    const by = (name: string): string => keyed.replace('by: [note]', `by: ['${name}']`);
    assert.deepEqual(problemsOf(by('customer.number')), []);
    const wrong = [
      ['customer.numbr', /have no property "numbr"\. Did you mean "number"/u],
      ['custmer.number', /no entities of the type "custmer"/u],
    ] as const;
    for (const [name, message] of wrong) {
      const [problem, ...others] = validateEntityGraph({ text: by(name), sources });
      assert.deepEqual([problem?.code, others], ['measure-unknown-name', []]);
      assert.match(problem?.message ?? '', message);
    }
    const several = by('customer.number').replace('target: id }', 'target: name }');
    const [problem] = validateEntityGraph({ text: several, sources });
    assert.match(problem?.message ?? '', /can have several of the type "customer"\. Aggregate them/u);
    assert.deepEqual(problemsOf(several.replace('customer.number', 'max(customer.number)')), []);
    const { text: plain, offset } = withCursor(keyed.replace('by: [note]', 'by: [<|>]'));
    const labels = completeEntityGraph({ parsed: parseEntityGraph(plain), sources, catalog }, offset);
    assert.deepEqual(
      labels.map(({ label }) => label),
      ['note', 'number', 'customer.number'],
    );
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
