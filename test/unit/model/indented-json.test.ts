import assert from 'node:assert/strict';
import { assert as property, json, property as forAll } from 'fast-check';
import { indentedJson, jsonMembers } from '../../../server/src/model/indented-json.ts';

/** The written text, and how it is displayed. */
const indented: readonly (readonly [text: string, shown: string | undefined])[] = [
  ['{"a":1.0,"b":12345678901234567890}', '{\n  "a": 1.0,\n  "b": 12345678901234567890\n}'],
  ['[1e3, -0.50,{"x":[],"y":{}}]', '[\n  1e3,\n  -0.50,\n  {\n    "x": [],\n    "y": {}\n  }\n]'],
  ['{"a":1,"a":2}', '{\n  "a": 1,\n  "a": 2\n}'],
  [' {"{\\"]": "a, b: [c"} ', '{\n  "{\\"]": "a, b: [c"\n}'],
  ['1.00', '1.00'],
  ['{"a": }', undefined],
  ['', undefined],
];

/** The written text, and the written values of its members. */
const members: readonly (readonly [text: string, values: Readonly<Record<string, string>> | undefined])[] = [
  ['{"a": 1.0, "b": "x, \\"y\\"", "c": null}', { a: '1.0', b: '"x, \\"y\\""', c: 'null' }],
  ['{"list": [1, {"a": 2}], "id": 12345678901234567890 }', { list: '[1, {"a": 2}]', id: '12345678901234567890' }],
  ['{"a": {"b": ":"}, "\\u0063": true}', { a: '{"b": ":"}', c: 'true' }],
  ['{}', {}],
  ['[{"a": 1}]', undefined],
  ['{"a": 1', undefined],
];

describe('indentedJson', () => {
  for (const [text, shown] of indented) {
    it(`indents ${text}`, () => assert.equal(indentedJson(text), shown));
  }

  it('equals JSON.stringify for any value', () => {
    property(
      forAll(json(), (text) => {
        const value = JSON.parse(text) as unknown;
        assert.equal(indentedJson(JSON.stringify(value)), JSON.stringify(value, null, 2));
      }),
    );
  });

  for (const [text, values] of members) {
    it(`splits ${text}`, () => {
      const found = jsonMembers(text);
      assert.deepEqual(found && Object.fromEntries(found), values);
    });
  }
});
