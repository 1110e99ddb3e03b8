import assert from 'node:assert/strict';
import type { HttpResponse } from '../../../../server/src/connectors/http/http-client.ts';
import type { RequestedCall } from '../../../../server/src/connectors/servicenow/api/call-platform.ts';
import { answerFailure } from '../../../../server/src/connectors/servicenow/api/platform-failure.ts';

/**
 * One row per refusal: the request, the instance's status and message, the expected advice, and what must not be
 * advised.
 */
const cases: readonly (readonly [what: string, status: number, said: string, advice: RegExp, never?: RegExp])[] = [
  ['GET /api/now/table/none', 400, 'Invalid table none', /in tables of the data source, the name of the data object/],
  [
    'POST /api/now/v2/table/none',
    400,
    'Invalid table none',
    /^Correct the name of the table/,
    /data source|data object/,
  ],
  ['PATCH /api/now/table/none/a', 400, 'Invalid table none', /^Correct the name of the table/, /data source/],
  ['POST /api/now/import/none', 400, 'Invalid table none', /^Correct the name of the staging table/, /data source/],
  ['GET /api/now/table/incident/a', 404, 'No Record found', /^The record does not exist, or the user may not read it/],
  ['DELETE /api/now/table/incident/a', 404, 'No Record found', /^The record does not exist, or the user may not see/],
  ['GET /api/now/attachment/a', 404, 'No Record found', /^The attachment does not exist/],
  ['POST /api/now/attachment/file', 404, 'No Record found', /^The record that it is attached to/],
  ['POST /api/now/import/none', 404, 'Not found', /^Check the name of the staging table/],
  ['GET /api/now/import/imp/a', 404, 'Not found', /^The staged row/],
  ['GET /api/x_acme/ops/outages', 404, 'No such outage', /^Check the path and the parameters/, /record|tables/],
  ['POST /api/x_acme/v1/ops/table/x', 404, 'No', /^Check the path and the parameters/, /record|tables/],
  ['POST /api/x_acme/ops/outages', 403, 'No', /role that the endpoint asks for/, /table/],
  ['GET /api/now/constructor/x', 404, 'No', /^Check the path and the parameters/],
  ['GET /api/now/table/incident', 403, 'No', /may read the table/],
  ['POST /api/now/table/incident', 403, 'No', /may write to the table/],
  ['POST /api/now/import/imp', 403, 'No', /import_set_loader/],
  [
    'GET /api/x/y/z',
    400,
    'Requested URI does not represent any resource',
    /^Check the path, and whether the application/,
  ],
];

function requestOf(what: string): RequestedCall {
  const [method = '', address = ''] = what.split(' ');
  return { method: method as RequestedCall['method'], path: address.replace('/api/', '').split('/') };
}

describe('ServiceNow rejections', () => {
  for (const [what, status, message, advice, never] of cases) {
    it(`have a remedy: ${what} with ${status} ${message}`, () => {
      const headers = new Headers({ 'Content-Type': 'application/json' });
      const answer = { status, headers, text: '{}', size: 2 } as unknown as HttpResponse;
      const { remedy = '' } = answerFailure(answer, { message, detail: undefined }, requestOf(what)).details;
      assert.match(remedy, advice);
      if (never) assert.doesNotMatch(remedy, never);
    });
  }
});
