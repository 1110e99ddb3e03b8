import { type Pair, type YAMLMap, isMap, isScalar, visit } from 'yaml';
import type { JsonValue } from '../../model/edits/json-value.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';
import { pathOf } from '../../model/node-path.ts';
import { plainValue } from '../../model/plain-value.ts';
import { type YamlText, rangeOf } from '../../model/yaml-text.ts';
import type { Problem } from '../../model/problem.ts';
import { type Fix, fixByEdits } from './quick-fix.ts';

/** Keys that identify an object as a list entry, by list. */
const keysOfEntries: Readonly<Record<string, readonly string[]>> = {
  elements: ['activityName', 'dataObject'],
  relationships: ['source', 'target'],
  mappings: ['source', 'target', 'expression'],
  sourceMappings: ['source', 'cross', 'expression'],
  targetMappings: ['cross', 'target', 'expression'],
};

/** Wraps an object into the expected list. */
export function groupAsList(range: Problem['range'], yaml: YamlText): readonly Fix[] {
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
