import assert from 'node:assert/strict';
import { formatRange } from '../../../server/src/language/formatting/format-range.ts';
import { nameAt, renameSymbol } from '../../../server/src/language/names.ts';
import { divideText } from '../../../server/src/model/edits/divided-text.ts';
import { editGraph } from '../../../server/src/model/edits/edit-graph.ts';
import { readingLimits } from '../../../server/src/model/edits/edited-text.ts';
import type { EditOutcome } from '../../../server/src/model/edits/verified-edits.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { writeChanges, writeValue } from '../../../server/src/model/edits/write-changes.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { createPick, nastyGraph } from '../../support/nasty-graph.ts';
import { countSoak, hasSoakTime, soakCases, soakSeed } from '../../support/soak.ts';
import { lostComments, meaningOfText } from '../../support/written-text.ts';
import { formattingEdits } from '../language/formatting-edits.ts';

interface Entry {
  readonly [key: string]: unknown;
}
interface Graph extends Entry {
  readonly name: string;
  readonly elements: readonly Entry[];
  readonly relationships?: readonly Entry[];
}

const newNames = [
  'Send',
  'a: b',
  '# x',
  "it's",
  '- y',
  '[z]',
  'true',
  '12',
  ' lead',
  'two  blanks',
  'é "q"',
  '&a',
  '*b',
  '|',
  '>-',
];

/** A text as read for one request, and as read while typing. */
function read(text: string, isTyped: boolean): ParsedEntityGraph {
  return isTyped ? createGraphParser().parse(text) : parseEntityGraph(text);
}

/** One writer of text: its change of a text, and the intended meaning; undefined if it has nothing to do. */
interface Writer {
  readonly name: string;
  /** The share of this file's work. */
  readonly share: number;
  /** The number of its changes that may be refused: anchors used elsewhere, or an unusual notation. */
  readonly refused: number;
  write(text: string, parsed: ParsedEntityGraph, pick: ReturnType<typeof createPick>): Written | undefined;
}

interface Written {
  readonly outcome: EditOutcome;
  readonly expected: unknown;
}

const renamed = (entry: Entry, keys: readonly string[], from: unknown, to: string): Entry =>
  Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [key, keys.includes(key) && value === from ? to : value]),
  );

/** Treats texts as long ones: only changed parts are read again. */
const inParts = { ...readingLimits, short: 0, context: 60 };

