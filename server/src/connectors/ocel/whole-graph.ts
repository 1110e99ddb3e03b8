import type {
  DraftElement,
  DraftEntity,
  DraftModel,
  DraftObject,
  DraftProperty,
  DraftRelationship,
} from '../../draft/draft-model.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import { type EventRelation, type EventType, type OcelShape, type OcelType, ownQualifier } from './read-shape.ts';

/** The complete graph of a log: event types become elements, and object types become entities. */
export function wholeGraph(shape: OcelShape): DraftModel {
  const names = freeNames();
  const objectTypes = new Map(shape.objectTypes.map((type) => [type.name, type]));
  const elements = shape.eventTypes.flatMap((type) => elementsOf(type, objectTypes, names));
  const entities = shape.objectTypes.map((type) => entityOf(type, names));
  return { elements, entities, relationships: relationshipsOf(shape, entities) };
}

type FreeName = (...wanted: readonly [string, ...string[]]) => string;

/** Returns the first free name of several; if all are taken, the last one with a number. */
function freeNames(): FreeName {
  const taken = new Set<string>();
  return (...wanted) => {
    const last = wanted.at(-1) ?? '';
    let name = wanted.find((each) => each !== '' && !taken.has(each));
    for (let number = 2; name === undefined; number += 1) {
      const next = `${last} ${number}`;
      if (!taken.has(next)) name = next;
    }
    taken.add(name);
    return name;
  };
}

/**
 * One element for each event type or, if its events name their own entity in a relation `self`, one for each type of these
 * entities.
 */
function elementsOf(
  type: EventType,
  objectTypes: ReadonlyMap<string, OcelType>,
  free: FreeName,
): readonly DraftElement[] {
  const isOwn = ({ qualifier }: EventRelation): boolean => type.hasOwnObjects && qualifier === ownQualifier;
  const own = type.relations.filter(isOwn);
  const others = type.relations.filter((relation) => !isOwn(relation));
  const rest = type.rows - own.reduce((sum, { events }) => sum + events, 0);
  const isOne = own.length + (rest > 0 ? 1 : 0) <= 1;
  const field = (column: string): string => `${quoteIdentifier(type.dataObject)}.${quoteIdentifier(column)}`;
  const end = endOf(type);
  const make = (name: string, rows: Partial<DraftElement>, conditions: readonly string[]): DraftElement => ({
    activityName: name,
    dataObject: type.dataObject,
    start: { column: 'ocel_time' },
    end: end && { column: end.column },
    sequence: 'ocel_position',
    activityColumn: name === type.name ? undefined : 'ocel_type',
    properties: propertiesOf(withoutEnd(type), 'event_id'),
    objects: others.map(correlation),
    where: isOne || conditions.length === 0 ? undefined : conditions.join(' AND '),
    reasons: {},
    ...rows,
  });
  const made = own.map((relation) => {
    const { objectType, column } = relation;
    const name = isOne ? free(type.name, `${type.name} (${objectType})`) : free(`${type.name} (${objectType})`);
    const object = objectTypes.get(objectType);
    const rows = {
      key: [column],
      entityType: objectType,
      ...(!isOne && { properties: propertiesOfPart(type, relation, object) }),
    };
    return make(name, rows, [`${field(column)} IS NOT NULL`]);
  });
  if (rest === 0 && own.length > 0) return made;
  const name = free(type.name, `${type.name} (event)`);
  const without = own.map(({ column }) => `${field(column)} IS NULL`);
  return [...made, make(name, withoutOwn(type, others), without)];
}

/** The attribute that exports write for ends of activities (docs/exports.md#activities-with-start-and-end). */
function endOf({ attributes }: Pick<OcelType, 'attributes'>): OcelType['attributes'][number] | undefined {
  return attributes.find(({ name, type }) => name === 'end_time' && type.startsWith('TIMESTAMP'));
}

function withoutEnd(type: Pick<OcelType, 'attributes'>): Pick<OcelType, 'attributes'> {
  const end = endOf(type);
  return { attributes: type.attributes.filter((attribute) => attribute !== end) };
}

/** Events without an object cannot be without an entity. */
function withoutOwn(type: EventType, relations: readonly EventRelation[]): Partial<DraftElement> {
  if (relations.length > 0) return { key: ['ocel_id'], ownEntity: false };
  return { key: ['ocel_id'], entityType: type.name };
}

function correlation({ objectType, qualifier, column, isList }: EventRelation): DraftObject {
  // The format has no empty qualifier, and `self` is for entities of their own.
  const isSaid = qualifier !== '' && qualifier !== ownQualifier;
  return { entityType: objectType, key: column, isList, qualifier: isSaid ? qualifier : undefined };
}

/**
 * The properties of the events of a type that have an own object of one type: those that they have values of, and those
 * that their objects have, too. Others belong to other parts of the events.
 */
function propertiesOfPart(
  type: EventType,
  relation: EventRelation,
  object: OcelType | undefined,
): readonly DraftProperty[] {
  const known = new Set([...relation.attributes, ...(object?.attributes ?? []).map(({ name }) => name)]);
  const attributes = withoutEnd(type).attributes.filter(({ name }) => known.has(name));
  return propertiesOf({ attributes }, 'event_id');
}

/** Properties are called like attributes, unless only case tells two of them apart. */
function propertiesOf({ attributes }: Pick<OcelType, 'attributes'>, reserved: string): readonly DraftProperty[] {
  const taken = new Set([reserved]);
  return attributes.map(({ name, column }) => {
    let property = name === '' ? column : name;
    for (let number = 2; taken.has(property.toLowerCase()); number += 1) property = `${name}_${number}`;
    taken.add(property.toLowerCase());
    return property === column ? column : { column, name: property };
  });
}

function entityOf(type: OcelType, free: FreeName): DraftEntity {
  return {
    name: free(type.name, `${type.name} (object)`),
    entityType: type.name,
    dataObject: type.dataObject,
    key: ['ocel_id'],
    properties: propertiesOf(type, 'entity_id'),
    validFrom: type.attributes.length > 0 ? 'ocel_time' : undefined,
    reason: 'objects of the log',
  };
}

function relationshipsOf(
  { objectRelations }: OcelShape,
  entities: readonly DraftEntity[],
): readonly DraftRelationship[] {
  const free = freeNames();
  const names = new Map(entities.map(({ entityType, name }) => [entityType, name]));
  const nameOf = (type: string): string => names.get(type) ?? type;
  return objectRelations.map(({ source, target, qualifier }) => ({
    name: free(qualifier, `${qualifier} (${source} → ${target})`.trim()),
    source: nameOf(source),
    target: nameOf(target),
    mappings: [{ expression: `cross.ocel_qualifier = ${embeddedLiteral(qualifier)}` }],
    crossTable: {
      dataObject: 'object_object',
      sourceMappings: [{ source: 'ocel_id', cross: 'ocel_source_id' }],
      targetMappings: [{ cross: 'ocel_target_id', target: 'ocel_id' }],
    },
    correlate: 'none' as const,
  }));
}
