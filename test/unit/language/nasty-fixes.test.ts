import assert from 'node:assert/strict';
import { visit } from 'yaml';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { fixAll } from '../../../server/src/language/quick-fixes/fix-all.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { changesAt } from '../../../server/src/language/refactorings/index.ts';
import type { SourceRange } from '../../../server/src/model/source-range.ts';
import type { SqlValidator } from '../../../server/src/language/sql/sql-validator.ts';
import { isJsonList, isJsonObject, type JsonValue } from '../../../server/src/model/edits/json-value.ts';
import type { MeaningChange } from '../../../server/src/model/edits/meaning-change.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { loadPostgresqlValidator } from '../../../server/src/sql/postgresql-validator.ts';
import { createPick, nastyGraph } from '../../support/nasty-graph.ts';
import { countSoak, hasSoakTime, soakCases, soakSeed } from '../../support/soak.ts';
import { commentsOf, lostComments, meaningOfText } from '../../support/written-text.ts';
import { damages } from './damage-file.ts';
import { catalog, sources } from './shop-catalog.ts';

/** Common mistakes, by place. */
const mistakes: readonly (readonly [RegExp, string])[] = [
  [/placed_at/, 'placd_at'],
  [/startTimestamp/, 'startTimestmp'],
  [/(?<=dataObject: \W*)orders/, 'ordrs'],
  [/(?<=dataObject: \W*)customers/, 'customer'],
  [/orders\.note/, 'orders.nte'],
  [/version: 1/, 'version: 2'],
  [/(?<=dataSource:[^]{0,20})shop/, 'shp'],
  [/relationships/, 'relationship'],
  [/activityName/, 'activityname'],
  [/(?<=target: )id/, 'idd'],
  [/\bnote\b/, 'id, id'],
  [/mappings:.*/, ''],
  [/startTimestamp:.*/, ''],
];

/** Changes of a meaning in the simplest way; the code under test has its own. */
function applied(meaning: JsonValue, { path, ...change }: MeaningChange): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return 'value' in change ? change.value : meaning;
  if (isJsonList(meaning)) {
    const at = Number(step);
    if (rest.length > 0)
      return meaning.map((item, index) =>
        index === at ? applied(item, { ...change, path: rest } as MeaningChange) : item,
      );
    if (change.kind === 'insert') return [...meaning.slice(0, at), change.value, ...meaning.slice(at)];
    if (change.kind === 'remove') return meaning.filter((_, index) => index !== at);
    return meaning.map((item, index) => (index === at && change.kind === 'set' ? change.value : item));
  }
  const object = isJsonObject(meaning) ? meaning : {};
  if (rest.length > 0)
    return { ...object, [step]: applied(object[step] ?? null, { ...change, path: rest } as MeaningChange) };
  if (change.kind === 'set') return { ...object, [step]: change.value };
  const entries = Object.entries(object);
  if (change.kind === 'remove') return Object.fromEntries(entries.filter(([key]) => key !== step));
  return Object.fromEntries(
    entries.map(([key, value]) => [key === step && change.kind === 'rename' ? change.key : key, value]),
  );
}

function read(text: string, isTyped: boolean): ParsedEntityGraph {
  return isTyped ? createGraphParser().parse(text) : parseEntityGraph(text);
}

/** The share of the soak's edits for each test of this file. */
const share = 1 / 5;