const writers: readonly Writer[] = [
  {
    ...{ name: 'rename of an activity', share: 0.3, refused: 0.2 },
    write(text, parsed, pick) {
      const places = parsed.graph.elements.flatMap(({ activityName }) => activityName ?? []);
      const place = pick(places);
      const thing = place && nameAt(parsed.graph, place.range.start);
      const name = pick(newNames);
      if (!thing) return undefined;
      const graph = meaningOfText(text) as Graph;
      const expected = {
        ...graph,
        elements: graph.elements.map((each) => renamed(each, ['activityName'], thing.name, name)),
        ...(graph.relationships && {
          relationships: graph.relationships.map((each) => renamed(each, ['source', 'target'], thing.name, name)),
        }),
      };
      return { outcome: renameSymbol(parsed, thing, name), expected };
    },
  },
  {
    ...{ name: 'name of a copy', share: 0.2, refused: 0 },
    write(text, parsed, pick) {
      const graph = meaningOfText(text) as Graph;
      const name = `${graph.name} (copy)`;
      const source = pick([{ text }, parsed.yaml]);
      const limits = pick([readingLimits, inParts]);
      return { outcome: writeValue(source, ['name'], () => name, limits), expected: { ...graph, name } };
    },
  },
  {
    ...{ name: 'a value of an entry', share: 0.2, refused: 0.2 },
    write(text, parsed, pick) {
      const graph = meaningOfText(text) as Graph;
      const index = pick(graph.elements.map((_, at) => at));
      const key = pick(['dataObject', 'where', 'x-owner', 'x-new']);
      const value = pick([...newNames, 'a\nb\n', 'c\n  d', 'e\n\nf\n\n']);
      const expected = { ...graph, elements: graph.elements.with(index, { ...graph.elements[index], [key]: value }) };
      const changes = [{ kind: 'set', path: ['elements', index, key], value }] as const;
      return {
        outcome: writeChanges(pick([{ text }, parsed.yaml]), changes, { limits: pick([readingLimits, inParts]) }),
        expected,
      };
    },
  },
  {
    ...{ name: 'an entry that comes or goes', share: 0.1, refused: 0.2 },
    write(text, parsed, pick) {
      const graph = meaningOfText(text) as Graph;
      const index = pick(graph.elements.map((_, at) => at));
      const entry = { activityName: pick(newNames), where: pick(['a', 'b\nc\n']) };
      const isNew = graph.elements.length === 1 || pick([true, false]);
      const elements = isNew ? graph.elements.toSpliced(index, 0, entry) : graph.elements.toSpliced(index, 1);
      const path = ['elements', index];
      const change = isNew ? ({ kind: 'insert', path, value: entry } as const) : ({ kind: 'remove', path } as const);
      return {
        outcome: writeChanges(parsed.yaml, [change], { limits: pick([readingLimits, inParts]) }),
        expected: { ...graph, elements },
      };
    },
  },
  {
    ...{ name: 'a change on the canvas', share: 0.1, refused: 0.2 },
    write(text, parsed, pick) {
      const graph = meaningOfText(text) as Graph;
      const name = pick(
        graph.elements.flatMap(({ activityName }) => (typeof activityName === 'string' ? [activityName] : [])),
      );
      if (name === undefined) return undefined;
      const where = pick(['x = 1', 'a\nAND b', "c = '# d'"]);
      const at = graph.elements.findIndex(({ activityName }) => activityName === name);
      const outcome = editGraph(parsed.yaml, {
        kind: 'configureElement',
        element: name,
        values: { where, entityType: 'e' },
      });
      const expected = {
        ...graph,
        elements: graph.elements.with(at, { ...graph.elements[at], where, entityType: 'e' }),
      };
      return { outcome, expected };
    },
  },
  {
    ...{ name: 'formatting', share: 0.03, refused: 0 },
    write: (text) => ({ outcome: { edits: formattingEdits({ text }) }, expected: meaningOfText(text) }),
  },
  {
    ...{ name: 'formatting in pieces', share: 0.02, refused: 0 },
    write(text, parsed) {
      const edits = formattingEdits(parsed.yaml, { short: 0, piece: 60 });
      // Formatting in parts gives the same result as formatting at once.
      if (divideText(parsed.yaml)) assert.equal(applyEdits(text, edits), applyEdits(text, formattingEdits({ text })));
      return { outcome: { edits }, expected: meaningOfText(text) };
    },
  },
  {
    ...{ name: 'formatting of some lines', share: 0.05, refused: 0 },
    write(text, parsed, pick) {
      const [one, other] = [pick([...text].map((_, at) => at)), pick([...text].map((_, at) => at))];
      const lineStart = (at: number): number => text.lastIndexOf('\n', at - 1) + 1;
      const range = { start: lineStart(Math.min(one, other)), end: lineStart(Math.max(one, other)) };
      return { outcome: formatRange(parsed.yaml, range), expected: meaningOfText(text) };
    },
  },
];

describe('text edits in every YAML notation', () => {
  for (const { name, share, refused: maxRefused, write } of writers) {
    it(`${name}: give the intended meaning and keep every comment, or are refused`, () => {
      const runs = soakCases(40, share);
      let [done, refused] = [0, 0];
      for (let seed = soakSeed(0); done < runs && (done === 0 || hasSoakTime()); seed += 1) {
        const { text } = nastyGraph(seed, seed % 3 === 0 ? 9 : 3);
        const pick = createPick(seed + 7);
        const written = write(text, read(text, seed % 2 === 0), pick);
        if (!written) continue;
        done += 1;
        if ('refusal' in written.outcome) {
          refused += 1;
          continue;
        }
        const after = applyEdits(text, written.outcome.edits);
        assert.deepEqual(meaningOfText(after), written.expected, `seed ${seed}\n${text}\n—→\n${after}`);
        // A removed entry takes the comments within it along.
        const lost = name.includes('goes') ? [] : lostComments(text, after);
        assert.deepEqual(lost, [], `seed ${seed}\n${text}\n—→\n${after}`);
      }
      assert.ok(refused <= done * maxRefused, `${refused} of ${done} were refused`);
      countSoak(done);
    }).timeout(0);
  }
});
