import assert from 'node:assert/strict';
import { completeEntityGraph } from '../../../server/src/language/complete.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog } from './shop-catalog.ts';

const element = (lines: string): string => `elements:\n  - activityName: A\n    dataObject: orders\n${lines}`;
const joined = '    joins: LEFT JOIN customers AS c ON c.id = orders.customer_id\n';

/** A text, labels that must come, labels that must not. */
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

  it('replaces the word at the cursor, and quotes names that need it', () => {
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

  /** A text with a cursor, and what it becomes with the first value that is offered; undefined when no value is. */
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
