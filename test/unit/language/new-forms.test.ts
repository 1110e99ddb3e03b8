import assert from 'node:assert/strict';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { hoverEntityGraph } from '../../../server/src/language/hover.ts';
import { findingTokens } from '../../support/finding-tokens.ts';
import type { SqlValidator } from '../../../server/src/language/sql/sql-validator.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { toEnd } from '../../../server/src/model/steps.ts';
import { openDuckDbValidator } from '../../../server/src/operations/validation/duckdb-validator.ts';
import { loadPostgresqlValidator } from '../../../server/src/sql/postgresql-validator.ts';
import { withCursor, withRanges } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const head = 'version: 1\ndataSource: shop\n';

const order = (lines: string): string =>
  `${head}elements:\n  - activityName: Order\n    dataObject: orders\n    key: id\n${lines}`;

const three = `${head}elements:
  - { activityName: Order, dataObject: orders, key: id, startTimestamp: placed_at }
  - { activityName: Win, dataObject: customers, key: id, startTimestamp: since }
  - { activityName: Ship, dataObject: orders, key: id, entityType: delivery, startTimestamp: shipped_on }
relationships:
  - { name: buys, source: Win, target: Order, mappings: [{ source: id, target: customer_id }] }
  - { name: delivers, source: Ship, target: Order, mappings: [{ source: id, target: id }] }
  - { name: before, source: Order, target: Order, mappings: [{ source: id, operator: "<", target: id }] }
`;
const path = (entry: string): string => `${three}  - ${entry}\n`;

describe('computed times, renamed properties and paths › problems', () => {
  let sqlValidator: SqlValidator;
  before(async () => (sqlValidator = await loadPostgresqlValidator()));

  /** A text with the underlined part, the codes in order, and a word of the first message. */
  const cases: readonly (readonly [name: string, marked: string, codes: readonly string[], says?: RegExp])[] = [
    ['a computed time', order("    startTimestamp: { expression: placed_at + interval '1 hour' }\n"), []],
    [
      'a column that is none, in an expression',
      order('    startTimestamp: { expression: ‹|placed|› }\n'),
      ['unknown-column'],
      /"placed" is not a column/,
    ],
    [
      'a joined table in an expression',
      order(
        '    joins: JOIN customers AS c ON c.id = customer_id\n    startTimestamp: placed_at\n    changeTimestamp: { expression: c.since }\n',
      ),
      [],
    ],
    ['broken SQL', order('    startTimestamp: { expression: placed_at ‹|+|› }\n'), ['sql-syntax'], /ends too early/],
    [
      'SQL that leaves its place',
      order('    startTimestamp: { expression: "placed_at ‹|)|› , (1" }\n'),
      ['sql-not-contained'],
    ],
    [
      'an expression that is a comment',
      order('    startTimestamp: { expression: ‹|-- soon|› }\n'),
      ['timestamp-type'],
      /nothing but a comment/,
    ],
    ['no expression', order('    ‹|startTimestamp|›: {}\n'), ['schema-missing-property'], /needs "expression"/],
    [
      'another key beside the expression',
      order('    startTimestamp: { expression: placed_at, ‹|zone|›: UTC }\n'),
      ['schema-unknown-property'],
    ],
    [
      'a renamed property whose column is none',
      order('    startTimestamp: placed_at\n    properties: [{ column: ‹|nte|›, name: remark }]\n'),
      ['unknown-column'],
      /Did you mean "note"/,
    ],
    [
      'two properties of one name',
      order('    startTimestamp: placed_at\n    properties: [note, { column: id, name: ‹|NOTE|› }]\n'),
      ['property-name'],
      /already/,
    ],
    [
      'a name that a column behind it has',
      order('    startTimestamp: placed_at\n    properties: [{ column: id, name: note }, ‹|note|›]\n'),
      ['property-name'],
    ],
    [
      'the id of the event',
      order('    startTimestamp: placed_at\n    properties: [{ column: note, name: ‹|Event_ID|› }]\n'),
      ['property-name'],
      /id of the event/,
    ],
    [
      'a name without a column',
      order('    startTimestamp: placed_at\n    properties: [‹|{ name: note }|›]\n'),
      ['schema-missing-property'],
      /needs "column"/,
    ],
    [
      'one column under two names',
      order(
        '    startTimestamp: placed_at\n    properties: [note, { column: note, name: a }, { column: note, name: b }]\n',
      ),
      [],
    ],
    ['a path', path('{ name: gets, source: Win, target: Ship, path: [buys, delivers] }'), []],
    [
      'a path of a path',
      path(
        '{ name: sends, source: Ship, target: Win, path: [gets] }\n  - { name: gets, source: Win, target: Ship, path: [buys, delivers] }',
      ),
      [],
    ],
    [
      'a step that is no relationship',
      path('{ name: gets, source: Win, target: Ship, path: [‹|buy|›, delivers] }'),
      ['unknown-relationship'],
      /Did you mean "buys"/,
    ],
    [
      'steps that do not meet',
      path('{ name: gets, source: Win, target: Ship, path: [‹|delivers|›, buys] }'),
      ['path-broken'],
      /at entities of type "customers"/,
    ],
    [
      'a direction that does not meet',
      path('{ name: gets, source: Win, target: Order, path: [{ relationship: ‹|buys|›, reverse: true }] }'),
      ['path-broken'],
    ],
    [
      'a path that ends elsewhere',
      path('{ name: gets, source: Win, target: Ship, path: [‹|buys|›] }'),
      ['path-broken'],
      /are of type "delivery"/,
    ],
    [
      'a direction that is not certain',
      path('{ name: next, source: Win, target: Order, path: [buys, ‹|before|›] }'),
      ['path-direction'],
      /reverse: false/,
    ],
    [
      'a direction that is said',
      path('{ name: next, source: Win, target: Order, path: [buys, { relationship: before, reverse: true }] }'),
      [],
    ],
    [
      'paths that are made of each other',
      path(
        '{ name: one, source: Win, target: Order, path: [‹|two|›] }\n  - { name: two, source: Win, target: Order, path: [‹|one|›] }',
      ),
      ['path-cycle', 'path-cycle'],
      /goes through "two"/,
    ],
    [
      'mappings beside a path',
      path('{ name: gets, source: Win, target: Order, path: [buys], mappings: [‹|{ source: id, target: id }|›] }'),
      ['path-not-alone'],
    ],
    ['a path without steps', path('{ name: gets, source: Win, target: Order, ‹|path|›: [] }'), ['schema-value']],
    ['a path without target', path('{ name: ‹|gets|›, source: Win, path: [buys] }'), ['relationship-draft']],
  ];
  for (const [name, marked, codes, says] of cases) {
    it(name, () => {
      const { text, ranges } = withRanges(marked);
      const found = validateEntityGraph({ text, sources, catalog, sqlValidator })
        .filter(({ severity }) => severity === 'error' || severity === 'warning')
        .toSorted((one, other) => one.range.start - other.range.start)
        .filter(({ code }) => code !== 'element-object-not-selected');
      assert.deepEqual(
        found.map(({ code }) => code),
        codes,
        JSON.stringify(found),
      );
      const underlined = found.map(({ range }) => text.slice(range.start, range.end));
      assert.deepEqual(
        underlined,
        ranges.map(({ start, end }) => text.slice(start, end)),
      );
      if (says) assert.match(found[0]?.message ?? '', says);
    });
  }
});

