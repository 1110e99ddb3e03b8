import assert from 'node:assert/strict';
import { completeEntityGraph } from '../../../server/src/language/complete.ts';
import { diagnoseEntityGraph } from '../../../server/src/language/diagnose.ts';
import { hoverEntityGraph } from '../../../server/src/language/hover.ts';
import { outlineEntityGraph } from '../../../server/src/language/outline.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import type { ParsedEntityGraph } from '../../../server/src/model/parse-model.ts';
import { catalog, sources } from './shop-catalog.ts';

/** A file of some 1,000 lines without a mistake. */
function largeFile(): string {
  const elements = Array.from(
    { length: 110 },
    (_, index) => `  - activityName: Place Order ${index}
    dataObject: orders
    entityType: order
    startTimestamp: placed_at
    properties: [id, note]
    where: |
      orders.note IS NOT NULL
      AND orders.id > ${index}
`,
  );
  const relationships = Array.from(
    { length: 30 },
    (_, index) => `  - name: r${index}
    source: Place Order ${index}
    target: Place Order ${index + 1}
    mappings: [{ source: customer_id, target: id }]
`,
  );
  return `version: 1\ndataSource: shop\nelements:\n${elements.join('')}relationships:\n${relationships.join('')}`;
}

/** Kinds of one-line damage: what is done to the line. */
const damages: Readonly<Record<string, (line: string) => string>> = {
  'an open bracket': (line) => `${line} [`,
  'an open brace': (line) => `${line} {`,
  'an open double quote': (line) => line.replace(': ', ': "'),
  'an open single quote': (line) => line.replace(': ', ": '"),
  'a tab': (line) => `\t${line}`,
  'too little indentation': (line) => line.replace(/^ {2}/, ' '),
  'too much indentation': (line) => `   ${line}`,
  'a stray colon': (line) => `${line}: x`,
  'half a key': () => '    startTi',
  'a stray dash': (line) => line.replace(/^( *)/, '$1- '),
  'a closing bracket': (line) => `${line}]`,
  'a conflict mark': () => '<<<<<<< HEAD',
  'an alias without anchor': (line) => line.replace(/: .*/, ': *nowhere'),
  'an at sign': (line) => line.replace(': ', ': @'),
  'a percent sign': (line) => line.replace(': ', ': %'),
};

describe('one broken line', () => {
  const text = largeFile();
  const lines = text.split('\n');
  const healthy = readOnce(text);
  const before = symbolCount(healthy);

  it('stays one broken line, whatever is broken', () => {
    let extra = 0;
    let cases = 0;
    let symbolsKept = 0;
    let hoversKept = 0;
    let hovers = 0;
    let completionsKept = 0;
    let completions = 0;
    const lost: string[] = [];
    const offeredBefore = new Map(probedLines.map((line) => [line, completed(healthy, offsetOf(text, line))]));
    for (const [kind, damage] of Object.entries(damages)) {
      for (const at of [300, 511, 702]) {
        const broken = lines.with(at, damage(lines[at] ?? '')).join('\n');
        const parser = createGraphParser();
        parser.parse(text);
        const parsed = parser.parse(broken);
        const problems = diagnoseEntityGraph({ text: broken, parsed, sources, catalog });
        assert.ok(problems.length > 0, `${kind} in "${lines[at]}" is not noticed`);
        extra += problems.length - 1;
        symbolsKept += symbolCount(parsed) / before;
        cases += 1;
        for (const line of [100, 400, 850]) {
          const offset = offsetOf(text, line);
          const expected = hoverEntityGraph({ parsed: healthy, sources, catalog }, offset)?.markdown;
          const moved = offset + (line > at ? broken.length - text.length : 0);
          if (hoverEntityGraph({ parsed, sources, catalog }, moved)?.markdown === expected) hoversKept += 1;
          hovers += 1;
        }
        for (const line of probedLines) {
          if (entryOf(lines, line) === entryOf(lines, at)) continue;
          const offset = offsetOf(text, line);
          const moved = offset + (line > at ? broken.length - text.length : 0);
          const offered = completed(parsed, moved);
          const isKept = offered === offeredBefore.get(line);
          if (isKept) completionsKept += 1;
          else lost.push(`${kind} in line ${at}: line ${line}`);
          completions += 1;
        }
      }
    }
    assert.ok(extra / cases <= 1.5, `${extra / cases} extra problems on average`);
    assert.ok(symbolsKept / cases >= 0.95, `${symbolsKept / cases} of the symbols`);
    assert.ok(hoversKept / hovers >= 0.98, `${hoversKept / hovers} of the hovers`);
    const share = completionsKept / completions;
    assert.ok(share >= 0.97, `${share} of the completions, not those with ${lost.join('; ')}`);
  });
});

/** Values, keys and SQL of elements and relationships before, near and behind what is broken. */
const probedLines = [4, 101, 104, 107, 290, 298, 310, 400, 505, 520, 710, 850, 901, 903];

/** The line that the entry of a line begins with: what a broken entry says of itself is not elsewhere. */
function entryOf(lines: readonly string[], line: number): number {
  return lines.slice(0, line + 1).findLastIndex((each) => each.startsWith('  - '));
}

/** What is offered at an offset, as one text. */
function completed(parsed: ParsedEntityGraph, offset: number): string {
  const proposals = completeEntityGraph({ parsed, sources, catalog }, offset);
  return proposals.map(({ label, insertText }) => `${label} ${insertText}`).join('\n');
}

function readOnce(text: string): ParsedEntityGraph {
  return createGraphParser().parse(text);
}

function symbolCount(parsed: ParsedEntityGraph): number {
  return outlineEntityGraph(parsed).reduce((count, { children }) => count + children.length, 0);
}

/** In the middle of the value of a line (0-based). */
function offsetOf(text: string, line: number): number {
  const lines = text.split('\n');
  const start = lines.slice(0, line).join('\n').length + 1;
  const colon = lines[line]?.indexOf(': ') ?? -1;
  return start + Math.max(colon + 3, 4);
}
