import { type Node, type Pair, isMap, isScalar } from 'yaml';
import { nodeAtPath } from '../node-path.ts';
import { type EditReading, readForEdits } from './edit-reading.ts';
import type { EditableYaml } from './editable-yaml.ts';
import { type EditedText, type ReadingLimits, cannotBeWritten, readingLimits, unreadable } from './edited-text.ts';
import { sortEdits } from './sort-edits.ts';
import { type JsonValue, isJsonList, isJsonObject } from './json-value.ts';
import { type MeaningChange, type MeaningPath, changedMeaning, changedWithAliases } from './meaning-change.ts';
import { type EditOutcome, meaningIn, noEdits, proveReading } from './verified-edits.ts';
import { reconcile } from './reconcile.ts';
import { type TextEdit, writtenLike } from './text-edit.ts';
import { Unwritable } from './unwritable.ts';

/**
 * Edits for exactly these changes of data, in the style of the file.
 * @param following changes through aliases of changed values.
 */
export function writeChanges(
  source: EditedText,
  changes: readonly MeaningChange[],
  { following = [], limits = readingLimits }: WritingOptions = {},
): EditOutcome {
  const reading = readForEdits(source, { changes: [...changes, ...following] }, limits);
  if ('refusal' in reading) return reading;
  const before = meaningIn(reading);
  return before === undefined ? { refusal: unreadable } : written(source, reading, before, changes, following);
}

interface WritingOptions {
  readonly following?: readonly MeaningChange[];
  readonly limits?: ReadingLimits;
}

/** Edits that replace the value at a path by `next` of it; none if it returns none. */
export function writeValue(
  source: EditedText,
  path: MeaningPath,
  next: (value: JsonValue | undefined) => JsonValue | undefined,
  limits = readingLimits,
): EditOutcome {
  const reading = readForEdits(source, { changes: [{ kind: 'set', path, value: null }] }, limits);
  if ('refusal' in reading) return reading;
  const before = meaningIn(reading);
  if (before === undefined) return { refusal: unreadable };
  const place = reading.excerpt.changeInExcerpt({ kind: 'remove', path }).path;
  const value = next(place.reduce<JsonValue | undefined>(memberOf, before));
  return value === undefined ? { edits: noEdits } : written(source, reading, before, [{ kind: 'set', path, value }]);
}

function memberOf(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (isJsonList(value)) return value[Number(step)];
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

function written(
  source: EditedText,
  reading: EditReading,
  before: JsonValue,
  changes: readonly MeaningChange[],
  following: readonly MeaningChange[] = [],
): EditOutcome {
  const { yaml, excerpt } = reading;
  const inside = changes.map(excerpt.changeInExcerpt);
  const expected = changedWithAliases(before, [...inside, ...following.map(excerpt.changeInExcerpt)]);
  const isRenaming = (change: MeaningChange): boolean => change.kind === 'rename';
  const desired = changedMeaning(
    before,
    inside.filter((change) => !isRenaming(change)),
  );
  if (expected === undefined || desired === undefined) return { refusal: cannotBeWritten };
  try {
    const renamed = inside.flatMap((change) => (change.kind === 'rename' ? [renamedKey(yaml, change)] : []));
    const edits = sortEdits([...renamed, ...reconcile(yaml, desired)], excerpt.text);
    return proveReading(source, reading, edits, expected);
  } catch (error) {
    if (error instanceof Unwritable) return { refusal: cannotBeWritten };
    throw error;
  }
}

type KeyChange = Extract<MeaningChange, { readonly kind: 'rename' }>;

/** Renames a key, keeping its quotes. @throws Unwritable */
function renamedKey({ text, document, style }: EditableYaml, { path, key: name }: KeyChange): TextEdit {
  const parent = nodeAtPath(document.contents, path.slice(0, -1));
  const pair = isMap(parent)
    ? (parent.items as Pair<Node, Node>[]).find(({ key }) => isScalar(key) && String(key.value) === path.at(-1))
    : undefined;
  if (!pair || !isScalar(pair.key) || !pair.key.range) throw new Unwritable('a key of an unusual form');
  const [start, end] = pair.key.range;
  return {
    range: { start, end },
    newText: style.json ? JSON.stringify(name) : writtenLike(name, text.slice(start, end)),
  };
}
