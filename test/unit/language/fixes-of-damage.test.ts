import assert from 'node:assert/strict';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { type TextEdit, applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import type { ParsedEntityGraph } from '../../../server/src/model/parse-model.ts';
import type { Problem } from '../../../server/src/model/problem.ts';
import { damages } from './damage-file.ts';
import { catalog, sources } from './shop-catalog.ts';

const block = `version: 1
name: Orders # what is sold
dataSource: shop
dataObjects: [orders, customers]
elements:
  # the first
  - activityName: Place Order
    dataObject: orders
    key: id
    startTimestamp: placed_at
    properties: [note, customer_id] # two
    where: |
      orders.note IS NOT NULL
      AND orders.id > 1
  - activityName: Win Customer
    dataObject: customers
    key:
      - id
    startTimestamp: since
relationships:
  - name: buys
    source: Win Customer # who
    target: Place Order
    mappings:
      - source: id
        target: customer_id
import:
  engine: embedded
`;

const flow = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, startTimestamp: placed_at } # in braces
  - { activityName: Win Customer, dataObject: customers, key: id, startTimestamp: since }
relationships:
  - { source: Win Customer, target: Place Order, mappings: [{ source: id, target: customer_id }] }
`;

describe('quick fixes of a damaged line', () => {
  for (const [style, text] of Object.entries({ block, flow })) {
    const lines = text.split('\n').slice(0, -1);

    it(`the file without damage has no problem: ${style}`, () => assert.deepEqual(read(text).problems, []));

    for (const [kind, damage] of Object.entries(damages)) {
      it(`fix the line, break nothing and lose nothing: ${kind}, ${style}`, () => {
        const wrong = lines.flatMap((line, at) => {
          const left = damage(line);
          const broken = `${lines.toSpliced(at, 1, ...(left === undefined ? [] : [left])).join('\n')}\n`;
          return broken === text ? [] : wrongFixes(broken);
        });
        assert.deepEqual(wrong, []);
      });
    }
  }
});

/** The fixes of a text that have another effect than they should, and why. */
function wrongFixes(text: string): readonly string[] {
  const { parsed, problems } = read(text);
  return problems.flatMap((problem) =>
    fixesOf(problem, { parsed, sources, catalog })
      .filter(({ edits }) => edits.length > 0)
      .flatMap(({ title, edits }) => {
        const after = applyEdits(text, edits);
        const left = read(after).problems;
        const reasons = [
          ...(syntaxMistakes(left) > syntaxMistakes(problems) ? ['more cannot be read'] : []),
          ...(!asksToFillIn(problem, edits) && isThere(left, problem, after.length - text.length)
            ? ['the problem is still there']
            : []),
          ...lost(text, after)
            .filter((word) => !title.includes(word))
            .map((word) => `"${word}" is lost`),
        ];
        const changed = (from: string, to: string): string =>
          from
            .split('\n')
            .filter((line) => !to.split('\n').includes(line))
            .join('\n');
        return reasons.map(
          (reason) => `${reason}: ${title} for ${problem.message} | ${changed(text, after)} → ${changed(after, text)}`,
        );
      }),
  );
}

function read(text: string): { readonly parsed: ParsedEntityGraph; readonly problems: readonly Problem[] } {
  const parsed = createGraphParser().parse(text);
  return { parsed, problems: validateEntityGraph({ text, parsed, sources, catalog }) };
}

function syntaxMistakes(problems: readonly Problem[]): number {
  return problems.filter(({ code }) => code === 'yaml-syntax').length;
}

/** A key whose value only a person knows stays missing. */
function asksToFillIn({ code }: Problem, edits: readonly TextEdit[]): boolean {
  return code !== 'yaml-syntax' && edits.some(({ newText }) => /:\s*$/.test(newText));
}

/** Whether a problem is reported at its place or before; after it, the same one may have been hidden. */
function isThere(problems: readonly Problem[], { code, message, range }: Problem, growth: number): boolean {
  const last = range.end + Math.max(0, growth);
  return problems.some((other) => other.code === code && other.message === message && other.range.start <= last);
}

/** Keys and comments that occur more often in one text than in another. */
function lost(before: string, after: string): readonly string[] {
  const words = (text: string): readonly string[] => text.match(/[\w-]+(?=:(?:\s|$))|(?<=^|\s)#.*/gm) ?? [];
  const left = [...words(after)];
  return words(before).filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
