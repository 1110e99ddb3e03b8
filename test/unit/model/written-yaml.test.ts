import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { draftText } from '../../../server/src/draft/draft-text.ts';
import { plainScalar } from '../../../server/src/language/completion/written-value.ts';
import { newText } from '../../../server/src/model/edits/new-text.ts';
import { writtenLike } from '../../../server/src/model/edits/text-edit.ts';

const words = ['No', 'on', 'y', 'Off', 'YES'];

describe('texts that YAML 1.1 would read as booleans are quoted', () => {
  for (const word of words) {
    it(word, () => {
      const header = { name: word, dataSource: word, dialect: 'duckdb' };
      const element = {
        ...{ activityName: word, dataObject: word, key: [word], start: { column: word }, objects: [], reasons: {} },
        ...{ properties: [word], ownEntity: true, entityType: word },
      };
      const draft = draftText(header, { elements: [element], entities: [], relationships: [] } as never);
      const whole = newText({ key: word });
      for (const text of [draft, whole]) assert.deepEqual(parse(text, { version: '1.1' }), parse(text));
      assert.match(draft, new RegExp(`key: '${word}'`));
      assert.equal(writtenLike(word, 'id'), `'${word}'`);
      assert.equal(plainScalar(word, false), `'${word}'`);
    });
  }

  it('other texts stay as they are', () => {
    assert.equal(plainScalar('Order No', true), 'Order No');
    assert.equal(newText({ key: 'order_no' }), 'key: order_no\n');
  });
});
