import assert from 'node:assert/strict';
import { mergeTexts } from '../../../client/src/merge-texts.ts';

describe('merging texts', () => {
  const base = 'a\nb\nc\nd\n';
  const cases: readonly (readonly [title: string, text: string, other: string, merged: string | undefined])[] = [
    ['nothing', base, base, base],
    ['a change of the other text only', base, 'a\nB\nc\nd\n', 'a\nB\nc\nd\n'],
    ['changes of different lines', '# mine\na\nb\nc\nD\n', 'a\nB\nc\nd\n', '# mine\na\nB\nc\nD\n'],
    ['changes of neighbouring lines', 'A\nb\nc\nd\n', 'a\nB\nc\nd\n', 'A\nB\nc\nd\n'],
    ['added and removed lines', 'a\nb\nc\nd\ne\n', 'b\nc\nc2\nd\n', 'b\nc\nc2\nd\ne\n'],
    ['the same change of both', 'a\nB\nc\nd\n', 'a\nB\nc\nd\n', 'a\nB\nc\nd\n'],
    ['not different changes of a line', 'a\nmine\nc\nd\n', 'a\ntheirs\nc\nd\n', undefined],
    ['not a change of a removed line', 'a\nd\n', 'a\nb\nC\nd\n', undefined],
    ['not different lines added at one place', 'a\nx\nb\nc\nd\n', 'a\ny\nb\nc\nd\n', undefined],
    ['line ends of the text', '# mine\r\na\r\nb\r\nc\r\nd\r\n', 'a\nB\nc\nd\n', '# mine\r\na\r\nB\r\nc\r\nd\r\n'],
  ];
  for (const [title, text, other, merged] of cases) {
    it(`takes ${title}`, () => assert.equal(mergeTexts(base, text, other), merged));
  }
});
