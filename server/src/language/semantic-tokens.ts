import type { EntityGraph } from '../model/entity-graph.ts';
import type { Located, SourceRange } from '../model/source-range.ts';

/** What a name in an entity graph stands for, in words that colour themes know. */
export const semanticTokenTypes = ['event', 'class', 'property', 'namespace'] as const;

export interface SemanticToken {
  readonly range: SourceRange;
  readonly type: (typeof semanticTokenTypes)[number];
}

/** The names of a graph in the order of the text: activities, data objects, columns, the data source. */
export function semanticTokens({
  dataSource,
  dataObjects,
  elements,
  relationships,
}: EntityGraph): readonly SemanticToken[] {
  const tokens = (type: SemanticToken['type'], names: readonly (Located<string> | undefined)[]): SemanticToken[] =>
    names.flatMap((name) => (name ? { type, range: name.range } : []));
  const columns = elements.flatMap((element) => [
    ...(element.key ?? []),
    element.startTimestamp,
    element.changeTimestamp,
    element.sequence,
    element.activityColumn,
    ...(element.properties.kind === 'list' ? element.properties.columns : []),
  ]);
  const mapped = relationships.flatMap(({ mappings, crossTable }) => [
    ...mappings.flatMap((mapping) => (mapping.kind === 'columns' ? [mapping.source, mapping.target] : [])),
    ...[...(crossTable?.sourceMappings ?? []), ...(crossTable?.targetMappings ?? [])].flatMap(({ column, cross }) => [
      column,
      cross,
    ]),
  ]);
  return [
    ...tokens('namespace', [dataSource]),
    ...tokens('class', [
      ...dataObjects,
      ...elements.map(({ dataObject }) => dataObject),
      ...relationships.map(({ crossTable }) => crossTable?.dataObject),
    ]),
    ...tokens('event', [
      ...elements.map(({ activityName }) => activityName),
      ...relationships.flatMap(({ source, target }) => [source, target]),
    ]),
    ...tokens('property', [...columns, ...mapped]),
  ].toSorted((left, right) => left.range.start - right.range.start);
}
