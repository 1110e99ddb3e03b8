import assert from 'node:assert/strict';
import { createJsonSplitter } from '../../../server/src/check/ocel/split-json.ts';

const log = `\ufeff{ "objectTypes": [], "x \\"y\\"": {"deep": [[{"a": 1}]]},
  "events": [ {"id": "e1", "text": "a \\"quote\\", a { and a ]",
    "list": [ {"objectId": "o"} ] },{"id":"ü🦆"} ] , "objects":[{}], "version": 2 }`;

function splitBy(size: number): {
  readonly keys: readonly string[];
  readonly objects: readonly (readonly [string, unknown])[];
} {
  const objects: [string, unknown][] = [];
  const splitter = createJsonSplitter((key, text) => {
    assert.ok(!text.includes(10), 'An object is on one line.');
    objects.push([key, JSON.parse(text.toString('utf8'))]);
  });
  const bytes = Buffer.from(log);
  for (let from = 0; from < bytes.length; from += size) splitter.push(Buffer.from(bytes.subarray(from, from + size)));
  return { keys: splitter.end(), objects };
}

describe('splitting a large JSON object', () => {
  it('gives the objects of its arrays wherever the chunks end', () => {
    for (const size of [1, 2, 3, 7, 64, 1000]) {
      const { keys, objects } = splitBy(size);
      assert.deepEqual(keys, ['objectTypes', 'x "y"', 'events', 'objects', 'version'], `${size}`);
      assert.deepEqual(
        objects.filter(([key]) => key === 'events' || key === 'objects'),
        [
          ['events', { id: 'e1', text: 'a "quote", a { and a ]', list: [{ objectId: 'o' }] }],
          ['events', { id: 'ü🦆' }],
          ['objects', {}],
        ],
        `${size}`,
      );
    }
  });

  const broken: readonly (readonly [string, RegExp])[] = [
    ['[1]', /no JSON object/],
    ['hello', /no JSON/],
    ['{"events": [', /ends too early/],
    ['{"events": []}}', /too many \(line 1\)/],
    ['{"events": ["a\n"]}', /not closed \(line 1\)/],
    ['', /ends too early/],
  ];
  for (const [text, message] of broken) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      const splitter = createJsonSplitter(() => undefined);
      assert.throws(() => {
        splitter.push(Buffer.from(text));
        splitter.end();
      }, message);
    });
  }
});
