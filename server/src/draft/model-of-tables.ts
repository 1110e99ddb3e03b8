import { namesSecret } from '../catalog/secret-column.ts';
import { type UniqueNames, activityName, subjectOfLog, titled, uniqueNames } from './activity-name.ts';
import type { ColumnProfile } from './column-profile.ts';
import type { DraftElement, DraftEntity, DraftModel, DraftObject, DraftProperty, WrittenTime } from './draft-model.ts';
import { reasonText, strongest } from './draft-reason.ts';
import type { LogRoles } from './log-roles.ts';
import { entityName, nameWords, scopeOf } from './name-words.ts';
import type { TableReading } from './read-table.ts';
import type { RecordTimes } from './record-times.ts';
import type { Reference } from './reference.ts';
import { nearEqualTexts, placeholderKeys } from './odd-values.ts';
import { relationshipsOf } from './relationships.ts';
import { timeOfDayOf } from './time-of-day.ts';
import type { Scored } from './scored.ts';

/** The elements of tables with events, the entities of those without, and their relationships. */
export function modelOfTables(
  readings: readonly TableReading[],
  references: readonly Reference[],
  objects: ReadonlySet<string>,
  special: ReadonlyMap<string, DraftElement>,
): DraftModel {
  const names = uniqueNames();
  const toKeys = references.filter((reference) => leadsToKey(reference, readings));
  const elements = readings.flatMap((reading): readonly DraftElement[] => {
    const { name } = reading.input.object;
    const own = special.get(name);
    if (own) return [{ ...own, activityName: names.take(own.activityName) }];
    if (reading.log) return [logElement(reading, reading.log, toKeys, names)];
    return reading.times && reading.key ? recordElements(reading, reading.times, { references, toKeys }, names) : [];
  });
  const entities = readings.flatMap((reading): readonly DraftEntity[] => {
    const { name } = reading.input.object;
    if (reading.log && !special.has(name)) return caseEntity(reading, reading.log, toKeys, names);
    return objects.has(name) && reading.key ? [entityOf(reading, names)] : [];
  });
  return { elements, entities, relationships: relationshipsOf(readings, references, { elements, entities }) };
}

/** A foreign key may lead to other unique columns: its values are not keys of the entities of that table then. */
function leadsToKey({ to, toColumns }: Reference, readings: readonly TableReading[]): boolean {
  const key = readings.find(({ input }) => input.object.name === to)?.key;
  return key?.columns.length === toColumns.length && key.columns.every((column, at) => column === toColumns[at]);
}

function logElement(
  reading: TableReading,
  roles: LogRoles,
  toKeys: readonly Reference[],
  names: UniqueNames,
): DraftElement {
  const { name } = reading.input.object;
  const entityType = typeOfCase(roles, name, toKeys);
  const { end, lifecycle, sequence } = roles;
  const { sample } = reading.input;
  const activityNames = nearEqualTexts(sample, roles.activity.value);
  const values = placeholderKeys(sample, roles.case.value);
  return {
    activityName: names.take(`Update ${titled(entityType.split(' '))}`, `Update ${name}`),
    dataObject: name,
    entityType,
    key: [roles.case.value.name],
    ...timesOf(roles.time.value, undefined, reading),
    end: end && written(end.value),
    lifecycle,
    sequence: sequence?.value.name,
    activityColumn: roles.activity.value.name,
    activityNames,
    leftOut: values.length === 0 ? undefined : { column: roles.case.value.name, values },
    properties: propertiesOf(reading, roles.caseAttributes),
    objects: roles.objects.map((object) => objectOf(object, name, toKeys)),
    reasons: {
      key: why(roles.case),
      startTimestamp: why(roles.time),
      activityColumn: why(roles.activity),
      ...(activityNames && { activityNames: 'joins names that differ in case, blanks or signs only' }),
      ...(values.length > 0 && { where: 'leaves out keys that stand for a missing value' }),
      ...(end && { endTimestamp: why(end) }),
      ...(lifecycle && { lifecycle: 'pairs starts and ends' }),
      ...(sequence && { sequence: why(sequence) }),
    },
  };
}

/** The attributes of the cases of a log. They are called as in the log, without their scope. */
function caseEntity(
  reading: TableReading,
  { case: ofCase, caseAttributes, ...roles }: LogRoles,
  toKeys: readonly Reference[],
  names: UniqueNames,
): readonly DraftEntity[] {
  const shown = caseAttributes.filter(({ column }) => column.sense !== 'binary');
  if (shown.length === 0) return [];
  const { name: dataObject } = reading.input.object;
  const entityType = typeOfCase({ case: ofCase, caseAttributes, ...roles }, dataObject, toKeys);
  const properties = shown.map(({ name: column }): DraftProperty => {
    const name = column.slice((scopeOf(column) ?? '').length + 1);
    return name === '' || name.toLowerCase() === 'entity_id' ? column : { column, name };
  });
  return [
    {
      name: names.take(entityType),
      entityType,
      dataObject,
      key: [ofCase.value.name],
      properties,
      reason: 'describes the cases of the log',
    },
  ];
}

