import type { ElementPatch } from '../../../../protocol/canvas-intents.ts';
import { dataObjectOf } from '../../catalog/graph-catalog.ts';
import { editGraph } from '../../model/edits/edit-graph.ts';
import { elementIds } from '../../model/edits/entry-ids.ts';
import type { EntityElement, SelectedProperty } from '../../model/entity-graph.ts';
import type { GraphContext } from '../graph-context.ts';
import type { OfferedChange, Refactoring } from './refactoring.ts';

/** Converts `properties: all` to a list, and a complete list to `all`. */
export const convertProperties: Refactoring = {
  kind: 'refactor.rewrite',
  offers(context, offset) {
    const element = elementAt(context, offset);
    const object = element && context.catalog && dataObjectOf(element, context.catalog);
    if (!element || !object) return [];
    const all = object.columns.map(({ name }) => name);
    if (element.properties.kind === 'all') {
      return offer(context, element, `List all ${all.length} properties`, { properties: all });
    }
    const listed = new Set(element.properties.columns.map(({ value }) => value));
    const isAll =
      listed.size === all.length &&
      all.every((name) => listed.has(name)) &&
      element.properties.columns.every(({ name }) => !name);
    return isAll ? offer(context, element, 'Select all properties with "all"', { properties: 'all' }) : [];
  },
};

/** Sorts the properties of an element by name. */
export const sortProperties: Refactoring = {
  kind: 'refactor.rewrite',
  offers(context, offset) {
    const element = elementAt(context, offset);
    if (!element || element.properties.kind !== 'list') return [];
    const calledSo = ({ value, name }: SelectedProperty): string => name?.value ?? value;
    const { columns } = element.properties;
    const inOrder = columns.toSorted((one, other) => calledSo(one).localeCompare(calledSo(other), 'en'));
    const isSorted = inOrder.every((property, index) => property === columns[index]);
    const sorted = inOrder.map(({ value, name }) => (name ? { column: value, name: name.value } : value));
    return isSorted ? [] : offer(context, element, 'Sort the properties', { properties: sorted });
  },
};

/** The element at an offset. */
export function elementAt({ parsed: { graph } }: GraphContext, offset: number): EntityElement | undefined {
  return graph.elements.find(({ range }) => range.start <= offset && offset <= range.end);
}

function offer(
  { parsed }: GraphContext,
  element: EntityElement,
  title: string,
  values: ElementPatch,
): readonly OfferedChange[] {
  const id = elementIds(parsed.graph.elements.map(({ activityName }) => activityName?.value))[element.index] ?? '';
  const edits: OfferedChange['edits'] = () => editGraph(parsed.yaml, { kind: 'configureElement', element: id, values });
  return [{ title, edits }];
}
