import assert from 'node:assert/strict';
import { withinComment } from '../../../server/src/cli/within-comment.ts';

const details = (name: string, rows: number): readonly string[] => [
  '',
  `<details><summary>${name}</summary>`,
  '',
  '| key |',
  '| --- |',
  ...Array.from({ length: rows }, (_, row) => `| ${name}${row} |`),
  '',
  '</details>',
];

describe('comments of a limited length', () => {
  it('stay as they are within 65,536 characters', () => {
    const lines = ['marker', ...details('gone', 5)];
    assert.equal(withinComment(lines), lines);
    assert.ok(withinComment(['marker', ...details('gone', 9000)]).join('\n').length <= 65_536);
  });

  it('lose rows first, from the end of each table, and say how many', () => {
    const lines = ['marker', ...details('gone', 30), '### Next graph', ...details('new', 30), ''];
    const shown = withinComment(lines, 600);
    assert.ok(shown.join('\n').length <= 600);
    assert.ok(shown.includes('### Next graph') && shown.includes('| gone0 |'), shown.join('\n'));
    const kept = shown.filter((line) => /^\| (gone|new)\d/.test(line)).length;
    const told = shown.flatMap((line) => /^… (\d+) more$/.exec(line)?.[1] ?? []);
    assert.equal(told.length, 2);
    assert.equal(kept + Number(told[0]) + Number(told[1]), 60);
  });

  it('lose other lines from the end where rows do not suffice, without an open part', () => {
    const lines = ['marker', ...Array.from({ length: 50 }, (_, index) => `line ${index}`), ...details('new', 3)];
    const shown = withinComment(lines, 300);
    assert.ok(shown.join('\n').length <= 300);
    assert.match(shown.join('\n'), /^marker\nline 0\n[^]*\n… \d+ more lines\n$/);
  });
});
