import { type Scalar, type YAMLSeq, type Pair, type YAMLMap, isScalar, isSeq, visit, isMap } from 'yaml';
import { isJsonText } from '../../model/edits/editable-yaml.ts';
import type { JsonValue } from '../../model/edits/json-value.ts';
import { writeFlow } from '../../model/edits/write-value.ts';
import { pathOf } from '../../model/node-path.ts';
import type { Problem } from '../../model/problem.ts';
import { type YamlText, rangeOf } from '../../model/yaml-text.ts';
import { type Fix, type QuickFix, fixByEdits } from './quick-fix.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';
import { plainValue } from '../../model/plain-value.ts';

/** Converts a value to the expected type: quoted or unquoted, to a list, or to its only item. */
export const convertValue: QuickFix = {
  codes: ['schema-type'],
  fixes: (problem, { parsed }) => convertedValues(problem, parsed.yaml),
};

export function convertedValues({ range, expected = [] }: Problem, yaml: YamlText): readonly Fix[] {
  const scalar = valueAt(range, yaml);
  if (scalar) return converted(scalar, range, expected, yaml);
  if (expected.includes('array') && !expected.includes('string')) return groupAsList(range, yaml);
  const list = expected.includes('string') ? listOfKeyAt(range, yaml) : undefined;
  const [item, ...others] = list?.items ?? [];
  if (!list || !isScalar(item) || others.length > 0 || typeof item.value !== 'string') return [];
  if (list.flow !== true) return [];
  const written = yaml.text.slice(rangeOf(item).start, rangeOf(item).end);
  const path = pathOf(yaml.document.contents, list) ?? [];
  const edit = { range: rangeOf(list), newText: written };
  const look = { title: 'Write its one value without the list', preferred: true };
  return fixByEdits(look, yaml, () => [edit], [{ kind: 'set', path, value: item.value }]);
}

function converted(
  scalar: Scalar,
  range: Problem['range'],
  expected: readonly string[],
  yaml: YamlText,
): readonly Fix[] {
  const { value, type } = scalar;
  const { text, document } = yaml;
  const source = text.slice(range.start, range.end);
  const path = pathOf(document.contents, scalar) ?? [];
  const fix = (title: string, newText: string, meant: JsonValue): readonly Fix[] =>
    fixByEdits({ title, preferred: true }, yaml, () => [{ range, newText }], [{ kind: 'set', path, value: meant }]);
  if (value === null || /[\r\n]/.test(source)) return [];
  const isText = typeof value === 'string';
  if (!isText && expected.includes('string')) return fix('Put it in quotes', JSON.stringify(source), source);
  const bare = String(value).trim();
  const isQuoted = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE';
  if (isQuoted && isPlainOf(bare, expected)) return fix('Remove the quotes', bare, JSON.parse(bare) as JsonValue);
  if (!expected.includes('array')) return [];
  // Comma-separated names are an intended list.
  const items = isText ? value.split(',').map((item) => item.trim()) : [source];
  return fix('Write it as a list', writeFlow(items, isJsonText(text, document.contents)), items);
}

/** Whether a text without quotes is an expected number or boolean. */
function isPlainOf(value: string, expected: readonly string[]): boolean {
  if (expected.includes('boolean') && /^(?:true|false)$/.test(value)) return true;
  if (expected.includes('number') && /^-?\d+(?:\.\d+)?$/.test(value)) return true;
  return expected.includes('integer') && /^-?\d+$/.test(value);
}

function valueAt({ start, end }: Problem['range'], yaml: YamlText): Scalar | undefined {
  let found: Scalar | undefined;
  visit(yaml.document, {
    Scalar(key, scalar) {
      if (key === 'key' || scalar.range?.[0] !== start || scalar.range[1] !== end) return undefined;
      found = scalar;
      return visit.BREAK;
    },
  });
  return found;
}

/** The list value of the key at this position. */
function listOfKeyAt({ start, end }: Problem['range'], yaml: YamlText): YAMLSeq | undefined {
  let found: YAMLSeq | undefined;
  visit(yaml.document, {
    Pair(_key, { key, value }) {
      if (!isScalar(key) || key.range?.[0] !== start || key.range[1] !== end) return undefined;
      found = isSeq(value) ? (value as YAMLSeq) : undefined;
      return visit.BREAK;
    },
  });
  return found;
}

/** Keys that identify an object as a list entry, by list. */
const keysOfEntries: Readonly<Record<string, readonly string[]>> = {
  elements: ['activityName', 'dataObject'],
  relationships: ['source', 'target'],
  mappings: ['source', 'target', 'expression'],
  sourceMappings: ['source', 'cross', 'expression'],
  targetMappings: ['cross', 'target', 'expression'],
};

/** Wraps an object into the expected list. */
function groupAsList(range: Problem['range'], yaml: YamlText): readonly Fix[] {
  const group = groupOfKeyAt(range, yaml);
  if (!group) return [];
  const { start, end } = rangeOf(group);
  const edits = group.flow === true ? brackets(start, end) : dash(start, end, yaml.text);
  const path = pathOf(yaml.document.contents, group) ?? [];
  const value = [plainValue(group, yaml) as JsonValue];
  const look = { title: 'Write it as a list', preferred: true };
  return fixByEdits(look, yaml, () => edits, [{ kind: 'set', path, value }]);
}

function brackets(start: number, end: number): readonly TextEdit[] {
  return [insert(start, '['), insert(end, ']')];
}

/** Lines after the first keep their relative indentation. */
function dash(start: number, end: number, text: string): readonly TextEdit[] {
  const below = [...text.slice(start, end).matchAll(/\n(?=[^\r\n])/g)];
  return [insert(start, '- '), ...below.map(({ index }) => insert(start + index + 1, '  '))];
}

function insert(at: number, newText: string): TextEdit {
  return { range: { start: at, end: at }, newText };
}

function groupOfKeyAt({ start }: Problem['range'], yaml: YamlText): YAMLMap | undefined {
  let found: YAMLMap | undefined;
  visit(yaml.document, {
    Pair(_key, { key, value }: Pair) {
      if (!isScalar(key) || key.range?.[0] !== start) return undefined;
      const wanted = keysOfEntries[String(key.value)] ?? [];
      const isEntry =
        isMap(value) && value.items.some((each) => isScalar(each.key) && wanted.includes(String(each.key.value)));
      found = isEntry ? (value as YAMLMap) : undefined;
      return visit.BREAK;
    },
  });
  return found;
}
