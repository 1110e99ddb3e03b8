import type { DuckDbSession, StatementOptions } from '../../store/duckdb-store.ts';
import type { DatabaseValue } from '../../store/staging-database.ts';
import { otherValueTypes } from '../../event-logs/ocel/log-checks.ts';
import { sanitizeNames } from '../log-file/sanitize-names.ts';
import { valueFacts, valueFactsSql, valueTypeOf } from '../log-file/value-type.ts';

/** The data objects of an OCEL log with their columns. */
export interface OcelShape {
  readonly eventTypes: readonly EventType[];
  readonly objectTypes: readonly OcelType[];
  /** Kinds of relations between objects. */
  readonly objectRelations: readonly ObjectRelation[];
}

export interface OcelType {
  readonly name: string;
  /** The data object with its rows. */
  readonly dataObject: string;
  readonly rows: number;
  readonly attributes: readonly OcelAttribute[];
}

interface OcelAttribute {
  readonly name: string;
  readonly column: string;
  /** DuckDB type. */
  readonly type: string;
}

export interface EventType extends OcelType {
  readonly relations: readonly EventRelation[];
  /** Each event has at most one own object, marked by a relation with the qualifier `self`. */
  readonly hasOwnObjects: boolean;
}

/** How events of a type are related to objects of a type: one column. */
export interface EventRelation {
  readonly objectType: string;
  readonly qualifier: string;
  readonly column: string;
  /** Whether an event can have several such objects, so that the column is a list. */
  readonly isList: boolean;
  /** Number of events that have such an object. */
  readonly events: number;
  /** For the qualifier `self`: names of the attributes that these events have values of. */
  readonly attributes: readonly string[];
}

interface ObjectRelation {
  readonly source: string;
  readonly target: string;
  readonly qualifier: string;
}

/** Columns of all events and objects, before their attributes. */
const eventColumns = ['ocel_id', 'ocel_type', 'ocel_time', 'ocel_position'] as const;
const objectColumns = ['ocel_id', 'ocel_type', 'ocel_time', 'ocel_changed_field'] as const;
/** The qualifier of the relation of an event with the object that it is an event of. */
export const ownQualifier = 'self';

/** Finds types, attributes and relations in `logTables`. @param isExact values have the texts of the graph they come from */
export async function readShape(
  database: DuckDbSession,
  isExact: boolean,
  options: StatementOptions,
): Promise<OcelShape> {
  const attributes = await readAttributes(database, isExact, options);
  const eventTypes = await readTypes(database, 'event', attributes, options);
  const objectTypes = await readTypes(database, 'object', attributes, options);
  const relations = await database.query(eventRelationsSql, options);
  const own = await database.query(ownObjectsSql, options);
  const several = new Set(own.map((row) => String(row['type'])));
  const relationsOf = groupRows(relations, ['event_type']);
  const valued = groupRows(await database.query(ownAttributesSql, options), relationKey);
  const pairs = await database.query(objectRelationsSql, options);
  return {
    objectTypes,
    eventTypes: eventTypes.map((type) => {
      const found = relationsOf(type.name);
      const texts = found.map((row) => `${String(row['object_type'])} (${String(row['qualifier'])})`);
      const columns = sanitizeNames(texts, [...eventColumns, ...type.attributes.map(({ column }) => column)]);
      return {
        ...type,
        hasOwnObjects: !several.has(type.name),
        relations: found.map((row, index) => ({
          objectType: String(row['object_type']),
          qualifier: String(row['qualifier']),
          column: columns[index] ?? '',
          isList: Number(row['most']) > 1,
          events: Number(row['events']),
          attributes: valued(...relationKey.map((part) => row[part])).map((each) => String(each['name'])),
        })),
      };
    }),
    objectRelations: pairs.map((row) => ({
      source: String(row['source']),
      target: String(row['target']),
      qualifier: String(row['qualifier']),
    })),
  };
}

const relationKey = ['event_type', 'object_type', 'qualifier'];

type Row = Readonly<Record<string, DatabaseValue>>;

/** Finds the rows with given values of some columns. */
function groupRows(
  rows: readonly Row[],
  columns: readonly string[],
): (...values: readonly (DatabaseValue | undefined)[]) => readonly Row[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify(columns.map((column) => row[column]));
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return (...values) => groups.get(JSON.stringify(values)) ?? [];
}

type Kind = 'event' | 'object';

