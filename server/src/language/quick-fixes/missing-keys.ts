import { type YAMLMap, isScalar } from 'yaml';
import { findDataObject } from '../../catalog/catalog.ts';
import type { EntityElement } from '../../model/entity-graph.ts';
import { rangeOf } from '../../model/yaml-text.ts';
import type { GraphContext } from '../checks/check.ts';
import { contentEnd, contentLineEnd } from '../../model/edits/list-edits.ts';
import { type TextEdit, writtenLike } from '../../model/edits/text-edit.ts';
import type { QuickFix } from './quick-fix.ts';

/** Adds the keys that an element needs, the start timestamp with the likeliest column. */
export const addMissingKeys: QuickFix = {
  codes: ['element-unconfigured'],
  fixes(problem, context) {
    const { graph, parsed } = context;
    const element = graph.elements.find(
      ({ range }) => range.start <= problem.range.start && problem.range.end <= range.end,
    );
    const map = element && parsed.originOf(element);
    if (!element || !map) return [];
    const missing = missingValues(element, context).filter(([key]) => !hasKey(map, key));
    if (missing.length === 0) return [];
    const edit = addKeys(map, missing, parsed.yaml.text);
    return [{ title: `Add ${missing.map(([key]) => key).join(' and ')}`, edits: [edit], preferred: true }];
  },
};

function missingValues(
  element: EntityElement,
  { catalog, graph }: GraphContext,
): readonly (readonly [string, string])[] {
  const object = catalog && element.dataObject && findDataObject(catalog, element.dataObject.value);
  const time = object?.columns.find(({ sense }) => sense === 'timestamp' || sense === 'date')?.name ?? '';
  const unused = graph.dataObjects.find(({ value }) =>
    graph.elements.every(({ dataObject }) => dataObject?.value !== value),
  );
  return [
    ...(element.activityName ? [] : [['activityName', ''] as const]),
    ...(element.dataObject ? [] : [['dataObject', unused?.value ?? ''] as const]),
    ...(element.startTimestamp ? [] : [['startTimestamp', time] as const]),
  ];
}

function hasKey(map: YAMLMap, name: string): boolean {
  return map.items.some(({ key }) => isScalar(key) && key.value === name);
}

function addKeys(map: YAMLMap, keys: readonly (readonly [string, string])[], text: string): TextEdit {
  const written = keys.map(([key, value]) => `${key}:${value === '' ? '' : ` ${writtenLike(value, ',')}`}`);
  const { start, end } = rangeOf(map);
  if (map.flow === true) {
    const at = contentEnd(end - 1, text);
    const separator = map.items.length > 0 ? ', ' : ' ';
    return { range: { start: at, end: at }, newText: `${separator}${written.join(', ')}` };
  }
  const indent = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
  const at = contentLineEnd(end, text);
  return { range: { start: at, end: at }, newText: written.map((line) => `\n${indent}${line}`).join('') };
}
