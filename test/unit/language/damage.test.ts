import assert from 'node:assert/strict';
import { createEntryCache } from '../../../server/src/language/checks/entry-cache.ts';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { hoverEntityGraph } from '../../../server/src/language/hover.ts';
import { outlineEntityGraph } from '../../../server/src/language/document-symbols.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import type { ParsedEntityGraph } from '../../../server/src/model/parse-model.ts';
import { damages, damagedLines, largeFile } from './damage-file.ts';
import { catalog, sources } from './shop-catalog.ts';

describe('file with one broken line', () => {
  const text = largeFile();
  const lines = text.split('\n');
  const healthy = createGraphParser().parse(text);
  // As in an editor: one line after the other is damaged, and repaired again.
  const parser = createGraphParser();
  const memo = createEntryCache();
  const symbolsBefore = symbolCount(healthy);
  const placed = Object.entries(damagedLines).map(([place, each]) => ({ ...each, place, at: each.lineIn(lines) }));
  const before = new Map(probesIn(lines).map((line) => [line, answersAt(healthy, offsetOf(lines, line))]));

  interface Damage {
    readonly broken: string;
    readonly lines: readonly string[];
    readonly parsed: ParsedEntityGraph;
    readonly problems: readonly { readonly code: string }[];
    readonly name: string;
  }

  /** The text after a line was damaged; undefined if that changes nothing. */
  function damaged(at: number, kind: string): Damage | undefined {
    const line = damages[kind]?.(lines[at] ?? '');
    if (line === lines[at]) return undefined;
    const brokenLines = line === undefined ? lines.toSpliced(at, 1) : lines.with(at, line);
    const broken = brokenLines.join('\n');
    parser.parse(text);
    const parsed = parser.parse(broken);
    const problems = validateEntityGraph({ text: broken, parsed, sources, catalog, memo });
    return { broken, lines: brokenLines, parsed, problems, name: `${kind} in line ${at + 1}, "${lines[at]}"` };
  }

  it('has no problem before the damage', () => {
    assert.ok(lines.length >= 1_000);
    assert.deepEqual(validateEntityGraph({ text, parsed: healthy, sources, catalog }), []);
    for (const { place, at } of placed) assert.ok(at >= 0, place);
  });

  const all = { cases: 0, extra: 0, reading: 0, symbols: 0, probes: 0, hovers: 0, completions: 0 };
  const lost: string[] = [];

  for (const kind of Object.keys(damages)) {
    it(`has problems only in the broken line: ${kind}`, () => {
      let [cases, extra] = [0, 0];
      const many: string[] = [];
      for (const [number, { at }] of placed.entries()) {
        const damage = damaged(at, kind);
        if (!damage) continue;
        cases += 1;
        extra += Math.max(0, damage.problems.length - 1);
        if (damage.problems.length > 1) many.push(`${damage.name}: ${damage.problems.map(({ code }) => code).join()}`);
        countKept(damage, number, at);
      }
      all.cases += cases;
      all.extra += extra;
      assert.ok(extra / cases <= 0.5, `${extra / cases} extra problems on average:\n${many.join('\n')}`);
    });
  }

  it('keeps the model of the other entries', () => {
    const told = `\n${lost.join('\n')}`;
    assert.ok(all.extra / all.cases <= 0.25, `${all.extra / all.cases} extra problems on average`);
    assert.ok(all.symbols / all.reading >= 0.95, `${all.symbols / all.reading} of the symbols${told}`);
    assert.ok(all.hovers / all.probes >= 0.98, `${all.hovers / all.probes} of the hovers${told}`);
    assert.ok(all.completions / all.probes >= 0.97, `${all.completions / all.probes} of the completions${told}`);
  });

  function countKept({ parsed, lines: now, name }: Damage, number: number, at: number): void {
    const symbols = symbolCount(parsed) / symbolsBefore;
    all.reading += 1;
    all.symbols += symbols;
    if (symbols < 0.95) lost.push(`${name}: symbols`);
    for (const line of someOf([...before.keys()], number)) {
      if (entryOf(lines, line) === entryOf(lines, at)) continue;
      const moved = line > at ? line + now.length - lines.length : line;
      const answers = answersAt(parsed, offsetOf(now, moved));
      const then = before.get(line);
      all.probes += 1;
      if (answers.hover === then?.hover) all.hovers += 1;
      else lost.push(`${name}: hover in ${line + 1}`);
      if (answers.completion === then?.completion) all.completions += 1;
      else lost.push(`${name}: completion in ${line + 1}`);
    }
  }
});

/**
 * Values, keys and SQL of elements and relationships all over the file; not entity types, which are proposed from all
 * elements.
 */
function probesIn(lines: readonly string[]): readonly number[] {
  return lines.flatMap((line, index) =>
    /: \S|\bid\b/.test(line) && !line.includes('Type') && index % 41 === 3 ? [index] : [],
  );
}

/**
 * Two of the probes, others for each number: probing all of them for all damages would take long and show little more.
 */
function someOf(probes: readonly number[], number: number): readonly number[] {
  return [0, 1].map((which) => probes[(number * 5 + which * 11) % probes.length] ?? 0);
}

/** The line on which a line's entry begins: completions inside a broken entry differ. */
function entryOf(lines: readonly string[], line: number): number {
  return lines.slice(0, line + 1).findLastIndex((each) => /^( {2}- |\S)/.test(each));
}

/** Problems and proposals at an offset. */
function answersAt(
  parsed: ParsedEntityGraph,
  offset: number,
): { readonly hover: string | undefined; readonly completion: string } {
  const proposals = completeEntityGraph({ parsed, sources, catalog }, offset);
  return {
    // What a column feeds is about all entries of the file, the damaged one included.
    hover: hoverEntityGraph({ parsed, sources, catalog }, offset)?.markdown.source.replace(/\n\nFeeds .*$/, ''),
    completion: proposals.map(({ label, insertText }) => `${label} ${insertText}`).join('\n'),
  };
}

function symbolCount(parsed: ParsedEntityGraph): number {
  return outlineEntityGraph(parsed).reduce((count, { children }) => count + children.length, 0);
}

/** In the middle of the value of a line (0-based). */
function offsetOf(lines: readonly string[], line: number): number {
  const start = lines.slice(0, line).reduce((length, each) => length + each.length + 1, 0);
  const colon = lines[line]?.indexOf(': ') ?? -1;
  return start + Math.max(colon + 3, 4);
}
