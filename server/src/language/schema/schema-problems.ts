import type { ErrorObject } from 'ajv';
import { didYouMean } from '../../model/nearest-name.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import type { GraphCheck, SourcesCheck } from '../checks/check.ts';
import { mayBeSecret, mayBeValue } from '../../model/secret-settings.ts';
import { type AlternativeKeys, splitAlternatives } from './alternative-keys.ts';
import { nearestKeys, nearestValues } from './synonyms.ts';
import { plainData } from './plain-data.ts';
import { mergeKey, mergeKeyProblems } from './merge-keys.ts';
import { limitMessage, listOf, thing, typeMessage } from './schema-messages.ts';
import { keyRange, placeOf, placeOfObject } from './schema-place.ts';
import { type SchemaName, schemaErrors } from './validate-schema.ts';

const codes = ['schema-unknown-property', 'schema-missing-property', 'schema-type', 'schema-value'] as const;
type SchemaCode = (typeof codes)[number];

/** Schema violations of an entity graph. */
export const schemaProblemsOfGraph: GraphCheck = {
  codes,
  scope: 'entry',
  check: ({ parsed }) => schemaProblems('entityGraph', parsed.yaml),
};

/** Schema violations of a sources file. */
export const schemaProblemsOfSources: SourcesCheck = {
  codes,
  check: ({ parsed }) => schemaProblems('entitySources', parsed.yaml),
};

/** Schema violations of a text. */
export function schemaProblems(schema: SchemaName, yaml: YamlText): readonly Problem[] {
  const data = plainData(yaml);
  if (data === undefined) return [];
  const merged = mergeKeyProblems(yaml);
  const { alternatives, others } = splitAlternatives(schemaErrors(schema, data ?? {}));
  const errors = withoutEmptyOnes(others, schema, data).filter((error) => !isOfMerge(error, merged));
  const unknown = errors
    .filter(({ keyword }) => keyword === 'additionalProperties')
    .map(({ instancePath }) => instancePath);
  const own = errors.filter((error) => !isConsequence(error, errors, unknown));
  const missing = missingKeys(own);
  const problems = own.flatMap((error) => {
    if (error.keyword !== 'required') return describe(error, yaml, schema === 'entitySources');
    const names = missing.get(error.instancePath);
    // Combines the missing keys of one object.
    missing.delete(error.instancePath);
    if (!names) return [];
    const choices = alternatives.filter(
      (each) => isMissing(each, errors) && each.error.instancePath === error.instancePath,
    );
    return misspeltKey(error, names, yaml) ?? missingProperties(names, choices, pathOf(error.instancePath), yaml);
  });
  const chosen = alternatives.filter(({ error }) => !isOfMerge(error, merged));
  return [...merged, ...problems, ...chosen.flatMap((each) => alternativeProblem(each, errors, yaml))];
}

/** The merge key itself, or a field that it was meant to bring. */
function isOfMerge({ keyword, params, data }: ErrorObject, merged: readonly Problem[]): boolean {
  if (merged.length === 0) return false;
  if (keyword === 'additionalProperties') return params['additionalProperty'] === mergeKey;
  return keyword === 'required' && typeof data === 'object' && data !== null && mergeKey in data;
}

/** None of the keys is given, also not misspelt. */
function isMissing({ error, names, given }: AlternativeKeys, errors: readonly ErrorObject[]): boolean {
  return given.length === 0 && !errors.some((other) => isMisspelt(other, error.instancePath, names));
}

