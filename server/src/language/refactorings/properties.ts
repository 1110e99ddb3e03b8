import type { ElementValues } from '../../../../protocol/canvas-intents.ts';
import { dataObjectOf } from '../../catalog/graph-catalog.ts';
import { editGraph } from '../../model/edits/edit-graph.ts';
import { elementIds, masterDataIds } from '../../model/edits/entry-ids.ts';
import {
  type EntityElement,
  type EntitySource,
  type SelectedProperty,
  masterDataName,
} from '../../model/entity-graph.ts';
import type { GraphContext } from '../graph-context.ts';
import type { OfferedChange, Refactoring } from './refactoring.ts';

/** Converts `properties: all` to a list, and a complete list to `all`. */
export const convertProperties: Refactoring = {
  kind: 'refactor.rewrite',
  offers(context, offset) {
    const element = entryAt(context, offset);
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

/** Sorts the properties of an element, or of master data, by name. */
export const sortProperties: Refactoring = {
  kind: 'refactor.rewrite',
  offers(context, offset) {
    const element = entryAt(context, offset);
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

/** The element or the entry of `entities` at an offset. */
export function entryAt({ parsed: { graph } }: GraphContext, offset: number): EntitySource | undefined {
  return [...graph.elements, ...graph.entities].find(({ range }) => range.start <= offset && offset <= range.end);
}

function offer(
  { parsed: { graph, yaml } }: GraphContext,
  entry: EntitySource,
  title: string,
  values: Pick<ElementValues, 'properties'>,
): readonly OfferedChange[] {
  const elements = elementIds(graph.elements.map(({ activityName }) => activityName?.value));
  const entries = masterDataIds(graph.entities.map(masterDataName), elements);
  const edits: OfferedChange['edits'] = () =>
    'isMasterData' in entry
      ? editGraph(yaml, { kind: 'configureMasterData', entry: entries[entry.index] ?? '', values })
      : editGraph(yaml, { kind: 'configureElement', element: elements[entry.index] ?? '', values });
  return [{ title, edits }];
}
