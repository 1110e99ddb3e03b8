import { meaningOf, readingMeaning } from '../meaning.ts';
import type { Steps } from '../steps.ts';
import type { YamlText } from '../yaml-text.ts';
import { type DividedText, type TextPart, divideText } from './divided-text.ts';
import { type EditReading, readForEdits } from './edit-reading.ts';
import {
  type EditedText,
  type ReadingLimits,
  cannotBeWritten,
  readingLimits,
  unreadable,
  unreadableReason,
} from './edited-text.ts';
import type { Excerpt } from './excerpt.ts';
import { sortEdits } from './sort-edits.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject, sameValue } from './json-value.ts';
import { type ItemChange, pairItems } from './pair-items.ts';
import { type EditOutcome, meaningIn, proveReading } from './verified-edits.ts';
import { reconcile } from './reconcile.ts';
import { Unwritable } from './unwritable.ts';

export type { EditOutcome } from './verified-edits.ts';

type Change = (value: JsonObject) => JsonObject | { readonly refusal: string };

/**
 * Changes the data of a YAML or JSON text with minimal text changes: comments, order, quotes, blank lines and line
 * endings are kept elsewhere. The result is parsed again as a proof.
 * @param change maps the old data to new data, or to a message why that is impossible.
 */
export function editText(source: EditedText, change: Change, limits = readingLimits): EditOutcome {
  const divided = source.text.length > limits.short ? divideText(source) : undefined;
  if (divided && isRead(source)) return editParts(source, divided, change, limits);
  const reading = readForEdits(source, { isAbout: () => true }, limits);
  if ('refusal' in reading) return reading;
  const now = meaningIn(reading);
  if (now === undefined) return { refusal: unreadable };
  if (!isJsonObject(now)) return { refusal: 'The file is empty. Give it a version, a name and a data source first.' };
  const desired = change(now);
  return isRefusal(desired) ? desired : written(source, reading, desired);
}

/** Prepares a long text for `editText`, entry by entry, as a cache. */
export function* prepareEdits(source: EditedText, limits = readingLimits): Steps<void> {
  if (source.text.length > limits.short && isRead(source)) yield* readingMeaning(source);
}

/** A long text: only changed parts and some examples of the style are parsed again. */
function editParts(source: YamlText, divided: DividedText, change: Change, limits: ReadingLimits): EditOutcome {
  const now = source.problems.length > 0 ? undefined : meaningOf(source);
  if (!now) return { refusal: unreadableReason(source.problems) };
  const desired = change(now);
  if (isRefusal(desired)) return desired;
  const lists = changedLists(now, desired, divided);
  const reading = readForEdits(source, { isAbout: changesPart(now, desired, lists) }, limits);
  if ('refusal' in reading) return reading;
  const kept = (from: JsonObject, place: (key: string, entries: readonly number[]) => JsonValue): JsonObject =>
    partOf(from, reading.excerpt, place);
  const before = kept(now, (key, entries) => entries.map((index) => (now[key] as readonly JsonValue[])[index] ?? null));
  if (!sameValue(meaningIn(reading), before)) return { refusal: cannotBeWritten };
  const after = kept(desired, (key, entries) => keptItems(lists.get(key), entries, now[key], desired[key]));
  return written(source, reading, after);
}

/** Changes of lists of entries, by key. */
type ChangedLists = ReadonlyMap<string, readonly ItemChange[]>;

function changedLists(now: JsonObject, desired: JsonObject, { parts }: DividedText): ChangedLists {
  const divided = new Set(parts.flatMap(({ key, index }) => (index === undefined ? [] : [key])));
  return new Map(
    Object.entries(now).flatMap(([key, from]) => {
      const to = desired[key];
      if (from === to || !divided.has(key) || !isJsonList(from) || !isJsonList(to)) return [];
      const same = (one: number, other: number): boolean => sameValue(from[one], to[other]);
      return [[key, pairItems(from.length, to.length, same)] as const];
    }),
  );
}

/** Whether a part changes, or is adjacent to a changed entry. */
function changesPart(now: JsonObject, desired: JsonObject, lists: ChangedLists): (part: TextPart) => boolean {
  const places = new Map(
    [...lists].map(([key, items]) => {
      const near = items.flatMap((each) => {
        if (each.kind === 'keep') return [];
        const at = each.kind === 'insert' ? each.before : each.from;
        return [at - 1, at, at + 1];
      });
      return [key, new Set(near)] as const;
    }),
  );
  const all = [...Object.keys(now), ...Object.keys(desired)];
  const keys = new Set(all.filter((key) => !sameValue(now[key], desired[key])));
  // A new key follows the end of another one.
  const isNew = all.some((key) => !Object.hasOwn(now, key) || !Object.hasOwn(desired, key));
  const isLast = (key: string, index: number): boolean => isJsonList(now[key]) && index === now[key].length - 1;
  return ({ key, index }) => {
    if (isNew && (index === undefined || isLast(key, index))) return true;
    return keys.has(key) && (index === undefined || (places.get(key)?.has(index) ?? true));
  };
}

/** The data of an excerpt. */
function partOf(
  meaning: JsonObject,
  excerpt: Excerpt,
  itemsOf: (key: string, entries: readonly number[]) => JsonValue,
): JsonObject {
  return Object.fromEntries(
    Object.entries(meaning).flatMap(([key, value]) => {
      const entries = excerpt.entriesOf(key);
      if (excerpt.isLeftOut(key)) return [];
      return [[key, entries && isJsonList(value) ? itemsOf(key, entries) : value]];
    }),
  );
}

/** The items of a list after its change, without omitted ones. */
function keptItems(
  items: readonly ItemChange[] | undefined,
  entries: readonly number[],
  from: JsonValue | undefined,
  to: JsonValue | undefined,
): readonly JsonValue[] {
  const [before, after] = [isJsonList(from) ? from : [], isJsonList(to) ? to : []];
  if (!items) return entries.map((index) => before[index] ?? null);
  const kept = new Set(entries);
  return items.flatMap((each) => {
    if (each.kind === 'remove') return [];
    return each.kind === 'keep' && !kept.has(each.from) ? [] : [after[each.to] ?? null];
  });
}

function written(source: EditedText, reading: EditReading, desired: JsonObject): EditOutcome {
  try {
    const edits = sortEdits(reconcile(reading.yaml, desired), reading.excerpt.text);
    return proveReading(source, reading, edits, desired);
  } catch (error) {
    if (error instanceof Unwritable) return { refusal: cannotBeWritten };
    throw error;
  }
}

function isRead(source: EditedText): source is YamlText {
  return source.document !== undefined;
}

function isRefusal(value: JsonObject | { readonly refusal: string }): value is { readonly refusal: string } {
  return typeof value['refusal'] === 'string' && Object.keys(value).length === 1;
}