describe('computed times › types, where the embedded engine runs them', () => {
  const cases: readonly (readonly [marked: string, type: string | undefined])[] = [
    ['{ expression: ‹|note || id|› }', 'VARCHAR'],
    ['{ expression: ‹|id + 1|› }', 'INTEGER'],
    ['{ expression: "‹|placed_at - shipped_on|›" }', 'INTERVAL'],
    ['{ expression: placed_at + INTERVAL 1 DAY }', undefined],
    ['{ expression: shipped_on }', undefined],
    [`{ expression: "try_strptime(note, '%Y')" }`, undefined],
    [`{ expression: "timezone('UTC', placed_at)" }`, undefined],
    ['{ expression: placed_at::TIMESTAMP_NS }', undefined],
  ];
  for (const [marked, type] of cases) {
    it(`${withRanges(marked).text}: ${type ?? 'a time'}`, async () => {
      const duckdb = openDuckDbValidator();
      // As for files: names only, with their own types.
      const objects = catalog.objects.map((object) => ({
        ...object,
        path: [object.name],
        columns: object.columns.map((column) => ({ ...column, type: column.type.replace(/ without.*/, '') })),
      }));
      const files = { ...catalog, kind: 'csv', dialect: 'duckdb', objects } as const;
      const { text, ranges } = withRanges(order(`    startTimestamp: ${marked}\n`));
      const diagnose = () =>
        validateEntityGraph({ text, sources, catalog: files, sqlValidator: duckdb.validator }).filter(
          ({ severity }) => severity === 'error',
        );
      try {
        let problems = diagnose();
        for (; duckdb.isPending(); problems = diagnose()) await duckdb.answered();
        assert.deepEqual(
          problems.map(({ code, range }) => [code, text.slice(range.start, range.end).replaceAll('"', '')]),
          ranges.map(({ start, end }) => ['timestamp-type', text.slice(start, end)]),
        );
        if (type !== undefined) assert.match(problems[0]?.message ?? '', new RegExp(`of type ${type}:`));
      } finally {
        await duckdb.close();
      }
    });
  }
});

