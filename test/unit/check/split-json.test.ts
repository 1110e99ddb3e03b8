import assert from 'node:assert/strict';
import { createJsonSplitter } from '../../../server/src/event-logs/ocel/split-json.ts';

const sizes = [1, 2, 3, 7, 64, 100_000];

function* chunks(bytes: Buffer, size: number): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield Buffer.from(bytes.subarray(from, from + size));
}

function splitBy(size: number, bytes: Buffer) {
  const told: unknown[] = [];
  const splitter = createJsonSplitter({
    member: (key, kind, { line, byte }) => told.push([key, kind, line, byte]),
    object(key, text) {
      assert.ok(!text.includes(10), 'An object is on one line.');
      told.push([key, JSON.parse(text.toString('utf8'))]);
    },
    other: (key, kind, { line, byte }) => told.push([key, kind, line, byte]),
    keyAgain: (key, { line, byte }) => told.push([key, 'again', line, byte]),
  });
  for (const chunk of chunks(bytes, size)) splitter.push(chunk);
  return { told, ...splitter.end() };
}

/** The error of a file; undefined for valid JSON. */
function refusal(bytes: Buffer, size: number): string | undefined {
  try {
    splitBy(size, bytes);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe('splitJson', () => {
  it('finds duplicate keys within one object', () => {
    const log = Buffer.from(
      `{"events":[{"id":1,"a":{"id":2,"x":[{"id":3},{"id":4,"\\u0069d":5}]},"id":6},{"id":7}],"é":{"é":1,"é":2}}`,
    );
    for (const size of sizes) {
      assert.deepEqual(
        splitBy(size, log).told.filter((each) => (each as unknown[])[1] === 'again'),
        [
          ['id', 'again', 1, 62],
          ['id', 'again', 1, 72],
          ['é', 'again', 1, 103],
        ],
        `chunks of ${size}`,
      );
    }
  });

  it('yields the items of lists and all other values, for any chunk boundaries', () => {
    const log = Buffer.from(`\ufeff{ "objectTypes": [], "x \\"y\\"": {"deep": [[{"a": 1}]]},
  "events": [ {"id": "e1", "text": "a \\"quote\\", a { and a ]", "n": [-0.5e+10, 0, 12, true, false, null],
    "list": [ {"objectId": "o"} ] },\r\n{"id":"ü🦆\\ud83e\\udd86"}, 17 , [{}],"no event"] , "objects":[{}], "version": 2 }\n`);
    for (const size of sizes) {
      assert.deepEqual(
        splitBy(size, log),
        {
          hasByteOrderMark: true,
          told: [
            ['objectTypes', 'a list', 1, 21],
            ['x "y"', 'an object', 1, 36],
            ['events', 'a list', 2, 72],
            [
              'events',
              {
                id: 'e1',
                text: 'a "quote", a { and a ]',
                n: [-0.5e10, 0, 12, true, false, null],
                list: [{ objectId: 'o' }],
              },
            ],
            ['events', { id: 'ü🦆🦆' }],
            ['events', 'a number', 4, 233],
            ['events', 'a list', 4, 238],
            ['events', 'a text', 4, 243],
            ['objects', 'a list', 4, 267],
            ['objects', {}],
            ['version', 'a number', 4, 284],
          ],
        },
        `${size}`,
      );
    }
  });

  const broken: readonly (readonly [text: string | Buffer, message: string])[] = [
    ['', 'The file ends too early: it is empty (line 1, byte 1).'],
    ['[1]', 'The file is not a JSON object, but a list (line 1, byte 1).'],
    ['"events"', 'The file is not a JSON object, but a text (line 1, byte 1).'],
    ['hello', 'The file is not JSON (line 1, byte 1).'],
    ['nil', 'The file is not a JSON object, but null (line 1, byte 1).'],
    ['{"events": [{}\n{}]}', 'A comma is missing before "{" (line 2, byte 16).'],
    ['{"events": [] "objects": []}', 'A comma is missing before """ (line 1, byte 15).'],
    ['{"events": [{"a": 1 "b": 2}]}', 'A comma is missing before """ (line 1, byte 21).'],
    ['{"events" []}', 'A colon is missing before "[" (line 1, byte 11).'],
    ['{"events": [{},]}', 'A value is missing before "]": there is a comma or a colon too many (line 1, byte 16).'],
    ['{"events": [],}', 'A key is missing before "}": there is a comma or a colon too many (line 1, byte 15).'],
    ['{"events": }', 'A value is missing before "}": there is a comma or a colon too many (line 1, byte 12).'],
    [
      '{"events": [{"a": [1,]}]}',
      'A value is missing before "]": there is a comma or a colon too many (line 1, byte 22).',
    ],
    ['{"events": [,]}', 'A value is expected, not "," (line 1, byte 13).'],
    ['{,}', 'A key in quotes is expected, not "," (line 1, byte 2).'],
    ["{'events': []}", `A key in quotes is expected, not "'" (line 1, byte 2).`],
    ['{events: []}', 'A key in quotes is expected, not "e" (line 1, byte 2).'],
    ['{5: []}', 'A key in quotes is expected, not "5" (line 1, byte 2).'],
    ['{"events": [}', 'A value is expected, not "}" (line 1, byte 13).'],
    ['{"events": [{}}]', '"}" closes what it has not opened (line 1, byte 15).'],
    ['{"events": [{"a":[1}]}', '"}" closes what it has not opened (line 1, byte 20).'],
    ['{"events": []}}', '"}" stands after the end of the JSON object (line 1, byte 15).'],
    ['{"events": []}\n{"events": []}', '"{" stands after the end of the JSON object (line 2, byte 16).'],
    ['{"events": []} // done', '"/" stands after the end of the JSON object (line 1, byte 16).'],
    ['{"events": []}\0', 'the byte 0x00 stands after the end of the JSON object (line 1, byte 15).'],
    ['{"events": [/* none */]}', 'A value is expected, not "/" (line 1, byte 13).'],
    ['{"events": [', 'The file ends too early: a list is not closed (line 1, byte 13).'],
    ['{"events": []', 'The file ends too early: an object is not closed (line 1, byte 14).'],
    ['{"events": [{"a', 'The file ends too early: a text is not closed (line 1, byte 16).'],
    ['{"events": [{"a\\', 'The file ends too early: an escape is cut off (line 1, byte 17).'],
    ['{"events": [{"a\\u12', 'The file ends too early: an escape is cut off (line 1, byte 20).'],
    ['{"events": [tr', 'The file ends too early: a word is cut off (line 1, byte 15).'],
    ['{"events": [1', 'The file ends too early: what holds its last number is not closed (line 1, byte 14).'],
    [
      '{"events": ["a\n"]}',
      'A text is not closed at the end of its line, which must be written as an escape (line 1, byte 15).',
    ],
    [
      '{"events": [{"a":"\t"}]}',
      'A text contains the byte 0x09, which must be written as an escape (line 1, byte 19).',
    ],
    [
      '{"events": [{"a":"\0"}]}',
      'A text contains the byte 0x00, which must be written as an escape (line 1, byte 19).',
    ],
    ['{"events": [{"a":"\\x41"}]}', '\\"x" is not a JSON escape (line 1, byte 20).'],
    ['{"events": [{"a":"\\u12g4"}]}', 'An escape \\u needs four hexadecimal digits (line 1, byte 23).'],
    ['{"events": [{"a":"\\u12"}]}', 'An escape \\u needs four hexadecimal digits (line 1, byte 23).'],
    ['{"events": [{"a":"\\ud83e"}]}', 'An escape \\u is one half of a character, without the other (line 1, byte 25).'],
    [
      '{"events": [{"a":"\\ud83e\\n"}]}',
      'An escape \\u is one half of a character, without the other (line 1, byte 26).',
    ],
    ['{"events": [{"a":"\\udd86"}]}', 'An escape \\u is one half of a character, without the other (line 1, byte 24).'],
    ['{"a": 01}', 'A number begins with a zero (line 1, byte 8).'],
    ['{"a": 1.}', 'A number ends too early (line 1, byte 9).'],
    ['{"a": -}', 'A number ends too early (line 1, byte 8).'],
    ['{"a": 1e+}', 'A number ends too early (line 1, byte 10).'],
    ['{"a": +1}', 'A value is expected, not "+" (line 1, byte 7).'],
    ['{"a": .5}', 'A value is expected, not "." (line 1, byte 7).'],
    ['{"a": 1.5.2}', 'A comma is missing before "." (line 1, byte 10).'],
    ['{"a": NaN}', 'A value is expected, not "N" (line 1, byte 7).'],
    ['{"a": Infinity}', 'A value is expected, not "I" (line 1, byte 7).'],
    ['{"a": True}', 'A value is expected, not "T" (line 1, byte 7).'],
    ['{"a": nul}', 'The file is not JSON (line 1, byte 10).'],
    ['{"a": truely}', 'A comma is missing before "l" (line 1, byte 11).'],
    ['{\u00a0"a": 1}', 'A key in quotes is expected, not the byte 0xc2 (line 1, byte 2).'],
    [
      `{"a": ${'['.repeat(1200)}${']'.repeat(1200)}}`,
      'More than 1000 objects and lists are inside each other (line 1, byte 1006).',
    ],
    ['{}\ufeff', 'the byte 0xef stands after the end of the JSON object (line 1, byte 3).'],
    [Buffer.from('{"a": "caf\xe9"}\n{', 'latin1'), 'The file is not written in UTF-8 (line 1, byte 11).'],
    [Buffer.from('{"a": "\xc3"}', 'latin1'), 'The file is not written in UTF-8 (line 1, byte 8).'],
    [Buffer.from('{"a": "\xed\xa0\x80"}', 'latin1'), 'The file is not written in UTF-8 (line 1, byte 8).'],
    [
      Buffer.from('{"a": "\xf0\x9f\xa6', 'latin1'),
      'The file ends too early: a character is cut off (line 1, byte 11).',
    ],
    [Buffer.from('{"a": 1}', 'utf16le'), 'A key in quotes is expected, not the byte 0x00 (line 1, byte 2).'],
  ];
  for (const [text, message] of broken) {
    it(`rejects ${JSON.stringify(text.toString('latin1').slice(0, 60))}`, () => {
      const bytes = Buffer.from(text);
      assert.equal(refusal(bytes, 100_000), message);
      // Chunk boundaries may move the reported place inside a broken character, nothing else.
      for (const size of sizes) assert.equal(refusal(bytes, size)?.split(' (')[0], message.split(' (')[0], `${size}`);
    });
  }

  it('agrees with JSON.parse on texts with one changed byte', () => {
    const good = Buffer.from('{"a":[{"b":"c\\u00e9\\n","d":[-1.5e3,true,null]},{}],"e":{"f":false}}');
    for (let index = 0; index < good.length; index += 1) {
      for (const byte of Buffer.from('"\\{}[],: 0e-.tn\nu')) {
        const changed = Buffer.from(good);
        changed[index] = byte;
        const text = changed.toString('utf8');
        assert.equal(refusal(changed, 5) === undefined, isJson(text), text);
      }
      const cut = good.subarray(0, index);
      assert.ok(refusal(cut, 5), cut.toString('utf8'));
    }
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
