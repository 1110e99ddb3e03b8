import assert from 'node:assert/strict';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { nameAt, renameSymbol } from '../../../server/src/language/names.ts';
import { importedRules, brokenRules } from '../../../server/src/language/imported-rules.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { withCursor } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const text = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, entityType: order, startTimestamp: placed_at }
  - { activityName: Register Customer, dataObject: customers, entityType: customer, startTimestamp: registered_at }
relationships:
  - { name: placed by, source: Place Order, target: Register Customer, mappings: [{ source: customer_id, target: id }] }
rules:
  - name: Orders are placed once
    severity: error
    each: { entityType: order }
    expect:
      - { activity: Register Customer, before: Place Order, within: 5d }
      - { relationship: placed by, count: "1..2" }
      - { from: Register Customer, to: Place Order, atLeast: 1h, atMost: 2w }
    atLeast: 95%
  - name: Customers are registered
    each: { activity: Place Order, where: id > 0 }
    expect: [{ never: Register Customer, of: customer }, { sql: id > 0 }]
`;

const problemsOf = (of: string): readonly (readonly string[])[] =>
  validateEntityGraph({ text: of, sources }).map(({ code, range }) => [code, of.slice(range.start, range.end)]);

describe('process rules in the language', () => {
  it('have no problems if they are correct', () => assert.deepEqual(problemsOf(text), []));

  const pairs: readonly (readonly [what: string, one: string, other: string, isContradiction: boolean])[] = [
    ['what must and must not be', 'activity: Place Order', 'never: Place Order', true],
    [
      'counts without a common number',
      'activity: Place Order, count: "3.."',
      'activity: Place Order, count: "1..2"',
      true,
    ],
    [
      'counts with a common number',
      'activity: Place Order, count: "2.."',
      'activity: Place Order, count: "1..2"',
      false,
    ],
    ['related entities', 'relationship: placed by, count: "0"', 'relationship: placed by', true],
    [
      'times without a common one',
      'from: Register Customer, to: Place Order, atLeast: 1w',
      'from: Register Customer, to: Place Order, atMost: 1d',
      true,
    ],
    [
      'times from other beginnings',
      'from: Register Customer, to: Place Order, atLeast: 1w, take: first',
      'from: Register Customer, to: Place Order, atMost: 1d, take: last',
      false,
    ],
    [
      'soon, and never at all',
      'activity: Place Order, after: Register Customer, within: 5d',
      'never: Place Order, after: Register Customer',
      true,
    ],
    [
      'at some time, and not soon',
      'activity: Place Order, after: Register Customer',
      'never: Place Order, after: Register Customer, within: 5d',
      false,
    ],
    [
      'other places',
      'activity: Place Order, after: Register Customer',
      'never: Place Order, before: Register Customer',
      false,
    ],
  ];
  for (const [what, one, other, isContradiction] of pairs) {
    it(`a problem reports contradictions, in one rule and in two: ${what}`, () => {
      const head = text.slice(0, text.indexOf('rules:'));
      const each = 'each: { entityType: order }';
      const inOne = `${head}rules:\n  - { name: A, ${each}, expect: [{ ${one} }, { ${other} }], atLeast: 50% }\n`;
      const inTwo = (more = ''): string =>
        `${head}rules:\n  - { name: A, ${each}, expect: [{ ${one} }] }\n  - { name: B, ${each}, expect: [{ ${other} }]${more} }\n`;
      const expected = isContradiction ? [['rule-contradiction', `{ ${other} }`]] : [];
      assert.deepEqual([problemsOf(inOne), problemsOf(inTwo())], [expected, expected]);
      assert.deepEqual(problemsOf(inTwo(', atLeast: 50%')), []);
      assert.deepEqual(problemsOf(inTwo().replace('entityType: order }', 'entityType: order, where: id > 1 }')), []);
    });
  }

  const mistakes: readonly (readonly [what: string, from: string, to: string, code: string, at: string])[] = [
    [
      'an activity that no element makes',
      'before: Place Order',
      'before: Place Ordr',
      'rule-unknown-name',
      'Place Ordr',
    ],
    [
      'an entity type that no entity has',
      'each: { entityType: order }',
      'each: { entityType: ordr }',
      'rule-unknown-name',
      'ordr',
    ],
    ['another type that no entity has', 'of: customer', 'of: custom', 'rule-unknown-name', 'custom'],
    ['an unknown relationship', 'relationship: placed by', 'relationship: placed', 'rule-unknown-name', 'placed'],
    ['limits in the wrong order', '"1..2"', '"2..1"', 'impossible-count', '"2..1"'],
    ['times in the wrong order', 'atLeast: 1h', 'atLeast: 3w', 'impossible-count', '3w'],
    ['a deadline without a unit', 'within: 5d', 'within: "5"', 'schema-value', '"5"'],
    ['a deadline without a beginning', 'before: Place Order, ', '', 'rule-incomplete', '5d'],
    [
      'an end as the next event',
      'within: 5d',
      'directly: true, lifecycle: end',
      'rule-incomplete',
      'Register Customer',
    ],
    ['two beginnings', 'within: 5d', 'after: Place Order', 'rule-incomplete', 'Place Order'],
    [
      'two subjects',
      'entityType: order }\n    expect',
      'entityType: order, activity: Place Order }\n    expect',
      'rule-incomplete',
      'Place Order',
    ],
    ['no subject', 'each: { entityType: order }', 'each: { lifecycle: any }', 'rule-incomplete', '{ lifecycle: any }'],
    ['two expectations in one', '{ sql: id > 0 }', '{ sql: id > 0, never: Place Order }', 'rule-incomplete', 'id > 0'],
    [
      'what does not go together',
      'relationship: placed by,',
      'relationship: placed by, within: 1d,',
      'rule-incomplete',
      '1d',
    ],
    ['a time without an end', ', to: Place Order', '', 'rule-incomplete', 'Register Customer'],
    [
      'a time without a limit',
      ', atLeast: 1h, atMost: 2w',
      '',
      'rule-incomplete',
      '{ from: Register Customer, to: Place Order }',
    ],
    ['a share that is none', '95%', '195%', 'schema-value', '195%'],
    ['SQL that leaves its place', 'where: id > 0', 'where: id > 0)', 'sql-not-contained', ')'],
    [
      'two rules of one name',
      'Customers are registered',
      'Orders are placed once',
      'duplicate-rule-name',
      'Orders are placed once',
    ],
    [
      'no expectations',
      'expect: [{ never: Register Customer, of: customer }, { sql: id > 0 }]',
      'expect: []',
      'schema-value',
      'expect',
    ],
    ['a misspelt key', 'severity:', 'severty:', 'schema-unknown-property', 'severty'],
  ];
  for (const [what, from, to, code, at] of mistakes) {
    it(`a problem reports ${what}`, () => {
      const wrong = text.replace(from, to);
      assert.notEqual(wrong, text);
      assert.deepEqual(problemsOf(wrong), [[code, at]]);
    });
  }

  it('a problem reports a missing end of a relationship between entities of one type', () => {
    const own = text
      .replace(
        'rules:',
        'rules:\n  - { name: Chain, each: { entityType: order }, expect: [{ relationship: replaces }] }',
      )
      .replace(
        'relationships:',
        'relationships:\n  - { name: replaces, source: Place Order, target: Place Order, mappings: [{ source: id, target: id }] }',
      );
    assert.deepEqual(problemsOf(own), [['rule-incomplete', 'replaces']]);
    assert.deepEqual(
      problemsOf(own.replace('relationship: replaces', 'relationship: replaces, direction: source')),
      [],
    );
  });

  it('accept any activity if a column holds the activities', () => {
    const byColumn = text.replace('startTimestamp: placed_at', 'startTimestamp: placed_at, activityColumn: note');
    assert.deepEqual(problemsOf(byColumn.replace('before: Place Order', 'before: Paid')), []);
  });

  describe('with a calendar', () => {
    const office =
      'calendars:\n  office: { timeZone: Europe/Berlin, days: Mon-Fri, hours: "08:00-12:00, 13:00-17:00" }\n';
    const working = text.replace('within: 5d', 'within: 2bd').replace('atMost: 2w', 'atMost: 80bh');
    const named = working.replace('    atLeast: 95%', '    calendar: office\n    atLeast: 95%');
    const night = office.replace(/.*\n/u, '').replace('office', 'night');

    it('count business days and hours; it needs no name if it is the only one', () => {
      assert.deepEqual(problemsOf(office + working), []);
      assert.deepEqual(problemsOf(office + night + named), []);
      const [rule] = parseEntityGraph(office + working).graph.rules;
      const times = rule?.expect.flatMap((each) => ('within' in each && each.within ? [each.within.value] : []));
      assert.deepEqual(times, [{ milliseconds: 2 * 8 * 3_600_000, text: '2 bd', isBusiness: true }]);
    });

    const wrong: readonly (readonly [what: string, text: string, code: string, at: string, message: RegExp])[] = [
      ['there is none', working, 'rule-incomplete', '2bd', /Business days and hours are those of a calendar\./u],
      [
        'there are several',
        office + night + working,
        'rule-incomplete',
        '2bd',
        /several calendars\. Add calendar to the rule\./u,
      ],
      [
        'it is unknown',
        office + named.replace('calendar: office', 'calendar: offce'),
        'rule-unknown-name',
        'offce',
        /called "offce"/u,
      ],
      [
        'it limits no time',
        office + text.replace('    expect: [{ never', '    calendar: office\n    expect: [{ never'),
        'rule-incomplete',
        'office',
        /Only limits of times/u,
      ],
    ];
    for (const [what, of, code, at, message] of wrong) {
      it(`a problem reports that ${what}`, () => {
        const [problem, ...others] = validateEntityGraph({ text: of, sources });
        assert.deepEqual([problem?.code, others, of.slice(problem?.range.start, problem?.range.end)], [code, [], at]);
        assert.match(problem?.message ?? '', message);
      });
    }

    it('contradict each other only by one clock', () => {
      const of = (one: string, other: string): string =>
        `${office}${text.slice(0, text.indexOf('rules:'))}rules:\n${[one, other]
          .map(
            (limit, index) =>
              `  - { name: R${index}, each: { entityType: order }, expect: [{ from: Register Customer, to: Place Order, ${limit} }] }\n`,
          )
          .join('')}`;
      assert.deepEqual(
        problemsOf(of('atLeast: 3bd', 'atMost: 1bd')).map(([code]) => code),
        ['rule-contradiction'],
      );
      assert.deepEqual(problemsOf(of('atLeast: 3d', 'atMost: 1bd')), []);
    });

    it('are completed, renamed with the calendar, and have no result after it has changed', () => {
      for (const [from, to, expected] of [
        ['calendar: office', 'calendar: <|>', 'office'],
        ['within: 2bd', 'within: <|>', '2bd'],
      ] as const) {
        const { text: plain, offset } = withCursor((office + named).replace(from, to));
        const found = completeEntityGraph({ parsed: parseEntityGraph(plain), sources, catalog }, offset);
        assert.ok(found.some(({ label }) => label === expected));
      }
      const whole = office + named;
      const parsed = parseEntityGraph(whole);
      const name = nameAt(parsed.graph, whole.indexOf('calendar: office') + 11);
      assert.ok(name);
      const outcome = renameSymbol(parsed, name, 'desk');
      assert.ok('edits' in outcome);
      assert.equal(
        applyEdits(whole, outcome.edits),
        whole.replace('  office:', '  desk:').replace('calendar: office', 'calendar: desk'),
      );
      const numbers = { judged: 4, kept: 1, broken: 3, pending: 0, holds: false };
      const imported = importedRules(whole, [{ name: 'Orders are placed once', ...numbers }]);
      const broken = (of: string): number => brokenRules(parseEntityGraph(of).graph, of, imported).length;
      assert.deepEqual([broken(whole), broken(whole.replace('17:00', '18:00'))], [1, 0]);
    });
  });

  const completions: readonly (readonly [what: string, marked: string, first: readonly string[]])[] = [
    ['activities', text.replace('before: Place Order', 'before: <|>'), ['Place Order', 'Register Customer']],
    ['entity types', text.replace('of: customer', 'of: <|>'), ['order', 'customer']],
    ['relationships', text.replace('relationship: placed by', 'relationship: <|>'), ['placed by']],
    [
      'names of rules in the business rules of an activity',
      text.replace('startTimestamp: placed_at', 'startTimestamp: placed_at, processContext: { businessRules: [<|>] }'),
      ['Orders are placed once'],
    ],
    ['durations of a deadline', text.replace('within: 5d', 'within: <|>'), ['1h', '1d', '5d', '2w']],
    ['durations of the time between', text.replace('atMost: 2w', 'atMost: <|>'), ['1h', '1d', '5d', '2w']],
    ['no durations for the share of a rule', text.replace('atLeast: 95%', 'atLeast: <|>'), []],
    ['severities', text.replace('severity: error', 'severity: <|>'), ['error', 'warning', 'info']],
    ['keys', text.replace('    atLeast: 95%', '    <|>'), ['description', 'atLeast']],
  ];
  for (const [what, marked, first] of completions) {
    it(`completion offers ${what}`, () => {
      const { text: plain, offset } = withCursor(marked);
      const found = completeEntityGraph({ parsed: parseEntityGraph(plain), sources, catalog }, offset);
      assert.deepEqual(found.map(({ label }) => label).slice(0, first.length || undefined), first);
    });
  }
});
