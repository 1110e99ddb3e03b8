import type {
  ActivityNameValues,
  CrossMappingValues,
  CrossTableValues,
  ExpectationValues,
  LifecycleValues,
  ElementPatch,
  MappingValues,
  MasterDataPatch,
  PathStepValues,
  RelationshipPatch,
  PropertyValue,
  RowCorrelationValues,
} from '../../../../protocol/canvas-intents.ts';
import type { Field, FieldTable } from '../../../../protocol/fields/field.ts';
import {
  crossMappingValues,
  isAtEndOfDay,
  mappingValues,
  objectsOf,
  pathStepValues,
  propertyValue,
  rowCorrelationValues,
  timeColumn,
  timeSql,
} from './dialog-values.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject, sameValue } from './json-value.ts';

/** The keys of an entry that the changed values of its dialog set. */
export function writtenFields(
  fields: FieldTable,
  values: ElementPatch | MasterDataPatch | RelationshipPatch,
  entry: JsonObject,
): JsonObjectPatch {
  const written = Object.entries(fields).map(([key, field]) => writtenField(key, field, values, entry));
  return Object.assign({}, ...written) as JsonObjectPatch;
}

function writtenField(
  key: string,
  { type, expression = '', atEndOfDay = '' }: Field,
  values: Readonly<Record<string, unknown>>,
  entry: JsonObject,
): JsonObjectPatch {
  const [value, before] = [values[key], entry[key]];
  switch (type) {
    case 'time':
      return writtenTime(
        key,
        { column: value, expression: values[expression], atEndOfDay: values[atEndOfDay] } as TimePatch,
        entry,
      );
    case 'key':
      return { [key]: writtenKey(value as ElementPatch['key'], before) };
    case 'properties':
      return { [key]: writtenProperties(value as ElementPatch['properties'], before) };
    case 'rowCorrelations':
      return { [key]: writtenCorrelations(value as ElementPatch['correlatesWith'], before) };
    case 'lifecycle':
      return { [key]: writtenLifecycle(value as ElementPatch['lifecycle'], before) };
    case 'activityNames':
      return { [key]: writtenActivityNames(value as ElementPatch['activityNames']) };
    case 'expectations':
      return { [key]: writtenExpectations(value as ElementPatch['expect'], before) };
    case 'mappings':
      return { [key]: writtenMappings(value as RelationshipPatch['mappings'], before) };
    case 'crossTable':
      return { [key]: writtenCrossTable(value as RelationshipPatch['crossTable'], before) };
    case 'path':
      return { [key]: writtenPath(value as RelationshipPatch['path'], before) };
    default:
      return { [key]: value as JsonValue | null | undefined };
  }
}

/** A single column is written without brackets, unless there are some. */
function writtenKey(
  key: readonly string[] | null | undefined,
  before: JsonValue | undefined,
): JsonValue | null | undefined {
  if (key === null || key === undefined) return key;
  if (key.length === 0) return null;
  return key.length === 1 && !isJsonList(before) ? (key[0] ?? null) : key;
}

/** Undefined keeps a key, null removes it. */
type JsonObjectPatch = Readonly<Record<string, JsonValue | null | undefined>>;

/**
 * `{ expression: … }` for a computed time, `{ column: …, atEndOfDay: true }` for the ends of days. Removing an expression
 * keeps an existing column, and vice versa.
 */
interface TimePatch {
  readonly column: string | null | undefined;
  readonly expression?: string | null | undefined;
  readonly atEndOfDay: boolean | null | undefined;
}

function writtenTime(key: string, patch: TimePatch, entry: JsonObject): JsonObjectPatch {
  if (Object.values(patch).every((value) => value === undefined)) return {};
  const before = entry[key];
  const isGiven = (text: string | null | undefined): boolean => typeof text === 'string' && text.trim() !== '';
  const kept = (text: string | null | undefined, earlier: string | undefined): string | undefined =>
    text === undefined ? earlier : isGiven(text) ? (text ?? undefined) : undefined;
  const expression =
    isGiven(patch.column) && !isGiven(patch.expression) ? undefined : kept(patch.expression, timeSql(before));
  const column = expression === undefined ? kept(patch.column, timeColumn(before)) : undefined;
  if (expression === undefined && column === undefined) {
    const isKnown = timeColumn(before) !== undefined || timeSql(before) !== undefined;
    return isKnown ? { [key]: null } : {};
  }
  const isEnd = patch.atEndOfDay === undefined ? isAtEndOfDay(before) === true : patch.atEndOfDay === true;
  if (column !== undefined && !isEnd) return { [key]: column };
  const own = isJsonObject(before) ? Object.entries(before).filter(([name]) => name.startsWith('x-')) : [];
  return {
    [key]: {
      ...(expression === undefined ? { column: column ?? '' } : { expression }),
      ...(isEnd && { atEndOfDay: true }),
      ...Object.fromEntries(own),
    },
  };
}

