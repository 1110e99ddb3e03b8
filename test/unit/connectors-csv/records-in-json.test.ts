import assert from 'node:assert/strict';
import { recordsInJson } from '../../../server/src/connectors/csv/records-in-json.ts';

async function listIn(chunks: readonly string[], records: string): Promise<string> {
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk, 'latin1');
  }
  const found: Buffer[] = [];
  for await (const piece of recordsInJson(bytes(), 'a.json', records)) found.push(piece);
  return Buffer.concat(found).toString('latin1');
}

describe('the list of records in a JSON file', () => {
  const list = String.raw`[{"id": "\\", "data": {"items": [1]}}, {"id": "]}\""}, []]`;
  const texts = [
    `{"x": [{"data": {"items": [2]}}], "data": {"n": "items", "items": ${list}, "more": "\\""}}`,
    `\n {"data" : {"items":${list}} , "items" : [3] , "d": {"data": {"items": []}}}\n`,
    `{"data": 1, "da\\u0074a": {"\\u0069tems": ${list}}}`,
  ];
  for (const text of texts) {
    it(`is found wherever the file is cut: ${text}`, async () => {
      for (let at = 0; at < text.length; at += 1) {
        assert.equal(await listIn([text.slice(0, at), text.slice(at)], 'data.items'), list);
      }
      assert.equal(await listIn([...text], 'data.items'), list);
    });
  }
});
