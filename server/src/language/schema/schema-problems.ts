import type { ErrorObject } from 'ajv';
import type { YAMLMap } from 'yaml';
import { isMap, isScalar, isSeq } from 'yaml';
import { nearestName } from '../../model/nearest-name.ts';
import type { Problem } from '../../model/problem.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { type YamlText, rangeOf, resolveNode } from '../../model/yaml-text.ts';
import type { GraphCheck, SourcesCheck } from '../checks/check.ts';
import { plainData } from './plain-data.ts';
import { type SchemaName, schemaErrors } from './validate-schema.ts';

const codes = ['schema-unknown-property', 'schema-missing-property', 'schema-type', 'schema-value'] as const;
type SchemaCode = (typeof codes)[number];

/** An entity graph that is not shaped as the format asks. */
export const schemaProblemsOfGraph: GraphCheck = {
  codes,
  check: ({ parsed }) => schemaProblems('entityGraph', parsed.yaml),
};

/** A sources file that is not shaped as the format asks. */
export const schemaProblemsOfSources: SourcesCheck = {
  codes,
  check: ({ parsed }) => schemaProblems('entitySources', parsed.yaml),
};

function schemaProblems(schema: SchemaName, yaml: YamlText): readonly Problem[] {
  const data = plainData(yaml);
  if (data === undefined) return [];
  const errors = withoutEmptyOnes(schemaErrors(schema, data ?? {}), schema, data);
  const unknown = errors
    .filter(({ keyword }) => keyword === 'additionalProperties')
    .map(({ instancePath }) => instancePath);
  return errors.filter((error) => !isConsequence(error, errors, unknown)).map((error) => describe(error, yaml));
}

/**
 * A key whose value is still empty is not wrong, only not set; it is told where the schema asks for it. What is missing
 * for an import has rules of its own.
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
  // Entries of lists, and data sources, are there because somebody began to write them.
  const isEntry = ({ instancePath }: ErrorObject): boolean => /\/\d+$|^\/dataSources\/[^/]+$/.test(instancePath);
  return errors.filter((error) => !isEmpty(error) || isEntry(error) || needed.has(error.instancePath));
}

function withoutNulls(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutNulls);
  if (typeof data !== 'object' || data === null) return data;
  const set = Object.entries(data).filter(([, value]) => value !== null);
  return Object.fromEntries(set.map(([key, value]) => [key, withoutNulls(value)]));
}

/** A misspelt key is one mistake: the unknown key, not also the missing one that it stands for. */
function isConsequence(error: ErrorObject, errors: readonly ErrorObject[], unknownIn: readonly string[]): boolean {
  const { keyword, instancePath, params } = error;
  if (keyword !== 'required' || !unknownIn.includes(instancePath)) return false;
  const missing = String(params['missingProperty']);
  return errors.some(
    (other) =>
      other.keyword === 'additionalProperties' &&
      other.instancePath === instancePath &&
      nearestName(String(other.params['additionalProperty']), [missing]) === missing,
  );
}

function describe(error: ErrorObject, yaml: YamlText): Problem {
  const path = pathOf(error.instancePath);
  const { params } = error;
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownProperty(error, path, yaml);
    case 'required': {
      const missing = String(params['missingProperty']);
      const message = `${thing(path)} needs "${missing}". Add it.`;
      return problem('schema-missing-property', message, placeOfObject(path, yaml));
    }
    case 'type':
      return problem('schema-type', typeMessage(error, path), placeOf(path, yaml));
    case 'enum':
      return valueProblem(error, path, params['allowedValues'] as readonly unknown[], yaml);
    case 'const':
      return valueProblem(error, path, [params['allowedValue']], yaml);
    case 'uniqueItems':
      return repeatedItem(error, path, yaml);
    default:
      return problem('schema-value', `${thing(path)} ${limitMessage(error)}.`, placeOf(path, yaml));
  }
}

function unknownProperty(error: ErrorObject, path: readonly string[], yaml: YamlText): Problem {
  const name = String(error.params['additionalProperty']);
  const known = Object.keys((error.parentSchema?.['properties'] ?? {}) as object);
  const present = new Set(Object.keys((error.data ?? {}) as object));
  const possible = known.filter((key) => !present.has(key));
  const nearest = nearestName(name, possible);
  const message =
    nearest === undefined
      ? `"${name}" is not known here. ${possible.length > 0 ? `Possible are: ${possible.join(', ')}.` : 'Remove it.'}`
      : `"${name}" is not known here. Did you mean "${nearest}"?`;
  return {
    ...problem('schema-unknown-property', message, keyRange(path, name, yaml)),
    ...(nearest === undefined ? {} : { suggestions: [nearest] }),
  };
}

