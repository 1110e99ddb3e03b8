import assert from 'node:assert/strict';
import { transportFailure } from '../../../../server/src/connectors/http/transport-failure.ts';
import { isSourceError } from '../../../../server/src/connectors/source-error.ts';

const refused = (code: string, reason: string) =>
  [code, reason, `a.example refuses the client certificate: ${reason}.`, /the server knows its authority/] as const;

/** One row per TLS failure as reported by Node, and the message. */
const cases: readonly (readonly [code: string, reason: string, message: string, remedy: RegExp])[] = [
  [
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'tlsv13 alert certificate required',
    'a.example wants a client certificate, and was given none.',
    /kind: mtls/,
  ],
  refused('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'tlsv1 alert unknown ca'),
  refused('ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'sslv3 alert certificate expired'),
  refused('ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'sslv3 alert bad certificate'),
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'wrong version number',
    'The TLS connection to a.example failed: wrong version number.',
    /speaks HTTPS/,
  ],
];

describe('TLS failure messages', () => {
  for (const [code, reason, message, remedy] of cases) {
    it(`explain ${code}`, () => {
      const said = `806C:error:0A00045C:SSL routines:ssl3_read_bytes:${reason}:../deps/openssl/rec_layer_s3.c:1601:\n`;
      const error = Object.assign(new Error(`request to https://a.example/ failed, reason: ${said}`), { code });
      const failure = transportFailure(error, 'The service', new URL('https://a.example/'));
      assert.ok(isSourceError(failure));
      assert.deepEqual([failure.code, failure.message], ['tls-failed', message]);
      assert.match(failure.details.remedy ?? '', remedy);
    });
  }
});
