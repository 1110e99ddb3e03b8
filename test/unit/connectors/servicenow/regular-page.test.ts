import assert from 'node:assert/strict';
import fc from 'fast-check';
import { regularPageReader } from '../../../../server/src/connectors/servicenow/records/regular-page.ts';

const fields = ['sys_id', 'number', 'caller_id'];
const regularPage = regularPageReader(fields);
const record = (id: string, more: object = {}) => ({ sys_id: id, number: 'INC1', caller_id: '', ...more });
const page = (...records: readonly object[]): string => JSON.stringify({ result: records });

describe('raw pages (JSON pages loaded without parsing)', () => {
  it('are recognised without parsing', () => {
    const text = page(
      record('a1', { number: 'say "hi"\n\\' }),
      record('b2', { number: 'é {} 😀'.replace('{}', '{ }') }),
    );
    assert.deepEqual(regularPage(text), { text, keys: ['a1', 'b2'], records: 2 });
  });

  const irregular: readonly (readonly [what: string, text: string])[] = [
    ['no records', page()],
    ['no list', '{"result":{"sys_id":"a"}}'],
    ['an empty record', page(record('a'), {})],
    ['a field that is missing', page(record('a'), { sys_id: 'b', number: 'x' })],
    ['a field that was not requested', page(record('a', { state: '1' }))],
    ['a key that is missing', page({ number: 'x', caller_id: 'y', state: 'z' })],
    ['a key that is empty', page(record(''))],
    ['no value', page(record('a', { number: null }))],
    ['a number', page(record('a', { number: 1 }))],
    ['a reference', page(record('a', { caller_id: { link: 'https://x', value: 'y' } }))],
    ['a list', page(record('a', { caller_id: ['y'] }))],
    ['an error beside the records', '{"result":[{"sys_id":"a","number":"","caller_id":""}],"error":{"message":"x"}}'],
    ['an error before the records', '{"error":{"message":"x"},"result":[{"sys_id":"a","number":"","caller_id":""}]}'],
    ['an end that is missing', page(record('a'), record('b')).slice(0, -2)],
    ['a line break within a text', page(record('a', { number: 'x' })).replace('"x"', '"x\n"')],
    ['half a character', page(record('a', { number: 'cut \ud83d' }))],
    ['a page that is laid out for people', JSON.stringify({ result: [record('a')] }, null, 2)],
    ['another order of fields', page(record('a'), { number: '', sys_id: 'b', caller_id: '' })],
    ['something behind the end', `${page(record('a'))} x`],
    ['a text that is not closed', page(record('a'), record('b')).replace('"b"', '"b')],
    ['an escape that is none', page(record('a', { number: 'x' })).replace('"x"', '"\\x"')],
    ['another list', '{"records":[{"sys_id":"a","number":"","caller_id":""}]}'],
    ['a page that is too large', page(record('a', { number: 'x'.repeat(1024 * 1024) }))],
  ];
  for (const [what, text] of irregular) {
    it(`exclude ${what}`, () => assert.equal(regularPage(text), undefined));
  }

  it('have all fields as texts in every record, with any content', () => {
    const odd = fc.constantFrom(
      '":"',
      '\\":"',
      '"sys_id":"',
      '{}',
      '":{',
      '\\',
      '"',
      ':',
      ',',
      '"error":',
      '}]}',
      'x',
      '',
    );
    const text = fc.oneof(
      fc.array(odd, { maxLength: 4 }).map((parts) => parts.join('')),
      fc.string(),
    );
    const value = fc.oneof(
      { weight: 8, arbitrary: text },
      fc.constant(null),
      fc.dictionary(text, text, { maxKeys: 2 }),
    );
    const made = fc.dictionary(fc.constantFrom('sys_id', 'number', 'caller_id', 'state'), value, {
      noNullPrototype: true,
    });
    const whole = fc.record({ sys_id: fc.nat().map((id) => id.toString(16)), number: text, caller_id: text });
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 4, arbitrary: whole }, made), { maxLength: 5 }), (records) => {
        const sent = page(...records);
        const found = regularPage(sent);
        if (!found) return;
        assert.deepEqual(
          found.keys,
          records.map((each) => each['sys_id'] as string),
        );
        for (const each of records) {
          assert.deepEqual(Object.keys(each).sort(), [...fields].sort());
          assert.ok(Object.values(each).every((cell) => typeof cell === 'string'));
        }
      }),
      { numRuns: 3000, seed: 13 },
    );
  });
});
