import type { DataSource } from '../model/data-sources.ts';
import { nearestNames } from '../model/nearest-name.ts';
import { mayBeValue } from '../model/secret-settings.ts';
import shared from './shared-settings.schema.json' with { type: 'json' };
import { type SourceError, errorOfSource } from './source-error.ts';
import type { SourceKind } from './source-kind.ts';

/** The parts of JSON Schema by which the schemas of settings name settings. */
interface SettingsSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, SettingsSchema>>;
  readonly patternProperties?: Readonly<Record<string, SettingsSchema>>;
  readonly additionalProperties?: boolean | SettingsSchema;
  readonly items?: SettingsSchema;
  readonly allOf?: readonly SettingsSchema[];
  readonly if?: SettingsSchema;
  readonly then?: SettingsSchema;
  readonly const?: unknown;
}

/** A misspelt setting, also within a group, would otherwise have no effect, without a word. */
export function unknownSetting({ name, settings }: DataSource, kind: SourceKind): SourceError | undefined {
  const definitions = { ...shared.definitions, ...kind.settingsSchema } as Readonly<Record<string, SettingsSchema>>;
  const found = unknownName(settings, definitions[kind.name], definitions);
  if (!found) return undefined;
  const { path, known, value } = found;
  const unknown = path.at(-1) ?? '';
  const nearest = nearestNames(unknown, known);
  const isHidden = nearest.length === 0 && mayBeValue(unknown, value);
  const said = (isHidden ? [...path.slice(0, -1), 'A name without a value'] : path).join('.');
  return errorOfSource(name.value, 'source-config', `${said} is not a setting of kind ${kind.name}.`, {
    remedy: nearest.length > 0 ? `Did you mean ${nearest.join(' or ')}?` : `Possible are: ${known.join(', ')}.`,
  });
}

/** A top-level name that files of data sources do not have, with the most similar one that they have. */
export function unknownTopLevelName(names: readonly string[]): { name: string; known: readonly string[] } | undefined {
  const found = unknownName(Object.fromEntries(names.map((name) => [name, {}])), shared as SettingsSchema, {});
  return found && { name: found.path.join('.'), known: found.known };
}

interface UnknownName {
  readonly path: readonly string[];
  readonly known: readonly string[];
  readonly value: unknown;
}

function unknownName(
  value: unknown,
  schema: SettingsSchema | undefined,
  definitions: Readonly<Record<string, SettingsSchema>>,
): UnknownName | undefined {
  if (!schema || typeof value !== 'object' || value === null) return undefined;
  if (schema.$ref !== undefined) {
    return unknownName(value, definitions[schema.$ref.slice('#/definitions/'.length)], definitions);
  }
  const within = (name: string, inner: unknown, of: SettingsSchema | undefined): UnknownName | undefined => {
    const found = unknownName(inner, of, definitions);
    return found && { ...found, path: [name, ...found.path] };
  };
  if (Array.isArray(value)) return firstOf(value, (item, index) => within(String(index + 1), item, schema.items));
  const { properties = {}, patternProperties = {}, additionalProperties = true, allOf = [] } = schema;
  const ofKind = allOf.find((each) => each.if && isMatch(value, each.if))?.then;
  if (ofKind) return unknownName(value, ofKind, definitions);
  const patterns = Object.keys(patternProperties).map((pattern) => new RegExp(pattern, 'u'));
  return firstOf(Object.entries(value), ([name, inner]) => {
    if (Object.hasOwn(properties, name)) return within(name, inner, properties[name]);
    if (patterns.some((pattern) => pattern.test(name))) return undefined;
    if (additionalProperties === false) return { path: [name], known: Object.keys(properties), value: inner };
    return additionalProperties === true ? undefined : within(name, inner, additionalProperties);
  });
}

/** Whether an object has the values of `properties` that a condition states as `const`. */
function isMatch(value: object, { properties = {} }: SettingsSchema): boolean {
  return Object.entries(properties).every(([name, { const: expected }]) => {
    return (value as Readonly<Record<string, unknown>>)[name] === expected;
  });
}

function firstOf<T, R>(items: readonly T[], find: (item: T, index: number) => R | undefined): R | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) return found;
  }
  return undefined;
}