function recordElements(
  reading: TableReading,
  times: RecordTimes,
  { references, toKeys }: Readonly<Record<'references' | 'toKeys', readonly Reference[]>>,
  names: UniqueNames,
): readonly DraftElement[] {
  // A reference to a table of the graph becomes a relationship.
  const referring = new Set(
    references.filter(({ from }) => from === reading.input.object.name).flatMap(({ columns }) => columns),
  );
  const objects = (reading.objects ?? []).filter(({ value }) => !referring.has(value.name));
  const { object } = reading.input;
  const { key } = reading;
  return [times.start, ...times.milestones].map((time) => {
    const change = time === times.start ? times.change : undefined;
    const wish = activityName(object.name, time.value.name);
    return {
      activityName: names.take(wish, `${wish} (${time === times.start ? object.name : time.value.name})`),
      dataObject: object.name,
      key: key && !key.isDeclared ? key.columns : undefined,
      ...timesOf(time.value, change?.value, reading),
      properties: propertiesOf(reading),
      objects: objects.map((each) => objectOf(each, object.name, toKeys)),
      reasons: {
        ...(key && !key.isDeclared && { key: reasonText(key.reasons) }),
        startTimestamp: why(time),
        ...(change && { changeTimestamp: why(change) }),
      },
    };
  });
}

function timesOf(
  start: ColumnProfile,
  change: ColumnProfile | undefined,
  { profiles }: TableReading,
): Pick<DraftElement, 'start' | 'change'> {
  const timeOfDay = timeOfDayOf(start, profiles);
  return {
    start: { ...written(start), timeOfDay: timeOfDay && written(timeOfDay) },
    change: change && written(change),
  };
}

function written({ name, timeText, column, stored }: ColumnProfile): WrittenTime {
  if (stored) return { column: name, stored };
  const format = column.sense === 'text' || column.sense === 'integer' ? timeText?.format : undefined;
  return { column: name, format };
}

function entityOf(reading: TableReading, names: UniqueNames): DraftEntity {
  const { object } = reading.input;
  const { key } = reading;
  return {
    name: names.take(object.name),
    dataObject: object.name,
    key: key && !key.isDeclared ? key.columns : undefined,
    properties: propertiesOf(reading),
    reason: 'has no events of its own',
  };
}

function typeOfCase({ case: { value } }: LogRoles, table: string, toKeys: readonly Reference[]): string {
  const isCase = nameWords(value.name)[0] === 'case';
  return targetOf(value.name, table, toKeys) ?? (isCase ? 'case' : entityTypeOf(value.name, table, toKeys));
}

/** The table whose key a column refers to. */
function targetOf(column: string, table: string, toKeys: readonly Reference[]): string | undefined {
  return toKeys.find(({ from, columns }) => from === table && columns.length === 1 && columns[0] === column)?.to;
}

/** The entity type of a column of a log: the table whose key it refers to, else a name from that of the column. */
function entityTypeOf(column: string, table: string, toKeys: readonly Reference[]): string {
  const target = targetOf(column, table, toKeys);
  if (target !== undefined) return target;
  const words = nameWords(column);
  const isGeneric = words.every((word) => /^(?:id|no|nr|number|key)$/.test(word));
  return isGeneric ? subjectOfLog(table) || table : entityName(column);
}

function objectOf(object: Scored<ColumnProfile>, table: string, toKeys: readonly Reference[]): DraftObject {
  const { name, separator, isList } = object.value;
  return {
    entityType: entityTypeOf(name, table, toKeys),
    key: name,
    separator,
    isList: isList && separator === undefined,
    reason: why(object),
  };
}

/** All columns, unless some should not be copied by default: secrets and binary data, and those in `without`. */
function propertiesOf({ input }: TableReading, without: readonly ColumnProfile[] = []): 'all' | readonly string[] {
  const { columns } = input.object;
  const elsewhere = new Set(without.map(({ name }) => name));
  const shown = columns.filter(({ name, sense }) => !namesSecret(name) && sense !== 'binary' && !elsewhere.has(name));
  return shown.length === columns.length ? 'all' : shown.map(({ name }) => name);
}

/** The strongest reasons of a choice, in English. */
function why({ reasons }: Pick<Scored<unknown>, 'reasons'>): string {
  return reasonText(strongest(reasons));
}
