import { type YAMLMap, isScalar } from 'yaml';
import { dataObjectOf } from '../../catalog/graph-catalog.ts';
import type { EntityElement } from '../../model/entity-graph.ts';
import { pairOf } from '../../model/edits/editable-yaml.ts';
import { type NewKey, setKeys } from '../../model/edits/key-edits.ts';
import type { GraphContext } from '../graph-context.ts';
import { freeActivityName, likelyStart } from './likely-values.ts';
import type { JsonValue } from '../../model/edits/json-value.ts';
import type { MeaningChange } from '../../model/edits/meaning-change.ts';
import { pathOf } from '../../model/node-path.ts';
import { type Fix, type QuickFix, fixByEdits } from './quick-fix.ts';
import type { YamlText } from '../../model/yaml-text.ts';

/** Adds required fields to an element, and fills empty ones. */
export const addMissingKeys: QuickFix = {
  codes: ['element-unconfigured'],
  fixes(problem, context) {
    const { parsed } = context;
    const { graph } = parsed;
    const element = graph.elements.find(
      ({ range }) => range.start <= problem.range.start && problem.range.end <= range.end,
    );
    const map = element && parsed.originOf(element);
    return element && map ? fixWithKeys(parsed.yaml, map, missingValues(element, context)) : [];
  },
};

/** The fix that adds keys to a mapping. Existing empty keys get a value if one is known. */
export function fixWithKeys(yaml: YamlText, map: YAMLMap, keys: readonly NewKey[]): readonly Fix[] {
  const wanted = keys.filter(([key, value]) => isEmptyIn(map, key) && (value !== undefined || !pairOf(map, key)));
  if (wanted.length === 0) return [];
  const names = wanted.map(([key]) => key).join(' and ');
  const title = wanted.some(([key]) => !pairOf(map, key)) ? `Add ${names}` : `Set ${names}`;
  // An empty key is a placeholder.
  const preferred = wanted.every(([, value]) => value !== undefined);
  return fixWithValues({ title, preferred }, yaml, map, wanted);
}

/** The fix that sets keys of a mapping. */
export function fixWithValues(
  look: Pick<Fix, 'title' | 'preferred'>,
  yaml: YamlText,
  map: YAMLMap,
  keys: readonly NewKey[],
): readonly Fix[] {
  const path = pathOf(yaml.document.contents, map);
  if (!path) return [];
  const changes = (unsaid: JsonValue): readonly MeaningChange[] =>
    keys.map(([key, value]) => ({ kind: 'set', path: [...path, key], value: value ?? unsaid }));
  const fixes = (unsaid: JsonValue): readonly Fix[] =>
    fixByEdits(look, yaml, () => setKeys(yaml, map, keys), changes(unsaid));
  // Where a key needs a value, an empty text is the placeholder.
  const alone = fixes(null);
  return alone.length > 0 || keys.every(([, value]) => value !== undefined) ? alone : fixes('');
}

function isEmptyIn(map: YAMLMap, key: string): boolean {
  const pair = pairOf(map, key);
  const value = pair?.value ?? null;
  return value === null || (isScalar(value) && (value.value === null || value.value === ''));
}

/** The most likely values of missing fields of an element. */
function missingValues(element: EntityElement, { catalog, parsed: { graph } }: GraphContext): readonly NewKey[] {
  const unused = graph.dataObjects.find(({ value }) =>
    [...graph.elements, ...graph.entities].every(({ dataObject }) => dataObject?.value !== value),
  );
  const dataObject = element.dataObject?.value ?? unused?.value;
  const source = (element.dataObject ? element : unused)?.dataSource ?? element.dataSource;
  const named = dataObject === undefined ? {} : { dataObject: { value: dataObject } };
  const object = catalog && dataObjectOf({ ...named, dataSource: source }, catalog);
  const name = dataObject === undefined ? undefined : freeActivityName(`Change ${dataObject}`, graph);
  return [
    ...(element.activityName ? [] : [['activityName', name] as const]),
    ...(element.dataObject || element.dataSource || !unused?.dataSource
      ? []
      : [['dataSource', unused.dataSource.value] as const]),
    ...(element.dataObject ? [] : [['dataObject', dataObject] as const]),
    ...(element.startTimestamp ? [] : [['startTimestamp', likelyStart(object)] as const]),
  ];
}