function alternativeProblem(
  { error, names, given }: AlternativeKeys,
  errors: readonly ErrorObject[],
  yaml: YamlText,
): readonly Problem[] {
  const path = pathOf(error.instancePath);
  const quoted = names.map((name) => `"${name}"`).join(' or ');
  const [, second] = given;
  if (second !== undefined) {
    const message = `${thing(path)} takes ${quoted}, not both. Remove one of them.`;
    return [problem('schema-value', message, keyRange(path, second, yaml))];
  }
  // Named with the other missing keys of the object.
  const hasOthers = errors.some((other) => other.keyword === 'required' && other.instancePath === error.instancePath);
  if (hasOthers || !isMissing({ error, names, given }, errors)) return [];
  const message = `${thing(path)} needs ${quoted}. Add one of them.`;
  return [{ ...problem('schema-missing-property', message, placeOfObject(path, yaml)), missing: names.slice(0, 1) }];
}

/** Missing keys by object, by pointer. */
function missingKeys(errors: readonly ErrorObject[]): Map<string, readonly string[]> {
  const keys = new Map<string, readonly string[]>();
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'required') continue;
    const before = keys.get(instancePath) ?? [];
    const name = String(params['missingProperty']);
    if (!before.includes(name)) keys.set(instancePath, [...before, name]);
  }
  return keys;
}

function missingProperties(
  names: readonly string[],
  choices: readonly AlternativeKeys[],
  path: readonly string[],
  yaml: YamlText,
): Problem {
  const quote = (name: string): string => `"${name}"`;
  const needed = [...names.map(quote), ...choices.map((each) => `one of ${each.names.map(quote).join(', ')}`)];
  const message = `${thing(path)} needs ${listOf(needed)}. Add ${needed.length === 1 ? 'it' : 'them'}.`;
  const missing = [...names, ...choices.flatMap((each) => each.names.slice(0, 1))];
  return { ...problem('schema-missing-property', message, placeOfObject(path, yaml)), missing };
}

/**
 * Without the discriminating key (the kind of a source) valid keys are unknown; then only a key similar to the missing
 * one, or a synonym, is reported.
 */
function misspeltKey(
  { instancePath, data, parentSchema }: ErrorObject,
  [name = '', ...others]: readonly string[],
  yaml: YamlText,
): Problem | undefined {
  const known = (parentSchema?.['properties'] ?? {}) as object;
  const key = Object.keys(data as object).find(
    (each) => !(each in known) && !each.startsWith('x-') && nearestKeys(each, [name]).length > 0,
  );
  if (key === undefined || others.length > 0) return undefined;
  return unknownKey(key, [name], keyRange(pathOf(instancePath), key, yaml));
}

/**
 * An empty value is not wrong, but missing where the schema requires it. Fields required by imports have their own
 * rules.
 */
function withoutEmptyOnes(errors: readonly ErrorObject[], schema: SchemaName, data: unknown): readonly ErrorObject[] {
  const isEmpty = ({ keyword, data: found }: ErrorObject): boolean =>
    found === null && ['type', 'enum', 'const'].includes(keyword);
  if (!errors.some(isEmpty)) return errors;
  const needed = new Set(
    schemaErrors(schema, withoutNulls(data))
      .filter(({ keyword }) => keyword === 'required')
      .map(({ instancePath, params }) => `${instancePath}/${String(params['missingProperty'])}`),
  );
  // Empty list entries and data sources are reported, because the user has started to write them.
  const isEntry = ({ instancePath }: ErrorObject): boolean => /\/\d+$|^\/dataSources\/[^/]+$/.test(instancePath);
  return errors.filter((error) => !isEmpty(error) || isEntry(error) || needed.has(error.instancePath));
}

function withoutNulls(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutNulls);
  if (typeof data !== 'object' || data === null) return data;
  const set = Object.entries(data).filter(([, value]) => value !== null);
  return Object.fromEntries(set.map(([key, value]) => [key, withoutNulls(value)]));
}

/** A misspelt key is reported as unknown, but not as missing. */
function isConsequence(error: ErrorObject, errors: readonly ErrorObject[], unknownIn: readonly string[]): boolean {
  const { keyword, instancePath, params } = error;
  if (keyword !== 'required' || !unknownIn.includes(instancePath)) return false;
  const missing = String(params['missingProperty']);
  return errors.some((other) => isMisspelt(other, instancePath, [missing]));
}