describe('edits in every YAML notation', () => {
  let sqlValidator: SqlValidator;
  before(async () => {
    sqlValidator = await loadPostgresqlValidator();
  });

  it('quick fixes change only the named value, and lose no comment', () => {
    const runs = soakCases(30, share);
    let done = 0;
    for (let seed = soakSeed(0); done < runs && (done === 0 || hasSoakTime()); seed += 1) {
      const pick = createPick(seed + 3);
      const { text: good } = nastyGraph(seed);
      const [from, to] = pick(mistakes);
      const text = good.replace(from, to);
      const parsed = read(text, seed % 2 === 0);
      if (text === good || parsed.problems.length > 0) continue;
      const context = { parsed, sources, catalog, sqlValidator };
      for (const problem of validateEntityGraph({ text, ...context })) {
        for (const { title, edits, changes } of fixesOf(problem, context)) {
          if (edits.length === 0) continue;
          done += 1;
          const after = applyEdits(text, edits);
          const told = `seed ${seed}, ${title} for ${problem.message}\n${text}\n—→\n${after}`;
          const meaning = meaningOfText(text) as JsonValue;
          assert.ok(changes, told);
          // A fix of an anchored value also affects its aliases.
          if (!/&name/.test(text)) assert.deepEqual(meaningOfText(after), changes.reduce(applied, meaning), told);
          const isRemoval = changes.some(({ kind }) => kind === 'remove');
          if (!isRemoval) assert.deepEqual(lostComments(text, after), [], told);
        }
      }
      const all = fixAll(parsed.yaml, validateEntityGraph({ text, ...context }), (problem) =>
        fixesOf(problem, context),
      );
      meaningOfText(applyEdits(text, all));
    }
    countSoak(done);
  }).timeout(0);

  it('syntax fixes reduce the number of problems, and lose no comment and no entry', () => {
    const runs = soakCases(20, share);
    const kinds = Object.values(damages);
    let done = 0;
    for (let seed = soakSeed(0); done < runs && (done === 0 || hasSoakTime()); seed += 1) {
      const pick = createPick(seed + 5);
      const sound = nastyGraph(seed).text;
      const lines = sound.split('\n');
      const at = pick(lines.map((_, index) => index));
      const damaged = pick(kinds)(lines[at] ?? '');
      const text = lines.toSpliced(at, 1, ...(damaged === undefined ? [] : [damaged])).join('\n');
      const parsed = createGraphParser().parse(text);
      const context = { parsed, sources, catalog };
      for (const problem of validateEntityGraph({ text, ...context }).filter(({ code }) => code === 'yaml-syntax')) {
        for (const { title, edits } of fixesOf(problem, context)) {
          done += 1;
          const after = applyEdits(text, edits);
          const told = `seed ${seed}, ${title} for ${problem.message}\n${text}\n—→\n${after}`;
          const mended = createGraphParser().parse(after);
          const unknown = ({ yaml }: ParsedEntityGraph): number =>
            yaml.links.aliases.filter((alias) => !yaml.links.target(alias)).length;
          // Now readable text may refer to something missing.
          const [before, now] = [parsed.problems.length, mended.problems.length];
          assert.ok(before === 0 ? now === 0 && unknown(mended) < unknown(parsed) : now < before, told);
          // Apparent comments within quoted text do not count, nor those created by the damage.
          const replaced = edits.map(({ range }) => text.slice(range.start, range.end)).join('\n');
          const written = commentsOf(sound);
          const lost = lostComments(text, after).filter(
            (comment) => written.includes(comment) && !replaced.includes(comment.slice(0, 4)),
          );
          // While a quote is open, the library reads the following as text.
          if (now === 0 && !/^(?:Remove|Accept)/.test(title)) assert.deepEqual(lost, [], told);
          // Read as a whole, a broken text may seem to have any entries.
          if (!parsed.yaml.broken) continue;
          const isApart = ({ start, end }: SourceRange): boolean =>
            [...edits.map(({ range }) => range), ...(parsed.yaml.broken ?? [])].every(
              (range) => range.end < start || end < range.start,
            );
          // It may be an entry of another list now.
          const left = new Set<unknown>();
          visit(mended.yaml.document.contents, { Scalar: (_, { value }) => void left.add(value) });
          for (const { range, activityName } of parsed.graph.elements) {
            const isThere = !activityName || left.has(activityName.value);
            assert.ok(!isApart(range) || isThere, `${activityName?.value} is lost: ${told}`);
          }
        }
      }
    }
    countSoak(done);
  }).timeout(0);

  it('refactorings change only the named entries, and lose no comment', () => {
    const runs = soakCases(20, share);
    let done = 0;
    for (let seed = soakSeed(0); done < runs && (done === 0 || hasSoakTime()); seed += 1) {
      const pick = createPick(seed + 11);
      const { text } = nastyGraph(seed);
      const parsed = read(text, seed % 2 === 0);
      const element = pick(parsed.graph.elements);
      if (!element) continue;
      const context = { parsed, sources, catalog };
      for (const { title, edits } of changesAt(context, element.range.start)) {
        const made = edits();
        if ('refusal' in made) continue;
        done += 1;
        const after = applyEdits(text, made.edits);
        const told = `seed ${seed}, ${title}\n${text}\n—→\n${after}`;
        const [one, other] = [meaningOfText(text), meaningOfText(after)] as [
          Record<string, JsonValue>,
          Record<string, JsonValue>,
        ];
        const { elements: before, relationships: links, ...rest } = one;
        const { elements: now, relationships: newLinks, ...others } = other;
        assert.deepEqual(others, rest, told);
        if (/^Write this filter/.test(title)) assert.deepEqual(now, before, told);
        if (!/^Relate to/.test(title)) assert.deepEqual(newLinks, links, told);
        if (/^(?:Sort|List|Select)/.test(title)) {
          const without = (list: JsonValue | undefined): unknown =>
            (list as Record<string, JsonValue>[]).map(({ properties: _, ...each }) => each);
          assert.deepEqual(without(now), without(before), told);
        }
        if (!/^(?:Select|Split)/.test(title)) assert.deepEqual(lostComments(text, after), [], told);
      }
    }
    countSoak(done);
  }).timeout(0);

  it('completions insert the displayed value, and change nothing else', () => {
    const runs = soakCases(40, share);
    let done = 0;
    for (let seed = soakSeed(0); done < runs && (done === 0 || hasSoakTime()); seed += 1) {
      const pick = createPick(seed + 13);
      const { text } = nastyGraph(seed);
      const parsed = read(text, seed % 2 === 0);
      const element = pick(parsed.graph.elements);
      const place = element && pick([element.dataObject, element.startTimestamp]);
      if (!element || !place || /[\n\r]/.test(text.slice(place.range.start, place.range.end).trimEnd())) continue;
      const offset = place.range.start + Math.min(2, text.slice(place.range.start, place.range.end).trimEnd().length);
      const proposals = completeEntityGraph({ parsed, sources, catalog }, offset).filter(
        ({ isSnippet }) => isSnippet !== true,
      );
      const proposal = pick(proposals);
      if (!proposal || !/^(?:column|dataObject)$/.test(proposal.kind)) continue;
      done += 1;
      const after = applyEdits(text, [{ range: proposal.replace, newText: proposal.insertText }]);
      const told = `seed ${seed}, ${proposal.label} at ${offset}\n${text}\n—→\n${after}`;
      const key = place === element.dataObject ? 'dataObject' : 'startTimestamp';
      const expected = applied(meaningOfText(text) as JsonValue, {
        ...{ kind: 'set', value: proposal.label },
        path: ['elements', element.index, key],
      });
      assert.deepEqual(meaningOfText(after), expected, told);
    }
    countSoak(done);
  }).timeout(0);

  it('completions in custom SQL change only that SQL', () => {
    const runs = soakCases(25, share);
    let done = 0;
    for (let seed = soakSeed(0); done < runs && (done === 0 || hasSoakTime()); seed += 1) {
      const pick = createPick(seed + 17);
      const { text } = nastyGraph(seed);
      const parsed = read(text, seed % 2 === 0);
      const element = pick(parsed.graph.elements.filter(({ where }) => where));
      if (!element?.where) continue;
      const word = /\b\w+\b/g;
      const offsets = [...element.where.value.matchAll(word)].map(
        ({ index }) => element.where?.sourceOffsets[index] ?? 0,
      );
      const offset = pick(offsets);
      const proposals = offset === undefined ? [] : completeEntityGraph({ parsed, sources, catalog }, offset + 1);
      const proposal = pick(proposals.filter(({ isSnippet }) => isSnippet !== true));
      if (!proposal) continue;
      done += 1;
      const after = applyEdits(text, [{ range: proposal.replace, newText: proposal.insertText }]);
      const told = `seed ${seed}, ${proposal.label} at ${offset}\n${text}\n—→\n${after}`;
      const path = ['elements', element.index, 'where'];
      const without = (meaning: unknown): JsonValue => applied(meaning as JsonValue, { kind: 'set', path, value: '' });
      assert.deepEqual(without(meaningOfText(after)), without(meaningOfText(text)), told);
    }
    countSoak(done);
  }).timeout(0);
});
