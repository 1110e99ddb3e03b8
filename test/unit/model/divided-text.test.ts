import assert from 'node:assert/strict';
import { parseDocument, stringify } from 'yaml';
import {
  type TextPart,
  divideText,
  partsTouched,
  keepsDivision,
} from '../../../server/src/model/edits/divided-text.ts';
import { editText } from '../../../server/src/model/edits/edit-text.ts';
import { readingLimits } from '../../../server/src/model/edits/edited-text.ts';
import { excerptOf } from '../../../server/src/model/edits/excerpt.ts';
import type { JsonObject, JsonValue } from '../../../server/src/model/edits/json-value.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { meaningOf } from '../../../server/src/model/meaning.ts';
import { createPick, nastyGraph } from '../../support/nasty-graph.ts';
import { meaningOfText } from '../../support/written-text.ts';

type Meaning = Readonly<Record<string, JsonValue>>;

/** Texts without anchors: the value of an alias depends on another part. */
function texts(count: number): readonly string[] {
  const found: string[] = [];
  for (let seed = 0; found.length < count; seed += 1) {
    const { text } = nastyGraph(seed, 6);
    if (text.includes('&name')) continue;
    found.push(text);
    if (seed % 10 === 0) found.push(`${JSON.stringify(meaningOfText(text), null, seed % 3)}\n`);
  }
  return found;
}

describe('divided text', () => {
  it('any excerpt has the same meaning as in the whole text', () => {
    let divided = 0;
    for (const [seed, text] of texts(300).entries()) {
      const parts = divideText({ text });
      if (!parts) continue;
      divided += 1;
      const pick = createPick(seed);
      const kept = new Set(parts.parts.filter(({ index }) => index === undefined || pick([true, false])));
      const withEntries = new Set([...kept].filter(({ index }) => index !== undefined).map(({ key }) => key));
      const lists = new Set(parts.parts.filter(({ index }) => index !== undefined).map(({ key }) => key));
      // A list without entries has no meaning: its key is removed with them.
      const isKept = (part: (typeof parts.parts)[number]): boolean =>
        kept.has(part) && (!lists.has(part.key) || withEntries.has(part.key));
      const excerpt = excerptOf(text, parts, isKept);
      const whole = meaningOfText(text) as Meaning;
      const expected = Object.fromEntries(
        Object.entries(whole).flatMap(([key, value]): readonly (readonly [string, JsonValue])[] => {
          if (!lists.has(key)) return [[key, value]];
          if (!withEntries.has(key)) return [];
          return [[key, excerpt.entriesOf(key)?.map((index) => (value as JsonValue[])[index] ?? null) ?? value]];
        }),
      );
      assert.deepEqual(meaningOfText(excerpt.text), expected, `${text}\n—→\n${excerpt.text}`);
    }
    assert.ok(divided > 100, `${divided} texts were divided`);
  });

  it('stays divided only when every untouched part keeps its meaning', () => {
    const pieces = [
      'x',
      '\n',
      '- ',
      ': ',
      '"',
      '[',
      '#',
      '\n  - a: 1\n',
      '\nx-new: 1\n',
      '  ',
      '\n- b\n',
      '{',
      'elements:\n',
    ];
    let [stays, leaves] = [0, 0];
    for (const [seed, text] of texts(400).entries()) {
      const divided = divideText({ text });
      if (!divided) continue;
      const pick = createPick(seed);
      for (let round = 0; round < 12; round += 1) {
        const start = pick([...text].map((_, at) => at));
        const edit = {
          range: { start, end: Math.min(text.length, start + pick([0, 0, 1, 4, 30])) },
          newText: pick(['', ...pieces]),
        };
        if (!keepsDivision(divided, text, [edit])) {
          leaves += 1;
          continue;
        }
        stays += 1;
        const after = applyEdits(text, [edit]);
        const told = `${JSON.stringify(edit)}\n${text}\n—→\n${after}`;
        const touched = partsTouched(divided, [edit]);
        const now = divideText({ text: after });
        assert.ok(now, told);
        const distance = edit.newText.length - (edit.range.end - edit.range.start);
        for (const part of divided.parts.filter((each) => !touched.has(each))) {
          const moved = part.start >= edit.range.end ? distance : 0;
          const same: TextPart | undefined = now.parts.find(
            (each) => each.start === part.start + moved && each.key === part.key,
          );
          assert.ok(same && (same.index === undefined) === (part.index === undefined), told);
          // The last line may have got its line end.
          assert.equal(after.slice(same.start, same.end).trimEnd(), text.slice(part.start, part.end).trimEnd(), told);
        }
      }
    }
    assert.ok(stays > 500 && leaves > 100, `${stays} stay, ${leaves} do not`);
  });

  it('has the same meaning when parsed in parts', () => {
    for (const text of texts(100)) {
      assert.deepEqual(meaningOf(createGraphParser().parse(text).yaml), meaningOfText(text), text);
    }
  });
});

