import assert from 'node:assert/strict';
import { newPlace } from '../../../server/src/connectors/csv/json-places.ts';
import { typeOfPlace, typeOfForms } from '../../../server/src/connectors/csv/json-types.ts';
import { withLongNumbersAsTexts } from '../../../server/src/connectors/csv/long-numbers.ts';
import { scanJson } from '../../../server/src/connectors/csv/scan-json.ts';
import { survivesAsDouble } from '../../../server/src/connectors/survives-as-double.ts';

const text =
  '{"a": -1.234567890123456789, "b\\"\\\\": "x, 1.234567890123456789\\\\", "c": [12345678901234567890, 0.1], "d": {"e": "2024-01-01"}}\n' +
  '{"a": -12345678901234567.5e-3, "c": [NaN], "é": true, "f": null}\n-0.5\n';

describe('JSON read in pieces', () => {
  it('has the same long numbers, wherever it is cut', async () => {
    const expected = text
      .replace('-1.234567890123456789,', '"-1.234567890123456789",')
      .replace('-12345678901234567.5e-3', '"-12345678901234567.5e-3"');
    for (let size = 1; size <= text.length; size += 1) {
      const changed: string[] = [];
      for await (const piece of withLongNumbersAsTexts(piecesOf(text, size))) changed.push(piece);
      assert.equal(changed.join(''), expected, `pieces of ${size}`);
    }
  });

  it('has the same fields and types, wherever it is cut', () => {
    const bytes = Buffer.from(text);
    for (let size = 1; size <= bytes.length; size += 1) {
      const root = newPlace();
      const scanner = scanJson(root, false);
      let rest = Buffer.alloc(0);
      for (let from = 0; from < bytes.length; from += size) {
        rest = Buffer.concat([rest, bytes.subarray(from, from + size)]);
        rest = rest.subarray(scanner.add(rest, false));
      }
      scanner.add(rest, true);
      const types = root.fields.map(({ name, place }) => `${name} ${typeOfPlace(place, typeOfForms)}`);
      assert.deepEqual(
        [scanner.records, types],
        [3, ['a VARCHAR', 'b"\\ VARCHAR', 'c VARCHAR[]', 'd STRUCT("e" DATE)', 'é BOOLEAN', 'f VARCHAR']],
        `pieces of ${size}`,
      );
    }
  });
});

const numbers: readonly (readonly [text: string, survives: boolean])[] = [
  ['0.1', true],
  ['-0.10', true],
  ['1e3', true],
  ['1000', true],
  ['0.30000000000000004', true],
  ['0.300000000000000045', false],
  ['90071992547409.93', false],
  ['9007199254740993', false],
  ['9007199254740992.0', true],
  ['0.000', true],
  ['1e400', false],
];

describe('numbers as doubles', () => {
  for (const [number, survives] of numbers) {
    it(`${number} ${survives ? 'keeps' : 'loses'} its value`, () => assert.equal(survivesAsDouble(number), survives));
  }
});

async function* piecesOf(whole: string, size: number): AsyncGenerator<string> {
  for (let from = 0; from < whole.length; from += size) yield whole.slice(from, from + size);
}