function valueProblem(
  error: ErrorObject,
  path: readonly string[],
  allowed: readonly unknown[],
  yaml: YamlText,
): Problem {
  const names = allowed.map(String);
  const nearest = nearestName(String(error.data), names);
  const suggestions = nearest === undefined ? names.slice(0, 1) : [nearest];
  // Texts and numbers that look alike are told apart by quotes.
  const expected = allowed.length === 1 ? JSON.stringify(allowed[0]) : `one of ${names.join(', ')}`;
  const found = error.data === null ? '' : `, not ${JSON.stringify(error.data)}`;
  const message = `${thing(path)} must be ${expected}${found}.`;
  return { ...problem('schema-value', message, placeOf(path, yaml)), suggestions };
}

function repeatedItem(error: ErrorObject, path: readonly string[], yaml: YamlText): Problem {
  const again = Math.max(Number(error.params['i']), Number(error.params['j']));
  const item = String((error.data as readonly unknown[])[again]);
  return problem(
    'schema-value',
    `"${item}" is in this list twice. Remove one.`,
    placeOf([...path, String(again)], yaml),
  );
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'a list',
  object: 'a group of settings',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

function typeMessage({ params, data }: ErrorObject, path: readonly string[]): string {
  const expected = [params['type'] as string | readonly string[]].flat().filter((type) => type !== 'null');
  const names = expected.map((type) => typeNames[type] ?? type).join(' or ');
  const quote = expected.includes('string') && (typeof data === 'number' || typeof data === 'boolean');
  const remedy = quote ? ` Put it in quotes: "${String(data)}".` : '';
  if (data === null) return `${thing(path)} is empty: it must be ${names}.`;
  const found = Array.isArray(data) ? 'a list' : typeof data === 'object' ? 'a group of settings' : String(data);
  return `${thing(path)} must be ${names}, not ${found}.${remedy}`;
}

function limitMessage({ keyword, params, parentSchema }: ErrorObject): string {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'minLength':
    case 'minItems':
      return 'must not be empty';
    case 'maxLength':
      return limit === '1' ? 'must be one character' : `must have at most ${limit} characters`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    default: {
      const [example] = (parentSchema?.['examples'] ?? []) as readonly unknown[];
      return example === undefined ? 'is not written as it should be' : `must be written like ${String(example)}`;
    }
  }
}

/** The last name on the path, as messages call it. */
function thing(path: readonly string[]): string {
  const named = path.findLast((part) => !/^\d+$/.test(part));
  if (named === undefined) return 'The file';
  return /^\d+$/.test(path.at(-1) ?? '') ? `An entry of "${named}"` : `"${named}"`;
}

function pathOf(pointer: string): readonly string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function problem(code: SchemaCode, message: string, range: SourceRange): Problem {
  return { code, severity: 'error', message, range };
}

/** The value at a path, or its key when it has no value. */
function placeOf(path: readonly string[], yaml: YamlText): SourceRange {
  const node = nodeAt(path, yaml);
  if (isMap(node) || isSeq(node)) return placeOfObject(path, yaml);
  const range = node ? rangeOf(node) : undefined;
  if (range && range.end > range.start) return range;
  return keyRange(path.slice(0, -1), path.at(-1) ?? '', yaml);
}

/** A whole group or list is named by its key, an entry of a list by its first line. */
function placeOfObject(path: readonly string[], yaml: YamlText): SourceRange {
  const last = path.at(-1);
  if (last !== undefined && !/^\d+$/.test(last)) return keyRange(path.slice(0, -1), last, yaml);
  const node = nodeAt(path, yaml);
  const start = node ? rangeOf(node).start : 0;
  const lineEnd = yaml.text.indexOf('\n', start);
  const end = node ? rangeOf(node).end : 0;
  return { start, end: Math.max(start, Math.min(end, lineEnd < 0 ? yaml.text.length : lineEnd)) };
}

function keyRange(path: readonly string[], name: string, yaml: YamlText): SourceRange {
  const object = resolveNode(nodeAt(path, yaml), yaml);
  const pair = isMap(object) ? findPair(object, name) : undefined;
  return pair && isScalar(pair.key)
    ? rangeOf(pair.key)
    : placeOfFirst(object ? rangeOf(object) : { start: 0, end: 0 }, yaml);
}

function placeOfFirst({ start, end }: SourceRange, { text }: YamlText): SourceRange {
  const lineEnd = text.indexOf('\n', start);
  return { start, end: lineEnd < 0 ? end : Math.min(end, lineEnd) };
}

function findPair(map: YAMLMap, name: string) {
  return map.items.find(({ key }) => isScalar(key) && String(key.value) === name);
}

function nodeAt(path: readonly string[], yaml: YamlText) {
  let node = resolveNode(yaml.document.contents, yaml);
  for (const part of path) {
    const next: unknown = isMap(node)
      ? findPair(node, part)?.value
      : isSeq(node)
        ? node.items[Number(part)]
        : undefined;
    node = resolveNode(next, yaml);
    if (!node) return undefined;
  }
  return node;
}
