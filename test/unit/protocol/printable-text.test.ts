import assert from 'node:assert/strict';
import fc from 'fast-check';
import { escapeControls, printableLine } from '../../../protocol/printable-text.ts';

describe('printable texts', () => {
  const cases: readonly (readonly [title: string, given: string, printed: string])[] = [
    ['letters, blanks and backslashes stay', String.raw`Zoë “x”  \n 表 🙂‍↔️`, String.raw`Zoë “x”  \n 表 🙂‍↔️`],
    ['line ends and tabs', 'a\nb\r\nc\td', String.raw`a\nb\u{d}\nc\td`],
    ['line ends of Unicode', 'a\u2028b\u2029c\u0085d', String.raw`a\u{2028}b\u{2029}c\u{85}d`],
    ['sequences for terminals', '\u001b]0;x\u0007\u009b31m\0\u007f', String.raw`\u{1b}]0;x\u{7}\u{9b}31m\u{0}\u{7f}`],
    ['controls of direction', 'a\u202eb\u2066c\u200fd\u061c', String.raw`a\u{202e}b\u{2066}c\u{200f}d\u{61c}`],
    ['commands of GitHub', '::error::x', '\u200b::error::x'],
    ['commands after blanks', ' \u00a0::error::x', ' \u00a0\u200b::error::x'],
    ['colons within a line are none', 'a::text', 'a::text'],
    ['older commands of GitHub, anywhere', 'a ##[error]x', 'a #\u200b#[error]x'],
    ['commands of Azure Pipelines, anywhere', '##vso[x]##vso[y]', '#\u200b#vso[x]#\u200b#vso[y]'],
    ['commands of TeamCity', "##teamcity[x 'y']", "#\u200b#teamcity[x 'y']"],
    ['headings are none', '## A ##', '## A ##'],
  ];
  for (const [title, given, printed] of cases) {
    it(title, () => assert.equal(printableLine(given), printed));
  }

  it('whatever is printed is one line that commands nothing, and stays the same when printed again', () => {
    const unit = fc.oneof(fc.constantFrom(...'::##[vso] \n\r\t\u001b\u2028\u202e'), fc.string({ maxLength: 2 }));
    fc.assert(
      fc.property(fc.array(unit), (units) => {
        const text = units.join('');
        const printed = printableLine(text);
        assert.doesNotMatch(printed, /[\p{Cc}\u2028\u2029\p{Bidi_Control}]|^\s*::|##\w*\[/u);
        assert.equal(printableLine(printed), printed);
        assert.equal(printed.replaceAll('\u200b', ''), escapeControls(text).replaceAll('\u200b', ''));
      }),
      { numRuns: 2000 },
    );
  });
});