/** Writes which values start and end activities; empty parts are left out. */
function writtenLifecycle(
  values: LifecycleValues | null | undefined,
  before: JsonValue | undefined,
): JsonValue | null | undefined {
  if (!values) return values;
  const { column, ...sides } = values;
  const old = isJsonObject(before) ? before : {};
  return orNothing({
    ...(column ? { column } : {}),
    ...Object.fromEntries(
      (['start', 'end'] as const).flatMap((side) => {
        const texts = keptTexts(sides[side], old[side]);
        return texts.length === 0 ? [] : [[side, texts]];
      }),
    ),
  });
}

/** Unfinished lines are left out; of two with one text, the last one counts. */
function writtenActivityNames(values: readonly ActivityNameValues[] | null | undefined): JsonObject | null | undefined {
  if (!values) return values;
  const isWhole = ({ text, name }: ActivityNameValues): boolean => text !== '' && name.trim() !== '';
  return orNothing(Object.fromEntries(values.filter(isWhole).map(({ text, name }) => [text, name])));
}

/** Writes expectations of rows; empty ones are left out. */
function writtenExpectations(
  values: ExpectationValues | null | undefined,
  before: JsonValue | undefined,
): JsonValue | null | undefined {
  if (!values) return values;
  const old = isJsonObject(before) ? before : {};
  const oldLists = isJsonObject(old['values']) ? old['values'] : {};
  const unique = values.unique.filter((key) => key.length > 0);
  const lists = values.values.filter(({ column }) => column !== '');
  const { rows, severity } = values;
  const written = orNothing({
    ...(unique.length > 0 && {
      unique: keepingSame(unique, old['unique'], keyOfItem, (key) => (key.length === 1 ? (key[0] ?? '') : key)),
    }),
    ...(values.notNull.length > 0 && { notNull: keptTexts(values.notNull, old['notNull']) }),
    ...(lists.length > 0 && {
      values: Object.fromEntries(lists.map(({ column, texts }) => [column, keptTexts(texts, oldLists[column])])),
    }),
    ...(rows && { rows: keptText(rows, old['rows'] ?? 0) }),
  });
  // A severity alone says nothing of the rows.
  return written && severity ? { ...written, severity } : written;
}

function keyOfItem(item: JsonValue): readonly string[] {
  return isJsonList(item) ? item.map(String) : [String(item)];
}

function orNothing(written: JsonObject): JsonObject | null {
  return Object.keys(written).length === 0 ? null : written;
}

/** Texts as they are written, without empty lines; numbers that are in the file stay numbers. */
function keptTexts(texts: readonly string[], before: JsonValue | undefined): readonly JsonValue[] {
  const items = isJsonList(before) ? before : [];
  return texts
    .filter((text) => text !== '')
    .map((text) => items.find((item) => isText(item, text)) ?? keptText(text, items[0]));
}

/** A text; a whole number where the file had a number. */
function keptText(text: string, before: JsonValue | undefined): JsonValue {
  if (before !== undefined && isText(before, text)) return before;
  return typeof before === 'number' && /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text;
}

function isText(item: JsonValue, text: string): boolean {
  return typeof item === 'number' ? text.trim() !== '' && Number(text) === item : String(item) === text;
}

/** Writes properties; equal entries stay unchanged. */
function writtenProperties(
  values: readonly PropertyValue[] | 'all' | null | undefined,
  before: JsonValue | undefined,
): JsonValue | null | undefined {
  if (!Array.isArray(values)) return values as 'all' | null | undefined;
  return keepingSame(values as readonly PropertyValue[], before, propertyValue, (value) => value as JsonValue);
}

/** Writes the steps of a path: names, unless a direction is given. */
function writtenPath(
  values: readonly PathStepValues[] | null | undefined,
  before: JsonValue | undefined,
): JsonValue | null | undefined {
  if (!values) return values;
  if (values.length === 0) return null;
  return keepingSame(values, before, pathStepValues, ({ relationship, reverse }) =>
    reverse === undefined ? relationship : { relationship, reverse },
  );
}

