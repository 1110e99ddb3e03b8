import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { loginLines } from '../../../../server/src/connectors/fetched/login-lines.ts';
import { curlText, type ShownRequest } from '../../../../server/src/connectors/http/request-text.ts';

/** A shell's arguments for cURL. */
function argumentsOf(request: ShownRequest): readonly string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${curlText(request)}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

const nasty = `it's "$HOME" \`id\` $(id) \\n !! %25 ü\nnext`;
const url = (path: string): URL => new URL(path, 'https://acme.example');

/** One row per request: cURL's arguments. */
const cases: readonly (readonly [name: string, request: ShownRequest, expected: readonly string[]])[] = [
  [
    'an address with quotes and brackets',
    { method: 'GET', url: url(`/it's/[1-3]?q=${encodeURIComponent(nasty)}`), headers: ['Accept: */*'] },
    [
      ...[
        '--request',
        'GET',
        '--globoff',
        `https://acme.example/it's/[1-3]?q=${encodeURIComponent(nasty).replace("'", '%27')}`,
      ],
      ...['--header', 'Accept: */*'],
    ],
  ],
  [
    'a body, as it is',
    { method: 'POST', url: url('/x'), headers: [`X-Note: ${nasty}`], body: `@${nasty}` },
    ['--request', 'POST', 'https://acme.example/x', '--header', `X-Note: ${nasty}`, '--data-raw', `@${nasty}`],
  ],
  [
    'a file',
    { method: 'POST', url: url('/x'), headers: [], body: '<f>', file: `/tmp/${nasty}` },
    ['--request', 'POST', 'https://acme.example/x', '--data-binary', `@/tmp/${nasty}`],
  ],
  [
    'a certificate as login',
    {
      method: 'GET',
      url: url('/x'),
      headers: [],
      certificate: { cert: "/c/it's.pem", key: '/c/key.pem', ca: '/c/ca.pem' },
    },
    [
      ...['--request', 'GET', 'https://acme.example/x', '--cert', "/c/it's.pem", '--key', '/c/key.pem'],
      ...['--cacert', '/c/ca.pem'],
    ],
  ],
  [
    'a certificate in one file, without its passphrase',
    { method: 'GET', url: url('/x'), headers: [], certificate: { pfx: '/c/me.p12', passphrase: 'geheim' } },
    ['--request', 'GET', 'https://acme.example/x', '--cert-type', 'P12', '--cert', '/c/me.p12'],
  ],
];

describe('cURL command of a request', () => {
  for (const [name, request, expected] of cases) {
    it(`works in a shell: ${name}`, () => {
      assert.deepEqual(argumentsOf(request), expected);
    });
  }

  it('contains the login when a certificate alone is not enough', () => {
    const certificate = { pfx: '/c/me.p12' };
    assert.deepEqual(loginLines({ kind: 'mtls', certificate }), []);
    const login = { user: 'u', password: 'geheim' };
    assert.deepEqual(loginLines({ kind: 'mtls', certificate, login }), ['Authorization: Basic ***']);
  });
});
