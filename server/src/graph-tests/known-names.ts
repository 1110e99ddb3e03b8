import type { Column, DataObject } from '../catalog/catalog.ts';
import { dataObjectOf } from '../catalog/graph-catalog.ts';
import { type EntityGraph, namesOfActivities, relationshipName } from '../model/entity-graph.ts';
import type { Located } from '../model/source-range.ts';
import type { GraphTest } from './graph-tests.ts';
import { type TestedGraph, sourcesOf } from './tested-graph.ts';

/** The names of data objects that a test may give: first the ones in the graph, then the ones in catalogs. */
export function dataObjectNames({ sources }: TestedGraph): readonly string[] {
  const named = sources.flatMap((source) => [...source.named.keys()]);
  const known = sources.flatMap((source) => (source.known?.objects ?? []).map(({ name }) => name));
  return [...new Set([...named, ...known])];
}

/** The data object with the columns that a test can give; undefined for an unknown one. */
export function dataObjectIn(tested: TestedGraph, test: GraphTest, name: string): DataObject | undefined {
  const { sources } = tested;
  const [owner = sources[0]] = sourcesOf(sources, name);
  const entry = { dataObject: { value: name }, dataSource: { value: owner.origin.dataSource } };
  return dataObjectOf(entry, tested.catalogOf(test));
}

/** The activities of a graph that are in its file. */
export function activityNames({ elements }: EntityGraph): readonly string[] {
  const renamed = elements.flatMap(namesOfActivities);
  const named = [...elements.flatMap(({ activityName }) => activityName ?? []), ...renamed];
  return [...new Set(named.map(({ value }) => value))];
}

export function relationshipNames({ relationships }: EntityGraph): readonly string[] {
  return [...new Set(relationships.map(relationshipName))];
}

export function ruleNames({ rules }: EntityGraph): readonly string[] {
  return rules.flatMap(({ name }) => name?.value ?? []);
}

/** A property; the parts of a column are absent where it is not known. */
export type PropertyColumn = Pick<Column, 'name'> & Partial<Column>;

/** The properties of the events of an activity, or of all activities: the listed ones, or all columns if none are listed. */
export function propertiesOf(
  tested: TestedGraph,
  test: GraphTest,
  activity: Located<string> | undefined,
): readonly PropertyColumn[] {
  const elements = tested.graph.elements.filter(
    ({ activityName }) => !activity || activityName?.value === activity.value,
  );
  return elements.flatMap(({ dataObject, properties }): readonly PropertyColumn[] => {
    const { columns = [] } = (dataObject && dataObjectIn(tested, test, dataObject.value)) ?? {};
    if (properties.kind !== 'list') return columns;
    return properties.columns.map(({ value: name }) => columns.find((column) => column.name === name) ?? { name });
  });
}
