import assert from 'node:assert/strict';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { catalog } from './shop-catalog.ts';

const element = (lines: string): string => `elements:\n  - activityName: A\n    dataObject: orders\n${lines}`;
const joined = '    joins: LEFT JOIN customers AS c ON c.id = orders.customer_id\n';

/** A text, required labels, forbidden labels. */
const cases: readonly (readonly [name: string, text: string, has: readonly string[], hasNot: readonly string[]])[] = [
  [
    'columns of the element, and words',
    element('    where: no<|>te IS NULL\n'),
    ['note', 'placed_at', 'AND'],
    ['name', 'orders'],
  ],
  ['a literal block', element('    where: |\n      id > 5\n      AND pl<|>\n'), ['placed_at'], ['name']],
  ['columns of an alias', element(`${joined}    where: c.<|>id > 1\n`), ['name', 'since'], ['note', 'AND']],
  [
    'both tables in scope, qualified',
    element(`${joined}    where: x<|> = 1\n`),
    ['orders.note', 'c.name', 'c'],
    ['note'],
  ],
  ['tables behind JOIN', element('    joins: LEFT JOIN <|>x\n'), ['customers', 'orders'], ['AND']],
  ['words of joins', element('    joins: L<|>\n'), ['LEFT JOIN'], ['IS NULL']],
  ['an empty value', element('    where: <|>\n    key: id\n'), ['note', 'lower', 'CASE'], ['LEFT JOIN']],
  ['an empty value without its space', element('    where:<|>\n'), ['note', 'lower'], []],
  ['an empty value at the end of the file', element('    where: <|>'), ['note', 'lower'], []],
  ['an empty value in braces', 'elements: [{ dataObject: orders, where: <|> }]\n', ['note', 'lower'], []],
  ['empty quotes', element("    where: '<|>'\n"), ['note', 'lower'], []],
  ['a quote that is open', element('    where: "<|>\n    key: id\n'), ['note', 'lower'], []],
  ['a literal block without a line', element('    where: |\n      <|>\n    key: id\n'), ['note', 'lower'], []],
  ['a folded block without a line', element('    joins: >-\n      <|>\n'), ['LEFT JOIN'], ['IS NULL', 'lower']],
  ['a new line of a block', element('    where: |\n      id > 5\n      <|>\n'), ['note', 'AND', 'lower'], []],
  ['nothing on the header of a block', element('    where: |<|>\n'), [], ['note', 'AND']],
  ['nothing in a text of SQL', element("    where: note LIKE 'a <|>\n"), [], ['note', 'AND', 'lower']],
  ['nothing in a comment of SQL', element('    where: |\n      id > 5 -- a <|>\n'), [], ['note', 'AND', 'lower']],
  ['conditions of joins', element(`${joined.trimEnd()} AND <|>\n`), ['c.name', 'coalesce', 'IS NULL', 'LEFT JOIN'], []],
  [
    'tables behind JOIN on the line above',
    element('    joins: |\n      LEFT JOIN\n        <|>\n'),
    ['customers', 'orders'],
    ['AND'],
  ],
  [
    'what is typed inside braces',
    'elements: [{ dataObject: orders, where: no<|> }]\n',
    ['note', 'lower'],
    ['name', 'LEFT JOIN'],
  ],
  ['JSON', '{ "elements": [{ "dataObject": "orders", "where": <|> }] }', ['note', 'lower'], []],
  [
    'an expression that is still empty',
    `${element('')}relationships:\n  - source: A\n    target: A\n    mappings:\n      - expression: <|>\n`,
    ['source', 'target', 'source.note', 'lower'],
    [],
  ],
  [
    'sides of an expression',
    `${element('')}relationships: [{ source: A, target: A, mappings: [{ expression: source.<|>id = 1 }] }]\n`,
    ['note', 'customer_id'],
    ['AND', 'name'],
  ],
];

