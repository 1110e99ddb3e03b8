import assert from 'node:assert/strict';
import { parseYaml } from '../../../server/src/model/yaml-text.ts';
import { documentText, numberWithoutJson } from '../../../server/src/operations/graph-files/document-text.ts';

/** A number as written in YAML, and in JSON. */
const numbers: readonly (readonly [yaml: string, json: string])[] = [
  ['12345678901234567890', '12345678901234567890'],
  ['-12345678901234567890', '-12345678901234567890'],
  ['0.12345678901234567890123', '0.12345678901234567890123'],
  ['1.10', '1.10'],
  ['1e400', '1e400'],
  ['0xFFFFFFFFFFFFFFFF', '18446744073709551615'],
  ['0o17', '15'],
  ['+.5', '0.5'],
  ['3.', '3'],
  ['007', '7'],
  ['-0', '-0'],
  ['0', '0'],
  ['!!int "12345678901234567890"', '12345678901234567890'],
];

const json = (text: string): string => documentText(parseYaml(text).document, 'json');
const yaml = (text: string): string => documentText(parseYaml(text).document, 'yaml');

describe('documentText', () => {
  for (const [written, expected] of numbers) {
    it(`${written} keeps its digits as a value, in lists and behind an alias`, () => {
      const text = json(`id: &n ${written}\nlist: [${written}]\nagain: *n\n`);
      const lines = [`  "id": ${expected},`, '  "list": [', `    ${expected}`, '  ],', `  "again": ${expected}`];
      assert.equal(text, `{\n${lines.join('\n')}\n}\n`);
      assert.equal(json(text), text);
      const blocks = `id: ${expected}\nlist:\n  - ${expected}\nagain: ${expected}\n`;
      assert.equal(yaml(text), blocks);
      assert.equal(json(blocks), text);
    });
  }

  it('field names keep their digits', () => {
    assert.equal(
      json('&n 12345678901234567890: a\nx: &m 12345678901234567891\n*m : b\n'),
      '{\n  "12345678901234567890": "a",\n  "x": 12345678901234567891,\n  "12345678901234567891": "b"\n}\n',
    );
  });

  it('infinity and NaN, which JSON lacks, are reported, and nothing else', () => {
    for (const [text, found] of [
      ['a: 1\nb: [.inf]\n', '.inf'],
      ['a: -.Inf\n', '-.Inf'],
      ['a: &n .NaN\nb: *n\n', '.NaN'],
      ['.nan: a\n', '.nan'],
      ['{"a": .inf}\n', '.inf'],
      ['a: !!float ".inf"\n', '.inf'],
      ['a: ".inf"\nb: !!str .nan\nc: 1e400\nd: inf\n', undefined],
    ] as const) {
      const number = numberWithoutJson(parseYaml(text).document);
      assert.equal(number?.text, found, text);
      if (number) assert.ok(text.slice(number.start, number.end).includes(number.text), text);
    }
    assert.deepEqual(yaml('{"a": .inf, "b": [-.inf, .nan]}\n'), 'a: .inf\nb:\n  - -.inf\n  - .nan\n');
  });

  it('everything else equals JSON.stringify and YAML output', () => {
    const value = {
      text: '12345678901234567890',
      no: false,
      nothing: null,
      list: [],
      object: {},
      deep: [{ a: ['"', 'ä\n'] }],
    };
    const text = `${JSON.stringify(value, null, 2)}\n`;
    assert.equal(json(text), text);
    assert.equal(json(yaml(text)), text);
    assert.equal(json('date: 2020-01-01\nname: !!str 12\n'), '{\n  "date": "2020-01-01",\n  "name": "12"\n}\n');
  });
});
