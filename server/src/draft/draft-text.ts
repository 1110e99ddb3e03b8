import { Document, isCollection, isMap, isNode, isScalar } from 'yaml';
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
import type { TablePlace } from './table-sample.ts';

/** The name of the graph, and its data source. */
interface DraftHeader {
  readonly name: string;
  readonly dataSource: string;
  readonly dialect: SqlDialect;
  /** Data objects of further data sources. */
  readonly places?: ReadonlyMap<string, TablePlace> | undefined;
}

type Places = NonNullable<DraftHeader['places']>;

/** The text of a drafted graph, with the reasons as comments above the fields. */
export function draftText(header: DraftHeader, model: DraftModel): string {
  const { name, dataSource, dialect, places: further = new Map() } = header;
  const { elements, entities, relationships } = model;
  const named = [...elements, ...entities].map(({ dataObject }) => dataObject);
  const dataObjects = [...new Set([...named, ...crossTables(relationships)])];
  const places = withNamesakes(header, further, dataObjects);
  const graph: JsonObject = {
    version: 1,
    name,
    dataSource,
    dataObjects: selectedJson(dataObjects, further),
    elements: elements.map((element) => placed(elementJson(element, places, dialect), places)),
    ...(entities.length > 0 && { entities: entities.map((entity) => placed(entityJson(entity), places)) }),
    ...(relationships.length > 0 && {
      relationships: relationships.map((relationship) => relationshipJson(relationship, places)),
    }),
  };
  return commentedText(graph, elements.flatMap(commentsOf));
}

function commentsOf({ reasons, objects, key = [] }: DraftElement, index: number): readonly FieldComment[] {
  return [
    ...Object.entries(reasons).map(([field, reason]): FieldComment => {
      const subject = field === 'key' && key.length > 1 ? 'they' : 'it';
      return { path: ['elements', index, field], text: `Chosen as ${field} because ${subject} ${reason}` };
    }),
    ...objects.flatMap(({ reason, key: column }, place): readonly FieldComment[] =>
      reason === undefined
        ? []
        : [{ path: ['elements', index, 'correlatesWith', place], text: `Chosen because ${column} ${reason}` }],
    ),
  ];
}

/** An entry names its data source where another one has a data object of that name, too. */
function withNamesakes({ dataSource, dialect }: DraftHeader, further: Places, dataObjects: readonly string[]): Places {
  const names = new Set(dataObjects.flatMap((each) => further.get(each)?.name ?? []));
  const own = dataObjects.filter((each) => !further.has(each) && names.has(each));
  return new Map([...further, ...own.map((each) => [each, { dataSource, dialect, name: each }] as const)]);
}

/** The data objects of the file's own data source, then those of each further one. */
function selectedJson(dataObjects: readonly string[], places: Places): JsonValue[] {
  const own = dataObjects.filter((name) => !places.has(name));
  const further = dataObjects.flatMap((name) => places.get(name) ?? []);
  const sources = [...new Set(further.map(({ dataSource }) => dataSource))];
  return [
    ...own,
    ...sources.map((source) => ({
      source,
      objects: further.filter(({ dataSource }) => dataSource === source).map(({ name }) => name),
    })),
  ];
}

/** An entry with its data source and the name of its data object there. */
function placed(entry: JsonObject, places: Places): JsonObject {
  const { dataObject } = entry;
  if (typeof dataObject !== 'string') return entry;
  const place = places.get(dataObject);
  if (!place) return entry;
  // The entity type is that of the data object by default: two of one name are two types.
  const entityType = place.name === dataObject ? {} : { entityType: dataObject };
  return Object.fromEntries(
    Object.entries({ ...entityType, ...entry }).flatMap(([field, value]) =>
      field === 'dataObject'
        ? [
            ['dataSource', place.dataSource],
            ['dataObject', place.name],
          ]
        : [[field, value]],
    ),
  ) as JsonObject;
}

