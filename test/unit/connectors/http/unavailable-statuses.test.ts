import assert from 'node:assert/strict';
import type { HttpResponse } from '../../../../server/src/connectors/http/http-client.ts';
import { TransientFailure } from '../../../../server/src/connectors/http/transient-failure.ts';
import { statusFailure } from '../../../../server/src/connectors/rest/read-response.ts';
import { answerFailure } from '../../../../server/src/connectors/servicenow/api/platform-failure.ts';

function answerWith(status: number): HttpResponse {
  const headers = new Headers({ 'content-type': 'application/json' });
  return { status, headers, text: '{}', size: 2, milliseconds: 10 };
}

describe('HTTP statuses of unavailable servers and gateways', () => {
  const asked = { method: 'GET', path: ['now', 'table', 'incident'] } as const;
  for (const status of [408, 425, 499, 502, 503, 504]) {
    it(`are retried by every source kind: status ${status}`, () => {
      assert.ok(statusFailure(answerWith(status), 'GET /orders') instanceof TransientFailure);
      assert.ok(answerFailure(answerWith(status), undefined, asked) instanceof TransientFailure);
    });
  }

  it('status 500 is not retried on ServiceNow, where a script error may cause it', () => {
    assert.ok(statusFailure(answerWith(500), 'GET /orders') instanceof TransientFailure);
    assert.ok(!(answerFailure(answerWith(500), undefined, asked) instanceof TransientFailure));
  });
});
