import { type Catalog, findColumn, findDataObject } from '../catalog/catalog.ts';
import type { DataSources } from '../model/data-sources.ts';
import type { ParsedDataSources } from '../model/parse-data-sources.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import type { SourceRange } from '../model/source-range.ts';
import { columnMarkdown, objectMarkdown } from './catalog-text.ts';
import { propertyMarkdown } from './complete-properties.ts';
import { nodePlace } from './node-place.ts';
import { propertyAt } from './schema/property-docs.ts';
import type { SchemaName } from './schema/validate-schema.ts';

export interface HoverText {
  readonly markdown: string;
  readonly range: SourceRange;
}

export interface GraphHover {
  readonly parsed: ParsedEntityGraph;
  readonly sources?: DataSources;
  readonly catalog?: Catalog;
}

/** What is known about the name or property at an offset of an entity graph. */
export function hoverEntityGraph(known: GraphHover, offset: number): HoverText | undefined {
  const place = nodePlace(known.parsed.yaml, offset);
  if (!place) return undefined;
  if (place.in === 'value') {
    const markdown = valueMarkdown(known, place);
    if (markdown !== undefined) return { markdown, range: place.range };
  }
  return propertyHover('entityGraph', place);
}

/** What is known about the property at an offset of a sources file. */
export function hoverDataSources(
  { parsed }: { readonly parsed: ParsedDataSources },
  offset: number,
): HoverText | undefined {
  const place = nodePlace(parsed.yaml, offset);
  if (!place) return undefined;
  const kind = parsed.sources.sources.find(({ name }) => name.value === place.path[1])?.kind?.value;
  return propertyHover('entitySources', place, kind);
}

type Place = NonNullable<ReturnType<typeof nodePlace>>;

function propertyHover(schema: SchemaName, { path, range }: Place, kind?: string): HoverText | undefined {
  const named = path.at(-1) === '[]' ? path.slice(0, -1) : path;
  const docs = propertyAt(schema, named, kind);
  return docs && docs.description !== '' ? { markdown: propertyMarkdown(docs), range } : undefined;
}

function valueMarkdown({ parsed, sources, catalog }: GraphHover, place: Place): string | undefined {
  const { graph } = parsed;
  const property = place.path.findLast((step) => step !== '[]');
  if (property === 'dataSource' && place.path.length === 1) {
    const source = sources?.sources.find(({ name }) => name.value === place.text);
    return source?.kind && `**${place.text}** — ${source.kind.value} data source, time zone ${source.timeZone}`;
  }
  if (!catalog) return undefined;
  if (property === 'dataObject' || property === 'dataObjects') {
    const object = findDataObject(catalog, place.text);
    return object && objectMarkdown(object);
  }
  const [index = 0] = place.indexes;
  const relationship = place.path[0] === 'relationships' ? graph.relationships[index] : undefined;
  if (relationship && place.path.length <= 3) return undefined;
  const end = property === 'source' || property === 'target' ? relationship?.[property]?.value : undefined;
  const element = relationship
    ? graph.elements.find(({ activityName }) => activityName?.value === end)
    : graph.elements[index];
  const name = property === 'cross' ? relationship?.crossTable?.dataObject?.value : element?.dataObject?.value;
  const object = name === undefined ? undefined : findDataObject(catalog, name);
  const column = object && columnProperties.has(property ?? '') ? findColumn(object, place.text) : undefined;
  return column && columnMarkdown(column);
}

const columnProperties = new Set([
  'key',
  'startTimestamp',
  'changeTimestamp',
  'sequence',
  'activityColumn',
  'properties',
  'source',
  'target',
  'cross',
]);