function elementJson(element: DraftElement, places: Places, ownDialect: SqlDialect): JsonObject {
  const place = places.get(element.dataObject);
  const {
    dataObject,
    activityName,
    entityType,
    key,
    start,
    change,
    end,
    lifecycle,
    sequence,
    activityColumn,
    activityNames,
    objects,
    ownEntity,
    properties,
    where = leftOutSql(element, place?.name ?? dataObject, place?.dialect ?? ownDialect),
  } = element;
  const [only] = key ?? [];
  const time = (written: DraftTime): JsonValue =>
    timeJson(written, place?.name ?? dataObject, place?.dialect ?? ownDialect);
  return {
    activityName,
    dataObject,
    ...(key && only !== undefined && { key: key.length === 1 ? only : [...key] }),
    ...(entityType !== undefined && { entityType }),
    ...(ownEntity === false && { ownEntity }),
    startTimestamp: time(start),
    ...(change && { changeTimestamp: time(change) }),
    ...(end && { endTimestamp: time(end) }),
    ...(lifecycle && { lifecycle: { ...lifecycle } }),
    ...(sequence !== undefined && { sequence }),
    ...(activityColumn !== undefined && { activityColumn }),
    ...(activityNames && { activityNames: { ...activityNames } }),
    ...(objects.length > 0 && { correlatesWith: objects.map(objectJson) }),
    properties: propertiesJson(properties),
    ...(where !== undefined && { where }),
  };
}

/** A condition that rows without the column's value meet. */
function leftOutSql({ leftOut }: DraftElement, dataObject: string, dialect: SqlDialect): string | undefined {
  if (!leftOut) return undefined;
  const { identifiers, literals } = dialectNamed(dialect);
  const table = identifiers.quote(identifiers.path(dataObject).at(-1) ?? dataObject);
  const column = `${table}.${identifiers.quote(leftOut.column)}`;
  return `${column} IS NULL OR ${column} NOT IN (${leftOut.values.map((value) => literals.quote(value)).join(', ')})`;
}

function propertiesJson(properties: DraftElement['properties']): JsonValue {
  if (properties === 'all') return properties;
  return properties.map((property) => (typeof property === 'string' ? property : { ...property }));
}

/** A column, or SQL that computes the time from a text, or from a date and a time of day. */
function timeJson(time: DraftTime, dataObject: string, dialect: SqlDialect): JsonValue {
  if (time.format === undefined && !time.timeOfDay && !time.stored) return time.column;
  const { quote, path } = dialectNamed(dialect).identifiers;
  const table = quote(path(dataObject).at(-1) ?? dataObject);
  return { expression: timeSql(time, dialect, (column) => `${table}.${quote(column)}`) };
}

function timeSql({ timeOfDay, ...date }: DraftTime, dialect: SqlDialect, place: (column: string) => string): string {
  const { text, parsed, atTimeOfDay } = dialectNamed(dialect).times.written;
  if (date.stored) return date.stored.sql(place(date.column));
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

function relationshipJson({ mappings, crossTable, ...rest }: DraftRelationship, places: Places): JsonObject {
  return {
    ...rest,
    ...(mappings.length > 0 && { mappings: mappings.map((mapping): JsonValue => ({ ...mapping })) }),
    ...(crossTable && {
      crossTable: placed(
        {
          dataObject: crossTable.dataObject,
          sourceMappings: crossTable.sourceMappings.map((mapping): JsonValue => ({ ...mapping })),
          targetMappings: crossTable.targetMappings.map((mapping): JsonValue => ({ ...mapping })),
        },
        places,
      ),
    }),
  };
}

function crossTables(relationships: readonly DraftRelationship[]): readonly string[] {
  return relationships.flatMap(({ crossTable }) => crossTable?.dataObject ?? []);
}

/** A comment above a field or an entry of a list. */
interface FieldComment {
  readonly path: readonly (string | number)[];
  readonly text: string;
}

/** Maximum length of a comment's line, without its indentation: it is whole beside a canvas. */
const maxCommentLine = 72;

/** Lines of a comment, each with a blank before it. */
function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((each) => each !== '')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > maxCommentLine) lines.push(` ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join('\n');
}

/** The text of a new file with comments, which do not change its meaning. */
function commentedText(meaning: JsonObject, comments: readonly FieldComment[]): string {
  const document = new Document(meaning, writtenSchema);
  for (const { path, text } of comments) {
    const parent = document.getIn(path.slice(0, -1), true);
    const node = document.getIn(path, true);
    if (isCollection(node)) node.flow = true;
    const pair = isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
    const place = pair?.key ?? node;
    if (isNode(place)) place.commentBefore = wrapped(text);
  }
  return newText(meaning, document.toString({ lineWidth: 0, singleQuote: true }));
}