/** Writes row correlations; equal entries stay unchanged, and a changed one keeps its own fields. */
function writtenCorrelations(
  values: readonly RowCorrelationValues[] | null | undefined,
  before: JsonValue | undefined,
): JsonValue | null | undefined {
  if (!values) return values;
  if (values.length === 0) return null;
  const entries = isJsonList(before) ? before : [];
  return keepingSame(values, before, rowCorrelationValues, (value, index) =>
    writtenCorrelation(value, values.length === entries.length ? entries[index] : undefined),
  );
}

function writtenCorrelation({ key, ...texts }: RowCorrelationValues, before: JsonValue | undefined): JsonValue {
  const kept = isJsonObject(before) ? Object.entries(before).filter(([name]) => name.startsWith('x-')) : [];
  const written = Object.entries(texts).filter(([, text]) => text !== undefined && text !== '');
  const columns = key.length === 1 && !(isJsonObject(before) && isJsonList(before['key'])) ? (key[0] ?? '') : key;
  const { entityType, ...others } = Object.fromEntries(written) as Record<string, JsonValue>;
  return {
    ...(entityType === undefined ? {} : { entityType }),
    ...(key.length === 0 ? {} : { key: columns }),
    ...others,
    ...Object.fromEntries(kept),
  };
}

function keepingSame<T>(
  values: readonly T[],
  before: JsonValue | undefined,
  read: (item: JsonValue) => T | undefined,
  write: (value: T, index: number) => JsonValue,
): readonly JsonValue[] {
  const unused = new Set(isJsonList(before) ? before : []);
  return values.map((value, index) => {
    const same = [...unused].find((item) => sameValue(read(item), value));
    if (same === undefined) return write(value, index);
    unused.delete(same);
    return same;
  });
}

function writtenMappings(
  values: readonly MappingValues[] | null | undefined,
  before: JsonValue | undefined,
): JsonValue | null | undefined {
  if (!values) return values;
  return values.length === 0 ? null : mergeList(objectsOf(before), values, mappingValues, writtenMapping);
}

function writtenCrossTable(
  values: CrossTableValues | null | undefined,
  before: JsonValue | undefined,
): JsonObject | null | undefined {
  if (!values) return values;
  const { dataSource, dataObject, ...sides } = values;
  const old = isJsonObject(before) ? before : {};
  const side = (name: 'source' | 'target', mappings: readonly CrossMappingValues[]): readonly JsonValue[] =>
    mergeList(
      objectsOf(old[`${name}Mappings`]),
      mappings,
      (entry) => crossMappingValues(entry, name),
      (value) => writtenCrossMapping(value, name),
    );
  const kept = Object.entries(old).filter(([key]) => key.startsWith('x-'));
  return {
    ...(dataSource === undefined ? {} : { dataSource }),
    ...(dataObject === undefined ? {} : { dataObject }),
    sourceMappings: side('source', sides.sourceMappings),
    targetMappings: side('target', sides.targetMappings),
    ...Object.fromEntries(kept),
  };
}

/** Equal entries stay unchanged, including an explicit `=` and unknown keys. */
function mergeList<T>(
  before: readonly JsonObject[],
  after: readonly T[],
  read: (entry: JsonObject) => T,
  write: (value: T) => JsonObject,
): readonly JsonValue[] {
  const unused = new Set(before);
  return after.map((value, index) => {
    const same = [...unused].find((entry) => sameValue(read(entry), value));
    if (same) {
      unused.delete(same);
      return same;
    }
    const here = before[index];
    const changed = here && !after.some((other) => sameValue(read(here), other)) ? here : undefined;
    const extra = Object.entries(changed ?? {}).filter(([key]) => key.startsWith('x-'));
    return { ...write(value), ...Object.fromEntries(extra) };
  });
}

/** A mapping as written, without the default operator. */
export function writtenMapping(mapping: MappingValues): JsonObject {
  if ('expression' in mapping) return { expression: mapping.expression };
  const { source, operator, target } = mapping;
  return { source, ...(operator === undefined || operator === '=' ? {} : { operator }), target };
}

/** A mapping of a cross table side as written. */
export function writtenCrossMapping(
  { column, operator, cross }: CrossMappingValues,
  side: 'source' | 'target',
): JsonObject {
  const compared = operator === undefined || operator === '=' ? {} : { operator };
  return side === 'source' ? { source: column, ...compared, cross } : { cross, ...compared, target: column };
}
