import assert from 'node:assert/strict';
import fc from 'fast-check';
import { redactSecrets } from '../../../server/src/connectors/redact-secrets.ts';

describe('redactSecrets', () => {
  const basic = Buffer.from('u:geheim & süß').toString('base64');
  const latin = Buffer.from('u:geheim & süß', 'latin1').toString('base64');
  const cases: readonly (readonly [text: string, secrets: readonly string[], scrubbed: string])[] = [
    ['login of x with hush failed: hush', ['hush'], 'login of x with *** failed: ***'],
    ['https://u:pa%24%24%20word@h', ['pa$$ word'], 'https://u:***@h'],
    ['https://u:pa%24%24%20w%c3%bcrd@h', ['pa$$ würd'], 'https://u:***@h'],
    ['https://h/?next=%2F%3Fkey%3Dpa%2524%2524', ['pa$$'], 'https://h/?next=%2F%3Fkey%3D***'],
    ['https://h/?key=pa+ss%27%28word', ["pa ss'(word"], 'https://h/?key=***'],
    ['hushhush and hush', ['hush', 'hushhush'], '*** and ***'],
    ['{"pw":"a\\"b\\\\c/d"}', ['a"b\\c/d'], '{"pw":"***"}'],
    ['{"pw":"a\\"b\\\\c\\/d"}', ['a"b\\c/d'], '{"pw":"***"}'],
    ['{"pw":"s\\u00fc\\u00dfe"} {"pw":"s\\u00FC\\u00DFe"}', ['süße'], '{"pw":"***"} {"pw":"***"}'],
    ['<p>Login of a&lt;b&amp;&quot;c&#39; failed</p>', ['a<b&"c\''], '<p>Login of *** failed</p>'],
    ["password 'it''s' is wrong", ["it's"], "password '***' is wrong"],
    [`{"Authorization":"Basic ${basic}"}`, ['geheim & süß'], '{"Authorization":"Basic ***"}'],
    [`Basic ${latin}`, ['geheim & süß'], 'Basic ***'],
    [`login=${basic} was refused`, ['geheim & süß'], 'login=*** was refused'],
    [`?login=${encodeURIComponent(basic)}&a=b`, ['geheim & süß'], '?login=***&a=b'],
    [`Basic ${basic}`, ['another'], `Basic ${basic}`],
    // Short ones only as whole words: a password "a" must not redact every word.
    ['a man: pw a, "a"', ['a'], '*** man: pw ***, "***"'],
    ['Basic dTpwdw==', ['pw'], 'Basic ***'],
    [`GET /login/${basic} failed`, ['geheim & süß'], 'GET *** failed'],
    ['nothing', [''], 'nothing'],
  ];
  for (const [text, hidden, scrubbed] of cases) {
    it(text, () => assert.equal(redactSecrets(text, hidden), scrubbed));
  }

  const secret = fc.string({ unit: 'grapheme', minLength: 4, maxLength: 24 }).filter((text) => text.trim().length >= 4);
  const around = fc.constantFrom('', '/path/', ' failed: ', '{"said":"', '\n', ', ');
  /** Encodings in which the other side may return a value. */
  const writings: readonly ((user: string, password: string) => string)[] = [
    (_, password) => password,
    (_, password) => encodeURIComponent(password),
    (_, password) => encodeURIComponent(password).replaceAll(/%../g, (escaped) => escaped.toLowerCase()),
    (_, password) => new URLSearchParams({ password }).toString(),
    (_, password) => JSON.stringify({ password }),
    (user, password) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    (user, password) => Buffer.from(`${user}:${password}`).toString('base64url'),
    (user, password) => encodeURIComponent(Buffer.from(`${user}:${password}`).toString('base64')),
  ];

  it('scans a long text once', () => {
    const run = Buffer.alloc(300_000, 'abc').toString('base64');
    const timeOf = (text: string): number => {
      const times = Array.from({ length: 5 }, () => {
        const start = performance.now();
        assert.equal(redactSecrets(text, ['a long password']), text);
        return performance.now() - start;
      });
      return Math.min(...times);
    };
    timeOf(run);
    // Twice the length takes about twice as long; a search from each character would take four times as long.
    const once = timeOf(run);
    assert.ok(timeOf(run + run) < once * 3.5 + 20);
  });

  it('redacts every encoding of every secret', () => {
    fc.assert(
      fc.property(secret, secret, fc.nat(writings.length - 1), around, around, (user, password, at, before, after) => {
        const written = writings[at]?.(user, password) ?? '';
        const scrubbed = redactSecrets(`${before}${written}${after}`, [password]);
        assert.ok(!scrubbed.includes(written), scrubbed);
        assert.ok(!scrubbed.includes(password), scrubbed);
      }),
      { numRuns: 2000 },
    );
  });
});
