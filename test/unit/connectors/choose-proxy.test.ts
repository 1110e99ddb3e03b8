import assert from 'node:assert/strict';
import { chooseProxy, type ProxySettings } from '../../../server/src/connectors/http/choose-proxy.ts';

const target = 'https://acme.example';

/** One row per case: the settings, and the resulting proxy for the address. */
const cases: readonly (readonly [address: string, settings: Partial<ProxySettings>, proxy: string | undefined])[] = [
  [target, {}, undefined],
  [target, { source: 'http://own:3128', network: { proxy: 'http://editor:1' } }, 'http://own:3128/'],
  [target, { source: 'none', network: { proxy: 'http://editor:1' } }, undefined],
  [target, { network: { proxy: 'http://editor:1' }, environment: { HTTPS_PROXY: 'http://env:1' } }, 'http://editor:1/'],
  [target, { network: { proxy: 'http://editor:1', noProxy: ['acme.example'] } }, undefined],
  [target, { network: { proxy: 'http://editor:1', noProxy: ['*.example'] } }, undefined],
  [target, { network: { proxy: 'http://editor:1', noProxy: ['me.example'] } }, 'http://editor:1/'],
  [target, { network: { proxy: 'http://editor:1', proxyOff: true }, environment: { HTTPS_PROXY: 'env' } }, undefined],
  [target, { environment: { HTTPS_PROXY: 'http://up:1', https_proxy: 'http://low:1' } }, 'http://low:1/'],
  [target, { environment: { HTTPS_PROXY: 'env:8080' } }, 'http://env:8080/'],
  [target, { environment: { HTTP_PROXY: 'http://env:1' } }, undefined],
  [target, { environment: { ALL_PROXY: 'http://env:1' } }, 'http://env:1/'],
  [target, { environment: { ALL_PROXY: 'http://env:1', NO_PROXY: 'a.b, .example' } }, undefined],
  [target, { environment: { ALL_PROXY: 'http://env:1', NO_PROXY: '*' } }, undefined],
  [target, { environment: { ALL_PROXY: 'http://env:1', NO_PROXY: 'acme.example:8443' } }, 'http://env:1/'],
  [
    'https://acme.example:8443',
    { environment: { ALL_PROXY: 'http://env:1', NO_PROXY: 'acme.example:8443' } },
    undefined,
  ],
  ['http://127.0.0.1:80', { environment: { ALL_PROXY: 'http://env:1' } }, undefined],
  ['http://localhost', { source: 'http://own:1' }, 'http://own:1/'],
  ['http://plain.example', { environment: { http_proxy: 'http://env:1' } }, 'http://env:1/'],
];

describe('chooseProxy', () => {
  for (const [address, settings, proxy] of cases) {
    it(`${address} with ${JSON.stringify(settings)}`, () => {
      assert.equal(chooseProxy(new URL(address), { environment: {}, ...settings })?.url.href, proxy);
    });
  }

  it('redacts an invalid proxy address, which may contain a password', () => {
    for (const source of ['socks5://u:geheim@x', 'http://u:geheim@']) {
      assert.throws(
        () => chooseProxy(new URL(target), { source, environment: {} }),
        (error: Error) =>
          /is not the address of an HTTP proxy/.test(error.message) && !error.message.includes('geheim'),
      );
    }
  });

  it('checks proxy certificates unless the editor disables it', () => {
    const strictness = (settings: Partial<ProxySettings>) =>
      chooseProxy(new URL(target), { environment: {}, ...settings })?.strict;
    assert.equal(strictness({ network: { proxy: 'https://p:1' } }), true);
    assert.equal(strictness({ network: { proxy: 'https://p:1', proxyStrictSSL: false } }), false);
    assert.equal(strictness({ source: 'https://p:1', network: { proxyStrictSSL: false } }), true);
  });
});
