import { Document, isCollection, isScalar } from 'yaml';
import type { SqlDialect } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { JsonObject, JsonValue } from '../model/edits/json-value.ts';
import { newText } from '../model/edits/new-text.ts';
import { writtenSchema } from '../model/written-yaml.ts';
import type {
  DraftElement,
  DraftEntity,
  DraftModel,
  DraftObject,
  DraftRelationship,
  DraftTime,
} from './draft-model.ts';

/** The name of the graph, and its data source. */
export interface DraftHeader {
  readonly name: string;
  readonly dataSource: string;
  readonly dialect: SqlDialect;
}

/** The text of a drafted graph, with the reasons as comments. */
export function draftText({ name, dataSource, dialect }: DraftHeader, model: DraftModel): string {
  const { elements, entities, relationships } = model;
  const named = [...elements, ...entities].map(({ dataObject }) => dataObject);
  const dataObjects = [...new Set([...named, ...crossTables(relationships)])];
  const graph: JsonObject = {
    version: 1,
    name,
    dataSource,
    dataObjects,
    elements: elements.map((element) => elementJson(element, dialect)),
    ...(entities.length > 0 && { entities: entities.map(entityJson) }),
    ...(relationships.length > 0 && { relationships: relationships.map(relationshipJson) }),
  };
  const comments = elements.flatMap(({ reasons, objects }, index) => [
    ...Object.entries(reasons).map(([field, text]): FieldComment => ({ path: ['elements', index, field], text })),
    ...objects.flatMap(({ reason }, place): readonly FieldComment[] =>
      reason === undefined ? [] : [{ path: ['elements', index, 'correlatesWith', place], text: reason }],
    ),
  ]);
  return commentedText(graph, comments);
}

function elementJson(element: DraftElement, dialect: SqlDialect): JsonObject {
  const {
    activityName,
    dataObject,
    entityType,
    key,
    start,
    change,
    sequence,
    activityColumn,
    objects,
    ownEntity,
    properties,
    where,
  } = element;
  const [only] = key ?? [];
  return {
    activityName,
    dataObject,
    ...(key && only !== undefined && { key: key.length === 1 ? only : [...key] }),
    ...(entityType !== undefined && { entityType }),
    ...(ownEntity === false && { ownEntity }),
    startTimestamp: timeJson(start, dataObject, dialect),
    ...(change && { changeTimestamp: timeJson(change, dataObject, dialect) }),
    ...(sequence !== undefined && { sequence }),
    ...(activityColumn !== undefined && { activityColumn }),
    ...(objects.length > 0 && { correlatesWith: objects.map(objectJson) }),
    properties: propertiesJson(properties),
    ...(where !== undefined && { where }),
  };
}

function propertiesJson(properties: DraftElement['properties']): JsonValue {
  if (properties === 'all') return properties;
  return properties.map((property) => (typeof property === 'string' ? property : { ...property }));
}

/** A column, or SQL that computes the time from a text, or from a date and a time of day. */
function timeJson(time: DraftTime, dataObject: string, dialect: SqlDialect): JsonValue {
  if (time.format === undefined && !time.timeOfDay) return time.column;
  const { quote, path } = dialectNamed(dialect).identifiers;
  const table = quote(path(dataObject).at(-1) ?? dataObject);
  return { expression: timeSql(time, dialect, (column) => `${table}.${quote(column)}`) };
}

function timeSql({ timeOfDay, ...date }: DraftTime, dialect: SqlDialect, place: (column: string) => string): string {
  const { text, parsed, atTimeOfDay } = dialectNamed(dialect).times.written;
  const day = (sense: 'timestamp' | 'date'): string =>
    date.format === undefined ? place(date.column) : parsed(text(place(date.column), 0), date.format, sense);
  if (!timeOfDay) return day('timestamp');
  const { column, format } = timeOfDay;
  // Numbers have lost their leading zeros.
  const time =
    format === undefined ? place(column) : parsed(text(place(column), format === '%H%M%S' ? 6 : 0), format, 'time');
  return atTimeOfDay(day('date'), time);
}

/** A row correlation in the notation of the format. */
function objectJson({ entityType, key, separator, isList, qualifier }: DraftObject): JsonObject {
  return {
    entityType,
    key,
    ...(separator !== undefined && { separator }),
    ...(isList === true && { each: 'list' }),
    ...(qualifier !== undefined && { qualifier }),
  };
}

function entityJson({
  name,
  entityType = name,
  dataObject,
  key,
  validFrom,
  properties,
  where,
}: DraftEntity): JsonObject {
  const [only] = key ?? [];
  return {
    ...(entityType !== name && { name }),
    entityType,
    dataObject,
    ...(key && only !== undefined && { key: key.length === 1 ? only : [...key] }),
    ...(validFrom !== undefined && { validFrom }),
    properties: propertiesJson(properties),
    ...(where !== undefined && { where }),
  };
}

function relationshipJson({ mappings, crossTable, ...rest }: DraftRelationship): JsonObject {
  return {
    ...rest,
    ...(mappings.length > 0 && { mappings: mappings.map((mapping): JsonValue => ({ ...mapping })) }),
    ...(crossTable && {
      crossTable: {
        dataObject: crossTable.dataObject,
        sourceMappings: crossTable.sourceMappings.map((mapping): JsonValue => ({ ...mapping })),
        targetMappings: crossTable.targetMappings.map((mapping): JsonValue => ({ ...mapping })),
      },
    }),
  };
}

function crossTables(relationships: readonly DraftRelationship[]): readonly string[] {
  return relationships.flatMap(({ crossTable }) => crossTable?.dataObject ?? []);
}

/** A comment at the end of the line of a value. */
interface FieldComment {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** The text of a new file with comments, which do not change its meaning. */
function commentedText(meaning: JsonObject, comments: readonly FieldComment[]): string {
  const document = new Document(meaning, writtenSchema);
  for (const { path, text } of comments) {
    const node = document.getIn(path, true);
    const line = ` ${text.replaceAll(/\s+/g, ' ').trim()}`;
    if (isScalar(node)) node.comment = line;
    if (isCollection(node)) {
      node.flow = true;
      node.comment = line;
    }
  }
  return newText(meaning, document.toString({ lineWidth: 0, singleQuote: true }));
}