describe('computed times, renamed properties and paths › quick fixes', () => {
  const fixed = (text: string): Record<string, string> => {
    const parsed = parseEntityGraph(text);
    const [problem] = validateEntityGraph({ text, sources, catalog }).filter(({ severity }) => severity === 'error');
    assert.ok(problem);
    const fixes = fixesOf(problem, { parsed, sources, catalog });
    return Object.fromEntries(fixes.map(({ title, edits }) => [title, applyEdits(text, edits)]));
  };
  const next = (steps: string): string => path(`{ name: next, source: Win, target: Order, path: ${steps} }`);

  it('add the direction of a step', () => {
    for (const steps of ['[buys, before]', '[buys, { relationship: before }]'])
      assert.deepEqual(fixed(next(steps)), {
        'Follow "before" from source to target': next('[buys, { relationship: before, reverse: false }]'),
        'Follow "before" from target to source': next('[buys, { relationship: before, reverse: true }]'),
      });
  });

  it('correct the name of a relationship', () => {
    assert.deepEqual(fixed(next('[buy]')), { 'Change to "buys"': next('[buys]') });
    assert.deepEqual(fixed(next('[{ relationship: buy }]')), { 'Change to "buys"': next('[{ relationship: buys }]') });
  });
});

describe('computed times, renamed properties and paths › completion', () => {
  const labels = (marked: string): readonly string[] => {
    const { text, offset } = withCursor(marked);
    return completeEntityGraph({ parsed: parseEntityGraph(text), sources, catalog }, offset).map(({ label }) => label);
  };
  const joined = '    joins: JOIN customers AS c ON c.id = customer_id\n';
  const cases: readonly (readonly [string, string, readonly string[], readonly string[]])[] = [
    ['columns for a time, as before', order('    startTimestamp: <|>\n'), ['placed_at', 'shipped_on'], ['expression']],
    [
      'columns and functions in an expression',
      order('    startTimestamp: { expression: <|> }\n'),
      ['note', 'lower'],
      ['source'],
    ],
    [
      'what is joined in an expression',
      order(`${joined}    startTimestamp: { expression: "c.<|>" }\n`),
      ['since'],
      ['note'],
    ],
    ['an expression in a block', order('    startTimestamp:\n      expression: |\n        pl<|>\n'), ['placed_at'], []],
    ['the key of an expression', order('    startTimestamp: { <|> }\n'), ['expression'], ['placed_at']],
    ['columns as properties, as before', order('    properties: [<|>]\n'), ['note'], ['column']],
    ['the keys of a renamed property', order('    properties: [{ <|> }]\n'), ['column', 'name'], ['note']],
    ['columns of a renamed property', order(`${joined}    properties: [{ column: <|> }]\n`), ['note', 'c.name'], []],
    [
      'relationships in a path',
      path('{ name: gets, source: Win, target: Ship, path: [<|>] }'),
      ['buys', 'delivers'],
      ['gets', 'Order'],
    ],
    ['relationships in a list of lines', path('name: gets\n    path:\n      - <|>'), ['buys', 'before'], ['gets']],
    ['a relationship with its direction', path('{ name: gets, path: [{ relationship: <|> }] }'), ['buys'], ['gets']],
    ['directions', path('{ name: gets, path: [{ relationship: buys, reverse: <|> }] }'), ['true', 'false'], []],
  ];
  for (const [name, marked, has, hasNot] of cases) {
    it(name, () => {
      const found = labels(marked);
      assert.deepEqual(
        [has.filter((label) => !found.includes(label)), hasNot.filter((label) => found.includes(label))],
        [[], []],
        JSON.stringify(found),
      );
    });
  }
});

describe('computed times, renamed properties and paths › hover and semantic tokens', () => {
  const hover = (marked: string): string => {
    const { text, offset } = withCursor(marked);
    return hoverEntityGraph({ parsed: parseEntityGraph(text), sources, catalog }, offset)?.markdown.source ?? '';
  };

  it('hover describes the fields', () => {
    assert.match(
      hover(order('    startTimestamp: { expr<|>ession: placed_at }\n')),
      /SQL of the data source that computes/,
    );
    assert.match(hover(order('    properties: [{ column: note, na<|>me: remark }]\n')), /What the property is called/);
    assert.match(hover(order('    properties: [{ column: no<|>te, name: remark }]\n')), /\*\*note\*\* — text/);
  });

  it('hover describes a path and its query', () => {
    const said = hover(path('{ name: gets<|>, source: Win, target: Ship, path: [buys, delivers] }'));
    assert.match(said, /following \*\*buys\*\*, then \*\*delivers\*\* leads\./);
    assert.match(said, /"step_2"\."source_key_1" AS "target_key_1"/);
  });

  it('semantic tokens cover SQL of times, renamed columns and steps', () => {
    const text = path('{ name: gets, source: Win, target: Ship, path: [buys, { relationship: delivers }] }').replace(
      'startTimestamp: placed_at',
      'startTimestamp: { expression: lower(note) }, properties: [{ column: note, name: remark }]',
    );
    const said = toEnd(findingTokens(parseEntityGraph(text), new WeakMap())).map(
      ({ type, range }) => `${type} ${text.slice(range.start, range.end)}`,
    );
    for (const token of ['function lower', 'property note', 'event delivers']) assert.ok(said.includes(token), token);
  });
});
