import assert from 'node:assert/strict';
import { createTranslator, t } from '../../../webview/src/ui/translate.ts';

describe('translation', () => {
  const { t: de, tParts } = createTranslator({
    'Remove {0}?': '{0} entfernen?',
    'from {0} to {1}': 'nach {1} von {0}',
    '{0} rows': '{0} Zeilen, {7}',
  });

  const cases: readonly (readonly [message: string, args: readonly (string | number)[], expected: string])[] = [
    ['Remove {0}?', ['Open'], 'Open entfernen?'],
    ['from {0} to {1}', ['A', 'B'], 'nach B von A'],
    ['{0} rows', [0], '0 Zeilen, {7}'],
    ['Add {0}', ['{1} $& <b>'], 'Add {1} $& <b>'],
    ['{0}, {0} and {name}', ['x'], 'x, x and {name}'],
    ['constructor', [], 'constructor'],
    ['', [], ''],
  ];
  for (const [message, args, expected] of cases) {
    it(`of “${message}” with ${JSON.stringify(args)}`, () => assert.equal(de(message, ...args), expected));
  }

  it('keeps markup in translations', () => {
    const bold = { strings: ['<strong>'] };
    assert.deepEqual(tParts('Remove {0}?', bold), ['', bold, ' entfernen?']);
    assert.deepEqual(tParts('Run {0} here.', bold), ['Run ', bold, ' here.']);
  });

  it('falls back to English without a page', () => assert.equal(t('Remove {0}?', 'Open'), 'Remove Open?'));
});
