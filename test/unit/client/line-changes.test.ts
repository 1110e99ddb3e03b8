import assert from 'node:assert/strict';
import { lineChanges } from '../../../client/src/line-changes.ts';

const signs = { same: ' ', lost: '-', restored: '+', gap: '…' } as const;
const printed = (before: string, after: string): readonly string[] =>
  lineChanges(before, after).map(({ kind, text }) => `${signs[kind]}${text}`);
const numbered = (count: number): string => Array.from({ length: count }, (_, line) => `line ${line}\n`).join('');

describe('line changes', () => {
  it('show removed and added lines with two equal lines around', () => {
    const before = numbered(12).replace('line 6\n', 'mine\nalso mine\n');
    assert.deepEqual(printed(before, numbered(12)), [
      ...['…', ' line 4', ' line 5', '-mine', '-also mine', '+line 6', ' line 7', ' line 8', '…'],
    ]);
  });

  it('are as few as possible', () => {
    assert.deepEqual(
      printed('a\nb\nc\na\nb\nb\na\n', 'c\nb\na\nb\na\nc\n').filter((line) => /^[-+]/.test(line)).length,
      5,
    );
    assert.deepEqual(printed('a\n', ''), ['-a']);
    assert.deepEqual(printed('', 'a\n'), ['+a']);
  });

  it('are empty for equal texts with different line endings', () => {
    assert.deepEqual(printed('a\nb\n', 'a\r\nb'), ['…']);
  });

  it('turn any text into any other', () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    const text = (): string => Array.from({ length: random(12) }, () => `${'abc'[random(3)]}\n`).join('');
    for (let round = 0; round < 500; round += 1) {
      const [before, after] = [text(), text()];
      const side = (kind: 'lost' | 'restored'): string =>
        lineChanges(before, after)
          .filter((line) => line.kind === kind)
          .map((line) => line.text)
          .sort()
          .join('');
      const common = (whole: string, part: string): string =>
        [...part].reduce(
          (rest, letter) => rest.replace(letter, ''),
          whole.replaceAll('\n', '').split('').sort().join(''),
        );
      assert.equal(common(before, side('lost')), common(after, side('restored')), JSON.stringify([before, after]));
    }
  });

  it('are found at once for long texts without common lines', () => {
    const many = (prefix: string): string => Array.from({ length: 20_000 }, (_, line) => `${prefix}${line}\n`).join('');
    assert.equal(lineChanges(many('a'), many('b')).length, 40_000);
  });
});
