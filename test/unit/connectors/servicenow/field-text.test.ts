import assert from 'node:assert/strict';
import { type FieldPart, fieldText } from '../../../../server/src/connectors/servicenow/api/field-text.ts';
import { readResult } from '../../../../server/src/connectors/servicenow/api/read-response.ts';

/** One row per field as written by an instance, and its text. */
const cases: readonly (readonly [json: string, text: string, part?: FieldPart])[] = [
  ['"a"', 'a'],
  ['""', ''],
  ['null', ''],
  ['0', '0'],
  ['-2.5', '-2.5'],
  ['true', 'true'],
  ['false', 'false'],
  ['9007199254740993', '9007199254740993'],
  ['-1234567890123456.7891', '-1234567890123456.7891'],
  ['{"display_value": "Five", "value": 5}', '5'],
  ['{"display_value": "Five", "value": 5}', 'Five', 'display_value'],
  ['{"display_value": 5, "value": "x"}', '5', 'display_value'],
  ['{"display_value": null, "value": false, "link": "l"}', 'false'],
  ['{"link": "l"}', ''],
  ['{"value": {"a": [1]}}', '{"a":[1]}'],
  ['["a", 1]', '["a",1]'],
  ['{"a": 1}', '{"a":1}'],
];

describe('fieldText of a ServiceNow record', () => {
  for (const [json, text, part] of cases) {
    it(`${json}${part ? `, ${part}` : ''} is ${JSON.stringify(text)}`, () => {
      const headers = new Headers({ 'content-type': 'application/json' });
      const answer = { status: 200, headers, text: `{"result":{"field":${json}}}`, size: 0, milliseconds: 0 };
      const { field } = readResult(answer, { method: 'GET', path: [] }) as { readonly field: unknown };
      assert.equal(fieldText(field, part), text);
    });
  }
});