/** The unknown key of this object is nearly one of these names. */
function isMisspelt(error: ErrorObject, objectPath: string, names: readonly string[]): boolean {
  if (error.keyword !== 'additionalProperties' || error.instancePath !== objectPath) return false;
  const keys = [String(error.params['additionalProperty']), gluedProperty(error)?.key ?? ''];
  return keys.some((key) => nearestKeys(key, names).length > 0);
}

/** @param isOfSources values may be secrets, also at the wrong place: only what is nearly right is quoted */
function describe(error: ErrorObject, yaml: YamlText, isOfSources: boolean): Problem {
  const path = pathOf(error.instancePath);
  const { params } = error;
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownProperty(error, path, yaml, isOfSources);
    case 'type': {
      const expected = [params['type'] as string | readonly string[]].flat();
      const written = isOfSources ? null : writtenAt(placeOf(path, yaml), error.data, yaml);
      return { ...problem('schema-type', typeMessage(error, path, written), placeOf(path, yaml)), expected };
    }
    case 'enum':
      return valueProblem(error, path, params['allowedValues'] as readonly unknown[], yaml, isOfSources);
    case 'const':
      return valueProblem(error, path, [params['allowedValue']], yaml, isOfSources);
    case 'uniqueItems':
      return repeatedItem(error, path, yaml, isOfSources);
    default:
      return problem('schema-value', `${thing(path)} ${limitMessage(error)}.`, placeOf(path, yaml));
  }
}

function unknownProperty(error: ErrorObject, path: readonly string[], yaml: YamlText, isOfSources: boolean): Problem {
  const name = String(error.params['additionalProperty']);
  const glued = gluedProperty(error);
  const range = keyRange(path, name, yaml);
  const known = Object.keys((error.parentSchema?.['properties'] ?? {}) as object);
  const present = new Set(Object.keys((error.data ?? {}) as object));
  const possible = known.filter((key) => !present.has(key));
  const nearest = nearestKeys(name, possible);
  if (glued && isWithoutColon(range, yaml) && (!isOfSources || possible.includes(glued.key)))
    return gluedProblem(glued, range, yaml, isOfSources);
  const others = possible.length > 0 ? `Possible are: ${possible.join(', ')}.` : 'Remove it.';
  const value = ((error.data ?? {}) as Readonly<Record<string, unknown>>)[name];
  const isHidden = isOfSources && nearest.length === 0 && mayBeValue(name, value);
  return isHidden
    ? problem('schema-unknown-property', `This is not known here. ${others}`, range)
    : unknownKey(name, nearest, range, others);
}

function unknownKey(name: string, nearest: readonly string[], range: SourceRange, others = ''): Problem {
  const message = `"${name}" is not known here. ${didYouMean(nearest) ?? others}`;
  return {
    ...problem('schema-unknown-property', message, range),
    ...(nearest.length > 0 ? { suggestions: nearest } : {}),
  };
}

interface GluedProperty {
  readonly key: string;
  readonly value: string;
}

/** In flow style a key without colon, or blank after it, is parsed as a key that contains its value. */
function gluedProperty(error: ErrorObject): GluedProperty | undefined {
  const name = String(error.params['additionalProperty']);
  const data = (error.data ?? {}) as Readonly<Record<string, unknown>>;
  const [, key = '', value = ''] = /^([A-Za-z_][\w-]*)(?::\s*|\s+:?\s*)(.+)$/.exec(name) ?? [];
  return value !== '' && data[name] === null ? { key, value } : undefined;
}

