import assert from 'node:assert/strict';
import { withInexactNumbersAsTexts } from '../../../../server/src/connectors/endpoints/large-numbers.ts';

/** One row per JSON text, and its replacement if it changes. */
const cases: readonly (readonly [text: string, becomes?: string])[] = [
  ['[1234567890123456]', '["1234567890123456"]'],
  ['[123456789012345]'],
  ['{"a": -1234567890123456, "b":12345678901234567890}', '{"a": "-1234567890123456", "b":"12345678901234567890"}'],
  ['[1234567890123456.5, 0.1234567890123456, 1234567890123456e2, 1e1234567890123456, 1E-1234567890123456]'],
  [
    '[90071992547409.93, 0.30000000000000004, 1.50000000000000000, -1.234567890123456789e2]',
    '["90071992547409.93", 0.30000000000000004, 1.50000000000000000, "-1.234567890123456789e2"]',
  ],
  ['["1234567890123456", "a 1234567890123456 b"]'],
  [String.raw`{"\"1234567890123456": "\\", "\\\" 1234567890123456": 1}`],
  [
    String.raw`{"\\": 1234567890123456, "\\\"": 1234567890123457}`,
    String.raw`{"\\": "1234567890123456", "\\\"": "1234567890123457"}`,
  ],
  ['1234567890123456', '"1234567890123456"'],
  ['{"a": 1234567890123456, "cut', '{"a": "1234567890123456", "cut'],
  [String.raw`[1234567890123456, "cut\"`, String.raw`["1234567890123456", "cut\"`],
];

describe('numbers that a double would change, of a JSON response', () => {
  for (const [text, becomes = text] of cases) {
    it(`become texts: ${text}`, () => assert.equal(withInexactNumbersAsTexts(text), becomes));
  }
});
