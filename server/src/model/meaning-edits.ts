import { endsText } from '../../../protocol/relationship-name.ts';
import type { EffectEdit } from '../../../protocol/graph-effect.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject, sameValue } from './edits/json-value.ts';

/** What differs between the data of two texts, taken apart into edits that can be applied one by one. */
export interface MeaningEdits {
  readonly edits: readonly EffectEdit[];
  /** The data of the first text with some of the edits, which are named by their places in `edits`. */
  apply(wanted: ReadonlySet<number>): JsonObject;
}

/** Keys of a file that hold entries with names. */
const sections = [
  'elements',
  'entities',
  'relationships',
  'rules',
  'measures',
  'calendars',
  'guards',
  'accepted',
] as const;

type Section = (typeof sections)[number];

/** Takes the difference of two texts apart: a field of an entry, an entry, the order of entries, or another key. */
export function meaningEdits(before: JsonObject, after: JsonObject): MeaningEdits {
  const parts = [...new Set([...Object.keys(before), ...Object.keys(after)])].map((key) => partOf(key, before, after));
  return {
    edits: parts.flatMap((part) => part.edits),
    apply(wanted) {
      let first = 0;
      const pairs: (readonly [string, JsonValue])[] = [];
      for (const { key, edits, apply } of parts) {
        const value = apply((place) => wanted.has(first + place));
        first += edits.length;
        if (value !== undefined) pairs.push([key, value]);
      }
      return Object.fromEntries(pairs);
    },
  };
}

/** The edits of one key of a file. */
interface Part {
  readonly key: string;
  readonly edits: readonly EffectEdit[];
  /** @param isWanted of an edit, by its place in `edits` */
  readonly apply: (isWanted: (place: number) => boolean) => JsonValue | undefined;
}

function partOf(key: string, before: JsonObject, after: JsonObject): Part {
  const [old, now] = [ownValue(before, key), ownValue(after, key)];
  if (sameValue(old, now)) return { key, edits: [], apply: () => old };
  const section = sections.find((each) => each === key);
  const [oldEntries, entries] = section === undefined ? [] : [entriesOf(section, old), entriesOf(section, now)];
  if (section !== undefined && oldEntries && entries) return sectionPart(section, oldEntries, entries);
  const edit: EffectEdit = { kind: changeKind(old, now), section: key, title: key };
  return { key, edits: [edit], apply: (isWanted) => (isWanted(0) ? now : old) };
}

/** An entry with what identifies it in its section: its name, and which of several of one name it is. */
interface Entry {
  readonly id: string;
  readonly name: string;
  readonly index: number;
  readonly value: JsonValue;
}

/** A section with what it takes to write it again. */
interface Entries {
  readonly entries: readonly Entry[];
  readonly isMap: boolean;
  /** Whether the text has the section. */
  readonly isPresent: boolean;
}

/** Undefined if the value has another form than the section. */
function entriesOf(section: Section, value: JsonValue | undefined): Entries | undefined {
  if (section === 'calendars') {
    if (value === undefined) return { entries: [], isMap: true, isPresent: false };
    if (!isJsonObject(value)) return undefined;
    const entries = Object.entries(value).map(([name, entry], index) => ({ id: name, name, index, value: entry }));
    return { entries, isMap: true, isPresent: true };
  }
  if (value === undefined) return { entries: [], isMap: false, isPresent: false };
  if (!isJsonList(value)) return undefined;
  const seen = new Map<string, number>();
  const entries = value.map((entry, index): Entry => {
    const name = nameOf(section, entry);
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return { id: JSON.stringify([name, before]), name, index, value: entry };
  });
  return { entries, isMap: false, isPresent: true };
}

function nameOf(section: Section, entry: JsonValue): string {
  if (!isJsonObject(entry)) return JSON.stringify(entry);
  const text = (key: string): string | undefined => {
    const value = ownValue(entry, key);
    return typeof value === 'string' ? value : undefined;
  };
  if (section === 'elements') return text('activityName') ?? '?';
  if (section === 'relationships') return text('name') ?? endsText(text('source'), text('target'));
  if (section === 'guards') return text('element') ?? text('relationship') ?? '?';
  if (section === 'accepted')
    return [text('finding') ?? '?', text('element'), text('column')].filter(Boolean).join(' · ');
  if (section === 'entities') return text('name') ?? text('entityType') ?? text('dataObject') ?? '?';
  return text('name') ?? '?';
}

/** The key that holds the name, whose edit is a rename. */
function nameKey(section: Section): string {
  return section === 'elements' ? 'activityName' : 'name';
}

