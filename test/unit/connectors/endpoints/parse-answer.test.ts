import assert from 'node:assert/strict';
import { isJsonLines, parseAnswer } from '../../../../server/src/connectors/endpoints/parse-answer.ts';

const lines = '{"id": 1}\r\n\n{"id": 12345678901234567890}\n';
const values = [{ id: 1 }, { id: '12345678901234567890' }];

describe('answers', () => {
  for (const type of [
    'application/x-ndjson',
    'application/jsonl; charset=utf-8',
    'application/jsonlines',
    'text/x-jsonl',
  ])
    it(`of the type ${type} are lines of JSON`, () => {
      assert.ok(isJsonLines(type));
      assert.deepEqual(parseAnswer(lines, type), values);
      assert.deepEqual(parseAnswer('{"id": 1}', type), [{ id: 1 }]);
      assert.deepEqual(parseAnswer('', type), []);
      assert.throws(() => parseAnswer('{"id": 1}\n{"id', type), SyntaxError);
    });

  for (const type of ['application/json', 'text/plain', null])
    it(`of the type ${type} may be lines of JSON, too`, () => {
      assert.ok(!isJsonLines(type));
      assert.deepEqual(parseAnswer(lines, type), values);
      assert.deepEqual(parseAnswer('{"id": 1}', type), { id: 1 });
      assert.deepEqual(parseAnswer('[{"id": 1},\n{"id": 2}]', type), [{ id: 1 }, { id: 2 }]);
      for (const text of ['{"id": 1}\n{"id', '{"id": 1} {"id": 2}', '1\n2', '', '{\n"id": 1'])
        assert.throws(() => parseAnswer(text, type), SyntaxError, text);
    });
});
