import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { formatDocument, indentNewLine } from '../../../server/src/language/format-document.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { withCursor } from './marked-text.ts';

const formatted = (text: string): string => applyEdits(text, formatDocument(text));

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

describe('formatting', () => {
  it('gives entries one look, and leaves what is written in them', () => assert.equal(formatted(messy), tidy));
  it('changes nothing the second time', () => assert.deepEqual(formatDocument(tidy), []));
  it('keeps the line ends of the file', () => {
    assert.equal(formatted(messy.replaceAll('\n', '\r\n')), tidy.replaceAll('\n', '\r\n'));
  });
  it('adds the last line break', () => assert.equal(formatted('version: 1'), 'version: 1\n'));
  it('leaves a text alone that cannot be read', () => assert.deepEqual(formatDocument('a: [\n  b'), []));
  it('lays JSON out', () => {
    assert.equal(formatted('{"version":1,"elements":[]}'), '{\n  "version": 1,\n  "elements": []\n}\n');
  });
  for (const file of ['incidents/incidents', 'incidents/trail', 'northwind/northwind']) {
    it(`has nothing to do in ${file}`, () => {
      assert.deepEqual(formatDocument(readFileSync(`samples/${file}.entity.yaml`, 'utf8')), []);
    });
  }

  it('never changes the meaning, keeps every comment, and is done after once', () => {
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
    fc.assert(
      fc.property(
        value,
        fc.integer({ min: 1, max: 7 }),
        fc.boolean(),
        fc.nat(20),
        fc.boolean(),
        (data, indent, indentSeq, width, windows) => {
          const plain = stringify(
            { a: data, b: [data] },
            { indent: Math.max(2, indent), indentSeq, lineWidth: width + 20 },
          );
          const commented = plain.replaceAll(/^( *)(?=(- )*\w+:)/gm, (line: string) => `${line}# note\n${line}`);
          for (const text of [plain, commented].map((each) => (windows ? each.replaceAll('\n', '\r\n') : each))) {
            let before: unknown;
            try {
              before = parse(text);
            } catch {
              return;
            }
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

describe('a new line', () => {
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
      const edit = indentNewLine(text, text.lastIndexOf('\n', offset - 1) + 1);
      assert.equal(edit?.newText.length, expected);
    });
  }
});