/** A plain key without a colon; quoted keys and keys with a colon are intended. */
function isWithoutColon({ start, end }: SourceRange, { text }: YamlText): boolean {
  return !/^["']/.test(text.slice(start, end)) && !/^[ \t]*:/.test(text.slice(end, end + 50));
}

function gluedProblem(
  { key, value }: GluedProperty,
  range: SourceRange,
  { text }: YamlText,
  isHidden: boolean,
): Problem {
  const isOnOneLine = !text.slice(range.start, range.end).includes('\n');
  const message = `A colon and a space are missing behind "${key}": "${key}" and the text after it are read as one key. ${isHidden ? 'Add them.' : `Write "${key}: ${value}".`}`;
  return {
    ...problem('schema-unknown-property', message, range),
    ...(isOnOneLine ? { suggestions: [`${key}: ${value}`], isVerbatim: true } : {}),
  };
}

function valueProblem(
  error: ErrorObject,
  path: readonly string[],
  allowed: readonly unknown[],
  yaml: YamlText,
  isOfSources: boolean,
): Problem {
  const names = allowed.map(String);
  const range = placeOfText(placeOf(path, yaml), yaml);
  const sign = blockSign(range, yaml);
  if (sign !== undefined && names.includes(sign) && String(error.data).trim() === '') {
    const message = `YAML reads "${sign}" as the sign that a text begins on the next line. Put it in quotes.`;
    return { ...problem('schema-value', message, range), suggestions: [`'${sign}'`], isVerbatim: true };
  }
  const nearest = nearestValues(String(error.data), names);
  if (path.at(-1) === 'properties' && nearest.length === 0) {
    const words = `"properties" must be a list of columns, or "all", not ${JSON.stringify(error.data)}.`;
    return { ...problem('schema-type', words, range), expected: ['array'] };
  }
  const suggestions = nearest.length > 0 ? nearest : names;
  // Quoting would change the meaning of other types.
  const isVerbatim = allowed.every((value) => typeof value !== 'string');
  // Quotes distinguish texts from numbers that look alike.
  const expected = allowed.length === 1 ? JSON.stringify(allowed[0]) : `one of ${names.join(', ')}`;
  const written = writtenAt(range, error.data, yaml);
  const isHidden = isOfSources && (mayBeSecret(path) || nearest.length === 0);
  const found = error.data === null || isHidden ? '' : `, not ${written ?? JSON.stringify(error.data)}`;
  const message = `${thing(path)} must be ${expected}${found}.`;
  return { ...problem('schema-value', message, range), suggestions, ...(isVerbatim && { isVerbatim }) };
}

/** A number or boolean as the file has it, such as `1e5` or `007`, which are read as 100000 and 7. */
function writtenAt({ start, end }: SourceRange, data: unknown, { text }: YamlText): string | undefined {
  if (typeof data !== 'number' && typeof data !== 'boolean') return undefined;
  const written = text.slice(start, end);
  return /^[\w.+-]+$/.test(written) ? written : undefined;
}

/**
 * A value without the final line break of a multi-line text, and without a comment after the indicator of an empty one.
 */
function placeOfText({ start, end }: SourceRange, { text }: YamlText): SourceRange {
  const source = text.slice(start, end);
  const written = /^([>|])\s+#.*\s*$/.exec(source)?.[1] ?? source.trimEnd();
  return { start, end: start + written.length };
}

/** The indicator of a block scalar, if nothing follows. */
function blockSign({ start, end }: SourceRange, { text }: YamlText): string | undefined {
  return end === start + 1 && /[>|]/.test(text[start] ?? '') ? text[start] : undefined;
}

function repeatedItem(error: ErrorObject, path: readonly string[], yaml: YamlText, isOfSources: boolean): Problem {
  const again = Math.max(Number(error.params['i']), Number(error.params['j']));
  const item = String((error.data as readonly unknown[])[again]);
  return problem(
    'schema-value',
    `${isOfSources ? 'This' : `"${item}"`} is in this list twice. Remove one.`,
    placeOf([...path, String(again)], yaml),
  );
}

function pathOf(pointer: string): readonly string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function problem(code: SchemaCode, message: string, range: SourceRange): Problem {
  return { code, severity: 'error', message, range };
}