describe('completion in custom SQL', () => {
  for (const [name, marked, has, hasNot] of cases) {
    it(`offers ${name}`, () => {
      const { text, offset } = withCursor(marked);
      const labels = completeEntityGraph({ parsed: parseEntityGraph(text), catalog }, offset).map(({ label }) => label);
      for (const label of has) assert.ok(labels.includes(label), `${label} is not among ${labels.join()}`);
      for (const label of hasNot) assert.ok(!labels.includes(label), `${label} is among them`);
    });
  }

  /** A source kind, a text, and required and forbidden labels, while no column is known. */
  const unknown: readonly (readonly [kind: string | undefined, text: string, has: string[], hasNot: string[]])[] = [
    ['postgresql', element('    where: <|>\n'), ['to_char', 'coalesce', 'OVERLAPS', 'AND'], ['strptime', 'GLOB']],
    ['csv', element('    where: <|>\n'), ['strptime', 'coalesce', 'GLOB', 'AND'], ['to_char', 'OVERLAPS']],
    ['servicenow', element('    where: active <|>\n'), ['strptime', 'IS NULL'], ['to_char']],
    ['rest', element('    joins: <|>\n'), ['LEFT JOIN', 'ASOF JOIN'], ['TABLESAMPLE']],
    [undefined, element('    where: |\n      <|>\n'), ['coalesce', 'AND'], ['to_char', 'strptime', 'GLOB']],
    [undefined, `dataObjects: [a, b]\n${element('    joins: JOIN <|>\n')}`, ['a', 'b', 'orders'], ['ON']],
    [
      undefined,
      `${element('')}relationships: [{ source: A, target: A, mappings: [{ expression: "<|>" }] }]\n`,
      ['source', 'target', 'lower'],
      ['A'],
    ],
  ];
  for (const [kind, marked, has, hasNot] of unknown) {
    it(`works without a catalog: ${kind ?? 'no source'}, ${marked.split('\n').find((line) => line.includes('<|>'))}`, () => {
      const { text, offset } = withCursor(`dataSource: s\n${marked}`);
      const settings = kind === undefined ? '{}' : `{ s: { kind: ${kind} } }`;
      const { sources } = parseDataSources(`dataSources: ${settings}\n`);
      const labels = completeEntityGraph({ parsed: parseEntityGraph(text), sources }, offset).map(({ label }) => label);
      assert.deepEqual(
        [has.filter((label) => !labels.includes(label)), hasNot.filter((label) => labels.includes(label))],
        [[], []],
        labels.join(),
      );
    });
  }

  const inBackticks: readonly (readonly [line: string, expected: string])[] = [
    ['    where: id = 1 AND <|>', '    where: id = 1 AND `Odd Name`'],
    ['    where: id = 1 AND `Od<|>', '    where: id = 1 AND `Odd Name`'],
    ['    where: id = 1 AND `Od<|>d` = 2', '    where: id = 1 AND `Odd Name` = 2'],
    ['    where: id = 1 AND "Od<|>d" = 2', '    where: id = 1 AND `Odd Name` = 2'],
    ['    where: id = 1 AND `orders`.`Od<|>`', '    where: id = 1 AND `orders`.`Odd Name`'],
    ['    where: "id = 1 AND `Od<|>"', '    where: "id = 1 AND `Odd Name`"'],
  ];
  for (const [line, expected] of inBackticks) {
    it(`completes names of MySQL: ${line.trim()}`, () => {
      const { text, offset } = withCursor(element(`${line}\n`));
      const odd = { ...catalog.objects[0]!.columns[0]!, name: 'Odd Name' };
      const objects = catalog.objects.map((object) => ({ ...object, columns: [...object.columns, odd] }));
      const context = {
        parsed: parseEntityGraph(text),
        catalog: { ...catalog, kind: 'mysql', dialect: 'mysql', objects },
      };
      const proposals = completeEntityGraph(context as Parameters<typeof completeEntityGraph>[0], offset);
      const {
        insertText = '',
        replace,
        filterText = '',
      } = proposals.find(({ label }) => label.endsWith('`Odd Name`')) ??
      assert.fail(proposals.map(({ label }) => label).join());
      const written = applyEdits(text, [{ range: replace, newText: insertText }]);
      assert.equal(
        written.split('\n').find((each) => each.includes('where')),
        expected,
      );
      // The editor filters by what was typed.
      assert.ok(filterText.startsWith(text.slice(replace.start, offset)), filterText);
    });
  }

  /** A line with a cursor, the chosen label, and the resulting line. */
  const written: readonly (readonly [line: string, label: string, expected: string])[] = [
    ['    where: <|>', 'note', '    where: note'],
    ['    where:<|>', 'lower', '    where: lower($0)'],
    ['    where: lo<|>(note) = 1', 'lower', '    where: lower(note) = 1'],
    ["    where: '<|>", 'note', "    where: 'note'"],
    ['    where: "<|>', 'note', '    where: "note"'],
    ['    where: <|>', '"Odd Name"', '    where: \'"Odd Name"\''],
    ['    where: id = 1 AND <|>', '"Odd Name"', '    where: id = 1 AND "Odd Name"'],
    ['    where: id = 1 AND "Od<|>', '"Odd Name"', '    where: id = 1 AND "Odd Name"'],
    ['    where: id = 1 AND "Od<|>d" = 2', '"Odd Name"', '    where: id = 1 AND "Odd Name" = 2'],
    ['    where: "<|>"', '"Odd Name"', '    where: "\\"Odd Name\\""'],
    ['    where: "id = 1 AND \\"Od<|>"', '"Odd Name"', '    where: "id = 1 AND \\"Odd Name\\""'],
    ["    where: 'id = 1 AND \"Od<|>'", '"Odd Name"', '    where: \'id = 1 AND "Odd Name"\''],
  ];
  for (const [line, label, expected] of written) {
    it(`inserts ${label} in ${line.trim()} with YAML quoting`, () => {
      const { text, offset } = withCursor(element(`${line}\n`));
      const odd = { ...catalog.objects[0]!.columns[0]!, name: 'Odd Name' };
      const objects = catalog.objects.map((object) => ({ ...object, columns: [...object.columns, odd] }));
      const proposals = completeEntityGraph(
        { parsed: parseEntityGraph(text), catalog: { ...catalog, objects } },
        offset,
      );
      const taken = proposals.find((proposal) => proposal.label === label);
      assert.ok(taken, proposals.map((proposal) => proposal.label).join());
      const after = applyEdits(text, [{ range: taken.replace, newText: taken.insertText }]);
      assert.equal(after, element(`${expected}\n`));
    });
  }

  it('shows function parameters, and that functions on fetched records run locally', () => {
    const { text, offset } = withCursor(element('    where: <|>\n'));
    const fetched = { ...catalog, kind: 'servicenow', dialect: 'duckdb' } as const;
    const lower = completeEntityGraph({ parsed: parseEntityGraph(text), catalog: fetched }, offset).find(
      ({ label }) => label === 'lower',
    );
    assert.deepEqual(
      [lower?.kind, lower?.detail, lower?.documentation?.source],
      [
        'function',
        '(text)',
        '`lower(text)`\n\nThe text in lower case.\n\nIt is computed here, on the records that were fetched.',
      ],
    );
  });

  it('replaces the word at the cursor, and quotes names', () => {
    const { text, offset } = withCursor(element("    where: 'no<|>te IS NULL'\n"));
    const odd = catalog.objects.map((object) => ({
      ...object,
      columns: object.columns.map((each) => ({ ...each, name: 'Odd Name' })),
    }));
    const [first] = completeEntityGraph(
      { parsed: parseEntityGraph(text), catalog: { ...catalog, objects: odd } },
      offset,
    );
    assert.ok(first);
    assert.ok(
      applyEdits(text, [{ range: first.replace, newText: first.insertText }]).includes('\'"Odd Name" IS NULL\''),
    );
  });

  /** A text with a cursor, and the text with the first proposed value; undefined without proposals. */
  const valued: readonly (readonly [where: string, first: string | undefined])[] = [
    ['    where: note = <|>', "    where: note = 'a b'"],
    ["    where: note = '<|>", "    where: note = 'a b'"],
    ['    where: "note = \'a<|>\'"', '    where: "note = \'a b\'"'],
    ["    where: orders.note IN ('x', <|>)", "    where: orders.note IN ('x', 'a b')"],
    ['    where: note NOT IN (<|>)', "    where: note NOT IN ('a b')"],
    ['    where: \'"note" <> <|>\'', "    where: '\"note\" <> ''a b'''"],
    ["    where: 'note <> ''a<|>'", "    where: 'note <> ''a b'''"],
    ["    where: 'note <> ''a<|>'' AND id = 1'", "    where: 'note <> ''a b'' AND id = 1'"],
    ['    where: id = 1 AND id = <|>', '    where: id = 1 AND id = 1'],
    ['    where: note LIKE <|>', undefined],
    ['    where: placed_at = <|>', undefined],
  ];
  for (const [marked, first] of valued) {
    it(`offers values in ${marked.trim()}`, () => {
      const { text, offset } = withCursor(element(`${marked}\n`));
      const values = [{ value: 'a b', label: 'Both' }, { value: "it's" }];
      const objects = catalog.objects.map((object) => ({
        ...object,
        columns: object.columns.map((each) =>
          each.name === 'note'
            ? { ...each, values }
            : each.name === 'id'
              ? { ...each, values: [{ value: '1' }] }
              : each,
        ),
      }));
      const [offered] = completeEntityGraph(
        { parsed: parseEntityGraph(text), catalog: { ...catalog, objects } },
        offset,
      );
      const isValue = offered?.sortText?.startsWith('00') === true;
      assert.equal(isValue, first !== undefined, offered?.label);
      if (!offered || first === undefined) return;
      const after = applyEdits(text, [{ range: offered.replace, newText: offered.insertText }]);
      assert.ok(after.includes(`${first}\n`), after);
    });
  }
});