async function readTypes(
  database: DuckDbSession,
  kind: Kind,
  attributes: readonly FoundAttribute[],
  options: StatementOptions,
): Promise<readonly OcelType[]> {
  const rows = await database.query(
    `SELECT name, max(place) AS place, sum(held) AS held FROM (
       SELECT name, -rowid AS place, 0 AS held FROM declared_type WHERE kind = '${kind}' AND name IS NOT NULL
       UNION ALL SELECT type, NULL, count(*) FROM ${kind} WHERE type IS NOT NULL GROUP BY type
     ) GROUP BY name ORDER BY max(place) DESC NULLS LAST, name`,
    options,
  );
  const names = rows.map((row) => String(row['name']));
  const dataObjects = sanitizeNames(
    names.map((name) => `${kind}_${name}`),
    [`${kind}_object`],
  );
  const attributesOf = new Map<string, FoundAttribute[]>();
  for (const attribute of attributes) {
    const own = attributesOf.get(attribute.owner);
    if (attribute.kind !== kind) continue;
    if (own) own.push(attribute);
    else attributesOf.set(attribute.owner, [attribute]);
  }
  return rows.map((row, index) => {
    const name = names[index] ?? '';
    const own = attributesOf.get(name) ?? [];
    const columns = sanitizeNames(
      own.map((attribute) => attribute.name),
      kind === 'event' ? eventColumns : objectColumns,
    );
    return {
      name,
      dataObject: dataObjects[index] ?? '',
      rows: Number(row['held']),
      attributes: own.map((attribute, place) => ({
        name: attribute.name,
        type: attribute.type,
        column: columns[place] ?? '',
      })),
    };
  });
}

interface FoundAttribute {
  readonly kind: Kind;
  readonly owner: string;
  readonly name: string;
  readonly type: string;
}

async function readAttributes(
  database: DuckDbSession,
  isExact: boolean,
  options: StatementOptions,
): Promise<readonly FoundAttribute[]> {
  const rows = await database.query(attributesSql, options);
  return rows.map((row) => {
    const declared = String(row['declared'] ?? 'string');
    const facts = valueFacts(row, otherValueTypes[declared] ?? declared);
    return {
      kind: row['kind'] as Kind,
      owner: String(row['type']),
      name: String(row['name']),
      type: valueTypeOf(isExact ? facts : { ...facts, isDouble: true }),
    };
  });
}

const attributesSql = `WITH used AS (
    SELECT 'event' AS kind, own.type, held.name, held.value FROM event_value AS held JOIN event AS own ON own.id = held.owner
    UNION ALL SELECT 'object', own.type, held.name, held.value FROM object_value AS held JOIN object AS own ON own.id = held.owner
  ), found AS (
    SELECT kind, type, name,
      ${valueFactsSql}
    FROM used WHERE type IS NOT NULL AND name IS NOT NULL AND value IS NOT NULL GROUP BY ALL
  ), declared AS (
    SELECT kind, type, name, min(rowid) AS place, any_value(value_type) AS declared
    FROM declared_attribute WHERE name IS NOT NULL GROUP BY ALL
  )
  SELECT kind, type, name, declared, is_bigint, is_hugeint, is_double, scale, digits
  FROM declared FULL JOIN found USING (kind, type, name) ORDER BY kind, type, place NULLS LAST, name`;

const eventRelationsSql = `SELECT event_type, object_type, qualifier, max(targets) AS most, count(*) AS events FROM (
    SELECT own.type AS event_type, held.type AS object_type, coalesce(qualifier, '') AS qualifier, count(DISTINCT target) AS targets
    FROM event_object JOIN event AS own ON own.id = source JOIN object AS held ON held.id = target
    GROUP BY own.id, own.type, held.type, coalesce(qualifier, '')
  ) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`;

/** Event types with events that have several own objects. */
const ownObjectsSql = `SELECT DISTINCT own.type FROM (
    SELECT source FROM event_object WHERE qualifier = '${ownQualifier}' GROUP BY source HAVING count(DISTINCT target) > 1
  ) JOIN event AS own ON own.id = source`;

const ownAttributesSql = `SELECT DISTINCT own.type AS event_type, held.type AS object_type, related.qualifier, value.name
  FROM event_value AS value JOIN event AS own ON own.id = value.owner
    JOIN event_object AS related ON related.source = own.id AND related.qualifier = '${ownQualifier}'
    JOIN object AS held ON held.id = related.target
  WHERE value.name IS NOT NULL AND value.value IS NOT NULL`;

const objectRelationsSql = `SELECT DISTINCT one.type AS source, other.type AS target, coalesce(qualifier, '') AS qualifier
  FROM object_object JOIN object AS one ON one.id = source JOIN object AS other ON other.id = target ORDER BY 3, 1, 2`;