function sectionPart(section: Section, before: Entries, after: Entries): Part {
  const { isMap } = after;
  const renamed = isMap ? new Map<string, Entry>() : renamedEntries(section, before.entries, after.entries);
  const renames = new Map([...renamed].map(([old, entry]) => [entry.id, old]));
  /** Entries of the new text under the id that they have in the old one. */
  const now = new Map(after.entries.map((entry) => [renames.get(entry.id) ?? entry.id, entry]));
  const old = new Map(before.entries.map((entry) => [entry.id, entry]));
  const edits: EffectEdit[] = [];
  /** The places of the edits of an entry, by field; the empty field is that of the whole entry. */
  const places = new Map<string, Map<string, number>>();
  const add = (id: string, field: string, edit: EffectEdit): void => {
    places.set(id, (places.get(id) ?? new Map<string, number>()).set(field, edits.length));
    edits.push(edit);
  };
  for (const [id, entry] of now) {
    const earlier = old.get(id);
    if (!earlier) add(id, '', { kind: 'new', section, entry: entry.name, index: entry.index, title: entry.name });
    else
      for (const field of differingFields(earlier.value, entry.value)) {
        const edit = fieldEdit(section, earlier, entry, field);
        add(id, field, edit);
      }
  }
  for (const [id, { name }] of old) if (!now.has(id)) add(id, '', { kind: 'gone', section, entry: name, title: name });
  const oldOrder = [...old.keys()];
  const newOrder = [...now.keys()];
  const isMoved =
    !isMap &&
    !sameValue(
      oldOrder.filter((id) => now.has(id)),
      newOrder.filter((id) => old.has(id)),
    );
  const orderPlace = edits.length;
  if (isMoved) edits.push({ kind: 'order', section, title: `order of ${section}` });
  return {
    key: section,
    edits,
    apply(isWanted) {
      const isOn = (id: string, field: string): boolean => {
        const place = places.get(id)?.get(field);
        return place !== undefined && isWanted(place);
      };
      const order = isMoved && !isWanted(orderPlace) ? merged(oldOrder, newOrder) : merged(newOrder, oldOrder);
      const found = order.flatMap((id): readonly (readonly [string, JsonValue])[] => {
        const [earlier, entry] = [old.get(id), now.get(id)];
        if (!earlier) return entry && isOn(id, '') ? [[entry.name, entry.value]] : [];
        if (!entry) return isOn(id, '') ? [] : [[earlier.name, earlier.value]];
        return [[earlier.name, withFields(earlier.value, entry.value, (field) => isOn(id, field))]];
      });
      const isAll = edits.every((_, place) => isWanted(place));
      if (found.length === 0 && !(isAll ? after : before).isPresent) return undefined;
      return isMap ? Object.fromEntries(found) : found.map(([, value]) => value);
    },
  };
}

function fieldEdit(section: Section, earlier: Entry, entry: Entry, field: string): EffectEdit {
  const [old, now] = [earlier, entry].map(({ value }) => (isJsonObject(value) ? ownValue(value, field) : value));
  const about = { section, entry: entry.name, index: entry.index };
  if (field === nameKey(section) && earlier.name !== entry.name)
    return { ...about, kind: 'changed', field, title: `${earlier.name} → ${entry.name}` };
  const title = field === '' ? entry.name : `${entry.name} · ${field}`;
  return { ...about, kind: changeKind(old, now), ...(field === '' ? {} : { field }), title };
}

function changeKind(before: JsonValue | undefined, after: JsonValue | undefined): 'new' | 'gone' | 'changed' {
  if (before === undefined) return 'new';
  return after === undefined ? 'gone' : 'changed';
}

/** The empty field stands for a whole entry that is no object in one of the texts. */
function differingFields(before: JsonValue, after: JsonValue): readonly string[] {
  if (!isJsonObject(before) || !isJsonObject(after)) return sameValue(before, after) ? [] : [''];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.filter((key) => !sameValue(ownValue(before, key), ownValue(after, key)));
}

function withFields(before: JsonValue, after: JsonValue, isWanted: (field: string) => boolean): JsonValue {
  if (!isJsonObject(before) || !isJsonObject(after)) return isWanted('') ? after : before;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    keys.flatMap((key) => {
      const value = ownValue(isWanted(key) ? after : before, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

/**
 * Entries that only the name distinguishes from one that is gone, or that share most of their fields with it, by the id
 * of the one that is gone.
 */
function renamedEntries(
  section: Section,
  before: readonly Entry[],
  after: readonly Entry[],
): ReadonlyMap<string, Entry> {
  const [oldIds, newIds] = [new Set(before.map(({ id }) => id)), new Set(after.map(({ id }) => id))];
  const added = new Set(after.filter(({ id }) => !oldIds.has(id)));
  const renamed = new Map<string, Entry>();
  const key = nameKey(section);
  for (const gone of before.filter(({ id }) => !newIds.has(id))) {
    const best = [...added]
      .map((entry) => ({ entry, share: sharedFields(gone.value, entry.value, key) }))
      .toSorted((one, other) => other.share - one.share)[0];
    if (!best || best.share <= 0.5) continue;
    renamed.set(gone.id, best.entry);
    added.delete(best.entry);
  }
  return renamed;
}

/** The share of fields besides the name that two entries have in common. */
function sharedFields(before: JsonValue, after: JsonValue, name: string): number {
  if (!isJsonObject(before) || !isJsonObject(after)) return 0;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => key !== name);
  const same = keys.filter((key) => sameValue(ownValue(before, key), ownValue(after, key)));
  return keys.length === 0 ? 0 : same.length / keys.length;
}

/** All of `first`, and what only `second` has after the one that it follows there. */
function merged(first: readonly string[], second: readonly string[]): readonly string[] {
  const all = [...first];
  const known = new Set(first);
  for (const [place, id] of second.entries()) {
    if (known.has(id)) continue;
    const previous = second[place - 1];
    all.splice(previous === undefined ? 0 : all.indexOf(previous) + 1, 0, id);
    known.add(id);
  }
  return all;
}

function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
