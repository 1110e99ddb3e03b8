import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { protectionText } from '../../../protocol/protection-text.ts';

describe('protectionText', () => {
  for (const kind of ['postgresql', 'mysql']) {
    it(`says what each TLS mode of ${kind} means`, () => {
      const path = `../../../server/src/connectors/${kind}/settings.schema.json`;
      const schema = readFileSync(new URL(path, import.meta.url), 'utf8');
      const modes = /"enum": (\["disable"[^\]]*\])/.exec(schema)?.[1];
      for (const mode of JSON.parse(modes ?? '') as readonly string[])
        assert.match(protectionText(mode), new RegExp(`^TLS mode ${mode}: .*encrypted`));
    });
  }

  const cases: readonly (readonly [string, string])[] = [
    ['prefer', 'TLS mode prefer: encrypted only if the server offers it'],
    [
      'verify-ca, trusting the authorities 12ab',
      'TLS mode verify-ca: encrypted, certificate checked, trusting the authorities 12ab',
    ],
    ['TLS, through http://proxy.example:3128', 'TLS, through http://proxy.example:3128'],
    ['no encryption', 'no encryption'],
    ['', ''],
  ];
  for (const [tls, expected] of cases) it(tls || 'nothing', () => assert.equal(protectionText(tls), expected));
});
