import type { JsonObject, JsonValue } from '../model/edits/json-value.ts';
import { commentedText, type FieldComment } from '../model/edits/commented-text.ts';
import type { SqlDialect } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { DraftElement, DraftModel, DraftRelationship, DraftTime, WrittenTime } from './draft-model.ts';

/** What the graph is called, and where its data is. */
export interface DraftHeader {
  readonly name: string;
  readonly dataSource: string;
  readonly dialect: SqlDialect;
}

/** The text of a graph that says what a draft says, with the reasons as comments. */
export function draftText({ name, dataSource, dialect }: DraftHeader, model: DraftModel): string {
  const { elements, relationships } = model;
  const dataObjects = [...new Set([...elements.map((each) => each.dataObject), ...crossTables(relationships)])];
  const graph: JsonObject = {
    version: 1,
    name,
    dataSource,
    dataObjects,
    elements: elements.map((element) => elementJson(element, dialect)),
    ...(relationships.length > 0 && { relationships: relationships.map(relationshipJson) }),
  };
  const comments = elements.flatMap(({ reasons }, index) =>
    Object.entries(reasons).map(([field, text]): FieldComment => ({ path: ['elements', index, field], text })),
  );
  return commentedText(graph, comments);
}

function elementJson(element: DraftElement, dialect: SqlDialect): JsonObject {
  const { activityName, dataObject, entityType, key, sequence, activityColumn, properties, where } = element;
  const [only] = key ?? [];
  const { startTimestamp, changeTimestamp, joins } = timesOf(element, dialect);
  return {
    activityName,
    dataObject,
    ...(key && only !== undefined && { key: key.length === 1 ? only : [...key] }),
    ...(entityType !== undefined && { entityType }),
    startTimestamp,
    ...(changeTimestamp !== undefined && { changeTimestamp }),
    ...(sequence !== undefined && { sequence }),
    ...(activityColumn !== undefined && { activityColumn }),
    properties: properties === 'all' ? properties : [...properties],
    ...(joins !== undefined && { joins }),
    ...(where !== undefined && { where }),
  };
}

/** Alias of the join that computes times, and its columns. */
const moment = 'moment';
const [startName, changeName] = ['started_at', 'changed_at'];

interface Times {
  readonly startTimestamp: string;
  readonly changeTimestamp?: string;
  readonly joins?: string;
}

/** Times that are columns, or are computed from texts or from a date and a time of day. */
function timesOf(element: DraftElement, dialect: SqlDialect): Times {
  const { start, change, dataObject } = element;
  const { quote } = dialectNamed(dialect).identifiers;
  const table = quote(dataObject.slice(dataObject.lastIndexOf('.') + 1));
  const computed: string[] = [];
  const name = (time: DraftTime, alias: string): string => {
    if (time.format === undefined && !time.timeOfDay) return time.column;
    computed.push(`${timeSql(time, dialect, (column) => `${table}.${quote(column)}`)} AS ${alias}`);
    return `${moment}.${alias}`;
  };
  const startTimestamp = name(start, startName);
  const changeTimestamp = change && name(change, changeName);
  return {
    startTimestamp,
    ...(changeTimestamp !== undefined && { changeTimestamp }),
    ...(computed.length > 0 && { joins: `CROSS JOIN LATERAL (SELECT ${computed.join(', ')}) AS ${moment}` }),
  };
}

function timeSql({ timeOfDay, ...date }: DraftTime, dialect: SqlDialect, place: (column: string) => string): string {
  const { times, literals } = dialectNamed(dialect);
  const sql = ({ column, format }: WrittenTime, text: string): string =>
    format === undefined || !times.formatted ? place(column) : times.formatted(text, format);
  const day = sql(date, `${place(date.column)}::VARCHAR`);
  if (!timeOfDay) return day;
  const text = `lpad(${place(timeOfDay.column)}::VARCHAR, 6, ${literals.quote('0')})`;
  const time = timeOfDay.format === undefined ? place(timeOfDay.column) : `${sql(timeOfDay, text)}::TIME`;
  return `${date.format === undefined ? day : `${day}::DATE`} + coalesce(${time}, TIME '00:00:00')`;
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
