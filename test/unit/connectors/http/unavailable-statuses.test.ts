import assert from 'node:assert/strict';
import type { HttpAnswer } from '../../../../server/src/connectors/http/http-client.ts';
import { TransientFailure } from '../../../../server/src/connectors/http/transient-failure.ts';
import { statusFailure } from '../../../../server/src/connectors/rest/read-answer.ts';
import { answerFailure } from '../../../../server/src/connectors/servicenow/api/platform-failure.ts';

function answerWith(status: number): HttpAnswer {
  const headers = new Headers({ 'content-type': 'application/json' });
  return { status, headers, text: '{}', size: 2, milliseconds: 10 };
}

describe('an answer that a server or gateway is not available', () => {
  const asked = { method: 'GET', path: ['now', 'table', 'incident'] } as const;
  for (const status of [408, 425, 499, 502, 503, 504]) {
    it(`is asked for again by every source kind: status ${status}`, () => {
      assert.ok(statusFailure(answerWith(status), 'GET /orders') instanceof TransientFailure);
      assert.ok(answerFailure(answerWith(status), undefined, asked) instanceof TransientFailure);
    });
  }

  it('may be the error of a script on the platform, which is not asked for again, with status 500', () => {
    assert.ok(statusFailure(answerWith(500), 'GET /orders') instanceof TransientFailure);
    assert.ok(!(answerFailure(answerWith(500), undefined, asked) instanceof TransientFailure));
  });
});
