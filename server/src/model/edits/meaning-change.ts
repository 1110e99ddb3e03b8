import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from './json-value.ts';

/** Keys and 0-based list indexes from the root of a file. */
export type MeaningPath = readonly (string | number)[];

/** A change of a text's data. Edits are proven to have exactly this effect. */
export type MeaningChange =
  /** Sets the value at a path, adding a missing key. */
  | { readonly kind: 'set'; readonly path: MeaningPath; readonly value: JsonValue }
  /** Removes the key or entry at a path. */
  | { readonly kind: 'remove'; readonly path: MeaningPath }
  /** Inserts an entry before the index at the end of the path. */
  | { readonly kind: 'insert'; readonly path: MeaningPath; readonly value: JsonValue }
  /** Renames the key at a path. */
  | { readonly kind: 'rename'; readonly path: MeaningPath; readonly key: string };

/** Applies changes in sequence; undefined when one has no target. */
export function changedMeaning(meaning: JsonValue, changes: readonly MeaningChange[]): JsonValue | undefined {
  return changed(meaning, changes, (next) => next);
}

/** Applies a change at one position of the text: content shared by aliases changes everywhere. */
export function changedWithAliases(meaning: JsonValue, changes: readonly MeaningChange[]): JsonValue | undefined {
  return changed(meaning, changes, everywhere);
}

function changed(
  meaning: JsonValue,
  changes: readonly MeaningChange[],
  settle: (next: JsonValue, shared: Shared) => JsonValue,
): JsonValue | undefined {
  return changes.reduce<JsonValue | undefined>((now, change) => {
    const shared: Shared = new Map();
    const next = now === undefined ? undefined : changedAt(now, change.path, change, shared);
    return next === undefined ? undefined : settle(next, shared);
  }, meaning);
}

/** Changed copies of objects and lists: aliases share identity. */
type Shared = Map<JsonValue, JsonValue>;

function changedAt(value: JsonValue, path: MeaningPath, change: MeaningChange, shared: Shared): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return change.kind === 'set' ? change.value : undefined;
  const next =
    typeof step === 'number'
      ? isJsonList(value)
        ? changedList(value, step, rest, change, shared)
        : undefined
      : // A key without a value may become an object.
        isJsonObject(value) || (value === null && change.kind === 'set')
        ? changedObject(value ?? {}, step, rest, change, shared)
        : undefined;
  if (next !== undefined && value !== null) shared.set(value, next);
  return next;
}

function changedList(
  list: readonly JsonValue[],
  step: number,
  rest: MeaningPath,
  change: MeaningChange,
  shared: Shared,
): JsonValue | undefined {
  if (rest.length === 0 && change.kind === 'insert') {
    return step <= list.length ? list.toSpliced(step, 0, change.value) : undefined;
  }
  const item = list[step];
  if (item === undefined) return undefined;
  if (rest.length === 0 && change.kind === 'remove') return list.toSpliced(step, 1);
  const changed = changedAt(item, rest, change, shared);
  return changed === undefined ? undefined : list.with(step, changed);
}

function changedObject(
  object: JsonObject,
  step: string,
  rest: MeaningPath,
  change: MeaningChange,
  shared: Shared,
): JsonObject | undefined {
  const before = Object.hasOwn(object, step) ? object[step] : undefined;
  if (rest.length === 0 && change.kind === 'set') return { ...object, [step]: change.value };
  if (before === undefined) return undefined;
  if (rest.length === 0 && change.kind === 'remove') {
    return Object.fromEntries(Object.entries(object).filter(([key]) => key !== step));
  }
  if (rest.length === 0 && change.kind === 'rename') {
    if (Object.hasOwn(object, change.key)) return undefined;
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === step ? change.key : key, value]));
  }
  const changed = changedAt(before, rest, change, shared);
  return changed === undefined ? undefined : { ...object, [step]: changed };
}

function everywhere(value: JsonValue, shared: Shared): JsonValue {
  const changed = shared.get(value);
  if (changed !== undefined && changed !== value)
    return everywhere(changed, new Map([...shared].filter(([old]) => old !== value)));
  if (isJsonList(value)) {
    const items = value.map((item) => everywhere(item, shared));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, everywhere(item, shared)] as const);
  return entries.every(([key, item]) => item === value[key]) ? value : Object.fromEntries(entries);
}