describe('edits of a long text', () => {
  const entries = Array.from({ length: 400 }, (_, index) => ({
    ...{ activityName: `Step ${index}`, dataObject: 'orders', key: 'id' },
    ...{ startTimestamp: 'placed_at', where: `orders.id > ${index}` },
  }));
  const graph = { version: 1, name: 'Long', dataSource: 'shop', dataObjects: ['orders'], elements: entries };
  const yaml = stringify(graph);
  const changes: readonly (readonly [string, (value: JsonObject) => JsonObject])[] = [
    ['its name', (value) => ({ ...value, name: 'Longer' })],
    ['a new key', (value) => ({ ...value, relationships: [{ source: 'Step 1', target: 'Step 2' }] })],
    [
      'an entry in the middle',
      (value) => ({ ...value, elements: (value['elements'] as JsonValue[]).with(200, { activityName: 'A' }) }),
    ],
    ['an entry less', (value) => ({ ...value, elements: (value['elements'] as JsonValue[]).toSpliced(200, 1) })],
    [
      'an entry more at the end',
      (value) => ({ ...value, elements: [...(value['elements'] as JsonValue[]), { activityName: 'A' }] }),
    ],
    [
      'an entry more at the start',
      (value) => ({ ...value, elements: [{ activityName: 'A' }, ...(value['elements'] as JsonValue[])] }),
    ],
    [
      'entries here and there',
      (value) => ({
        ...value,
        elements: (value['elements'] as JsonObject[]).map((each, index) =>
          index % 90 === 5 ? { ...each, key: 'note' } : each,
        ),
      }),
    ],
  ];
  for (const text of [yaml, yaml.replaceAll('\n', '\r\n'), `${JSON.stringify(graph, null, 2)}\n`]) {
    for (const [name, change] of changes) {
      it(`equal those of a short text, without parsing all of it: ${name}, ${JSON.stringify(text.slice(0, 14))}`, () => {
        assert.ok(text.length > readingLimits.short);
        const inParts = editText(createGraphParser().parse(text).yaml, change);
        const asWhole = editText({ text }, change, { ...readingLimits, short: Infinity, most: Infinity });
        assert.ok('edits' in inParts && 'edits' in asWhole, JSON.stringify([inParts, asWhole]));
        assert.equal(applyEdits(text, inParts.edits), applyEdits(text, asWhole.edits));
        assert.deepEqual(meaningOfText(applyEdits(text, inParts.edits)), change(graph as unknown as JsonObject));
      });
    }
  }

  it('are refused with a message when too much would have to be parsed again', () => {
    const everywhere = editText(
      createGraphParser().parse(yaml).yaml,
      (value) => ({
        ...value,
        elements: (value['elements'] as JsonObject[]).map((each) => ({ ...each, key: 'note' })),
      }),
      { ...readingLimits, most: 30_000 },
    );
    assert.match(
      'refusal' in everywhere ? everywhere.refusal : '',
      /^This file is too large for this change: \d+ kB of it/,
    );
    const tagged = yaml.replace('name: Long', 'name: !!str Long');
    assert.equal(parseDocument(tagged).errors.length, 0);
    const whole = editText(createGraphParser().parse(tagged).yaml, (value) => ({ ...value, name: 'x' }), {
      ...readingLimits,
      most: 30_000,
    });
    assert.match('refusal' in whole ? whole.refusal : '', /^This file is too large/);
  });
});
