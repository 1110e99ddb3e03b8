import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse, parseDocument, stringify } from 'yaml';
import { formatRange } from '../../../server/src/language/formatting/format-range.ts';
import { indentNewLine } from '../../../server/src/language/formatting/indent-new-line.ts';
import type { TextEdit } from '../../../server/src/model/edits/text-edit.ts';
import type { SourceRange } from '../../../server/src/model/source-range.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { withCursor } from './marked-text.ts';
import { formattingEdits } from './formatting-edits.ts';

const formatted = (text: string): string => applyEdits(text, formattingEdits({ text }));

const messy = `# head
version:   1
name: x  \t


dataObjects:
- orders   # one
-   customers
elements:
    # the first
    - activityName: A
      dataObject: orders
      where: |
          a = 1
            AND b = 2

          OR c
      properties: [a,
          b]
    -   activityName: B
        processContext:
              description: "two
                lines"
              links:
              - x
    # the end
relationships: []
`;

const tidy = `# head
version:   1
name: x

dataObjects:
  - orders   # one
  - customers
elements:
  # the first
  - activityName: A
    dataObject: orders
    where: |
        a = 1
          AND b = 2

        OR c
    properties: [a,
        b]
  - activityName: B
    processContext:
      description: "two
        lines"
      links:
        - x
  # the end
relationships: []
`;

/** Any data of YAML. */
const value = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(
      fc.string(),
      fc.integer(),
      fc.constantFrom('a\nb\n', ' x', 'a: b', '# no', 'long text in several words', ''),
    ),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'where', 'key', 'x y'), tie('node'), { maxKeys: 4 }),
  ),
})).node;

/** The same data in various notations, with and without comments. */
function written(
  data: unknown,
  indent: number,
  indentSeq: boolean,
  width: number,
  windows: boolean,
): readonly string[] {
  const plain = stringify({ a: data, b: [data] }, { indent: Math.max(2, indent), indentSeq, lineWidth: width + 20 });
  const commented = plain.replaceAll(/^( *)(?=(- )*\w+:)/gm, (line: string) => `${line}# note\n${line}`);
  const texts = [plain, commented].map((each) => (windows ? each.replaceAll('\n', '\r\n') : each));
  return texts.filter((text) => parseDocument(text).errors.length === 0);
}

describe('document formatting', () => {
  it('normalises the layout of entries, and keeps their content', () => assert.equal(formatted(messy), tidy));
  it('changes nothing the second time', () => assert.deepEqual(formattingEdits({ text: tidy }), []));
  it('keeps the line endings of the file', () => {
    assert.equal(formatted(messy.replaceAll('\n', '\r\n')), tidy.replaceAll('\n', '\r\n'));
  });
  it('adds a missing final line break', () => assert.equal(formatted('version: 1'), 'version: 1\n'));
  it('leaves an unreadable text unchanged', () => assert.deepEqual(formattingEdits({ text: 'a: [\n  b' }), []));
  it('formats JSON', () => {
    assert.equal(formatted('{"version":1,"elements":[]}'), '{\n  "version": 1,\n  "elements": []\n}\n');
  });
  for (const file of ['incidents/incidents', 'incidents/trail', 'northwind/northwind']) {
    it(`has no changes in ${file}`, () => {
      assert.deepEqual(formattingEdits({ text: readFileSync(`samples/${file}.entity.yaml`, 'utf8') }), []);
    });
  }

  it('preserves meaning and comments, and is idempotent', () => {
    fc.assert(
      fc.property(
        value,
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        fc.nat(20),
        fc.boolean(),
        (data, indent, indentSeq, width, windows) => {
          for (const text of written(data, indent, indentSeq, width, windows)) {
            const before: unknown = parse(text);
            const after = formatted(text);
            assert.deepEqual(parse(after), before);
            assert.equal(after.split('#').length, text.split('#').length);
            assert.equal(formatted(after), after);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** The edits of some lines. */
function rangeEdits(text: string, lines: SourceRange): readonly TextEdit[] {
  const outcome = formatRange({ text }, lines);
  assert.ok('edits' in outcome, JSON.stringify(outcome));
  return outcome.edits;
}

describe('range formatting', () => {
  const range = (text: string, first: number, last: number): { readonly start: number; readonly end: number } => {
    const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1), text.length];
    return { start: starts[first] ?? text.length, end: starts[last + 1] ?? text.length };
  };

  it('leaves lines unchanged when their meaning would change relative to the others', () => {
    const line = messy.split('\n').indexOf('      dataObject: orders');
    const edits = rangeEdits(messy, range(messy, line, line));
    assert.deepEqual(edits, []);
  });

  it('removes trailing blanks where the indentation must stay', () => {
    const text = 'elements:\n    - activityName: A\n      dataObject: orders  \n      key: id\n';
    const after = applyEdits(text, rangeEdits(text, range(text, 2, 2)));
    assert.equal(after, text.replace('orders  ', 'orders'));
  });

  it('indents a list inside the range', () => {
    const text = 'dataObjects:\n- a\n- b\nelements:\n- activityName: A\n';
    const after = applyEdits(text, rangeEdits(text, range(text, 0, 2)));
    assert.equal(after, 'dataObjects:\n  - a\n  - b\nelements:\n- activityName: A\n');
  });

  it('preserves meaning and comments for any range', () => {
    const style = fc.tuple(fc.integer({ min: 2, max: 7 }), fc.boolean(), fc.nat(20), fc.boolean());
    fc.assert(
      fc.property(value, style, fc.nat(30), fc.nat(10), (data, way, first, count) => {
        for (const text of [...written(data, ...way), messy, messy.replaceAll('\n', '\r\n')]) {
          const line = first % text.split('\n').length;
          const after = applyEdits(text, rangeEdits(text, range(text, line, line + count)));
          assert.deepEqual(parse(after), parse(text));
          assert.equal(after.split('#').length, text.split('#').length);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('formatting on a new line', () => {
  const cases: readonly (readonly [string, string, number | undefined])[] = [
    ['stands behind the dash of its entry', 'elements:\n  - activityName: A\n  <|>', 4],
    ['stays where it is right', 'elements:\n  - activityName: A\n    <|>', undefined],
    ['is a level in after a key without a value', 'elements:\n<|>', 2],
    ['is a level in after a key that opens a block', '  - where: |\n  <|>', 6],
    ['stays after a plain item', 'dataObjects:\n  - orders\n  <|>', undefined],
    ['stays where something is written', 'elements:\n  - activityName: A\n  <|>x', undefined],
  ];
  for (const [name, marked, expected] of cases) {
    it(name, () => {
      const { text, offset } = withCursor(marked);
      const [edit] = indentNewLine({ text }, text.lastIndexOf('\n', offset - 1) + 1);
      assert.equal(edit?.newText.length, expected);
    });
  }
});
