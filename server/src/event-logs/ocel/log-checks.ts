import type { LogCheck } from '../log-check.ts';

/** The checks of every object-centric event log, on `logTables`. */
export function logChecks(times: 'zoned' | 'plain'): readonly LogCheck[] {
  const zone = times === 'zoned' ? '(Z|[+-][0-9]{2}:?[0-9]{2})' : '(Z|[+-][0-9]{2}:?[0-9]{2})?';
  const isTime = (value: string): string =>
    `(regexp_full_match(${value}, '[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?${zone}') AND TRY_CAST(${value} AS TIMESTAMPTZ) IS NOT NULL)`;
  return [...structureChecks, ...timeChecks(isTime, times), ...referenceChecks, ...attributeChecks(isTime)];
}

/** Checks that must pass before a log is read as tables: violating items would be lost or misread. */
export function checksBeforeReading(): readonly LogCheck[] {
  return logChecks('plain').filter(({ name }) => (neededToRead as readonly string[]).includes(name));
}

const neededToRead = [
  'Every event and every object has an id of its own',
  'Every event has a time',
  'Every value of an object has a time',
  'Events and objects refer to objects that exist',
  'Relations begin at events and objects that exist',
  'Values are of the type that their attribute declares',
];

const kinds = ['event', 'object'] as const;
/** One query for events and one for objects. */
const both = (sql: (kind: (typeof kinds)[number]) => string): string => kinds.map(sql).join(' UNION ALL ');

const structureChecks: readonly LogCheck[] = [
  {
    name: 'Each type is declared once and has a name',
    sql: `SELECT kind || ' type ' || coalesce(name, 'without name') AS example FROM declared_type
      GROUP BY kind, name HAVING count(*) > 1 OR name IS NULL`,
  },
  {
    name: 'Each attribute is declared once for its type, as string, time, integer, float or boolean',
    sql: `SELECT kind || ' type ' || type || ': ' || coalesce(name, 'without name') || ' ' || coalesce(any_value(value_type), 'without type') AS example
      FROM declared_attribute GROUP BY kind, type, name
      HAVING count(*) > 1 OR name IS NULL OR NOT coalesce(bool_and(value_type IN ('string', 'time', 'integer', 'float', 'boolean')), false)`,
  },
  {
    name: 'Every event and every object has an id of its own',
    sql: both(
      (kind) =>
        `SELECT '${kind} ' || coalesce(id, 'without id') AS example FROM ${kind} GROUP BY id HAVING count(*) > 1 OR id IS NULL`,
    ),
  },
  {
    name: 'The types of events and objects are declared',
    sql: both(
      (
        kind,
      ) => `SELECT '${kind} type ' || coalesce(type, 'without name') AS example FROM (SELECT DISTINCT type FROM ${kind})
        WHERE type IS NULL OR type NOT IN (SELECT name FROM declared_type WHERE kind = '${kind}' AND name IS NOT NULL)`,
    ),
  },
];

function timeChecks(isTime: (value: string) => string, times: 'zoned' | 'plain'): readonly LogCheck[] {
  const zone = times === 'zoned' ? ' with a zone' : '';
  return [
    {
      name: `Every event has a time${zone}`,
      sql: `SELECT id || ': ' || coalesce(time, 'none') AS example FROM event WHERE time IS NULL OR NOT ${isTime('time')}`,
    },
    {
      name: `Every value of an object has a time${zone}`,
      sql: `SELECT owner || ', ' || name || ': ' || coalesce(time, 'none') AS example FROM object_value WHERE time IS NULL OR NOT ${isTime('time')}`,
    },
  ];
}

const referenceChecks: readonly LogCheck[] = [
  {
    name: 'Events and objects refer to objects that exist',
    sql: both(
      (kind) => `SELECT '${kind} ' || coalesce(source, 'without id') || ' to ' || coalesce(target, 'nothing') AS example
        FROM ${kind}_object ANTI JOIN object ON object.id = target`,
    ),
  },
  {
    name: 'Relations begin at events and objects that exist',
    sql: both(
      (kind) =>
        `SELECT '${kind} ' || coalesce(source, 'without id') AS example FROM ${kind}_object ANTI JOIN ${kind} AS own ON own.id = source`,
    ),
  },
  {
    // OCEL 2.0 relates events to any number of objects. Such an event is in no object's history.
    name: 'Every event has at least one object',
    sql: 'SELECT id AS example FROM event ANTI JOIN event_object ON source = event.id',
    isNote: true,
  },
  {
    name: 'Every relation has a qualifier, and none is duplicated',
    sql: both(
      (
        kind,
      ) => `SELECT '${kind} ' || source || ' to ' || target || ', ' || coalesce(qualifier, 'without qualifier') AS example
        FROM ${kind}_object GROUP BY source, target, qualifier HAVING count(*) > 1 OR qualifier IS NULL`,
    ),
  },
];

/** Types of attributes, as the standard names them. */
export const valueTypes: readonly string[] = ['string', 'time', 'integer', 'float', 'boolean'];
/** Types that other tools declare, and their meaning: pm4py calls a time `date`. */
export const otherValueTypes: Readonly<Record<string, string>> = { date: 'time' };

const isDay = (value: string): string =>
  `(regexp_full_match(${value}, '[0-9]{4}-[0-9]{2}-[0-9]{2}') AND TRY_CAST(${value} AS DATE) IS NOT NULL)`;

function attributeChecks(isTime: (value: string) => string): readonly LogCheck[] {
  return [
    {
      name: 'Attributes are declared for the type of their event or object',
      sql: both(
        (kind) => `SELECT '${kind} type ' || type || ': ' || coalesce(name, 'without name') AS example FROM
          (SELECT DISTINCT own.type AS type, held.name AS name FROM ${kind}_value AS held JOIN ${kind} AS own ON own.id = held.owner) AS used
          ANTI JOIN declared_attribute AS declared ON declared.kind = '${kind}' AND declared.type = used.type AND declared.name = used.name`,
      ),
    },
    {
      name: 'Values are of the type that their attribute declares',
      sql: both(
        (
          kind,
        ) => `SELECT '${kind} ' || held.owner || ', ' || held.name || ': ' || held.value || ' is no ' || value_type AS example
          FROM ${kind}_value AS held JOIN ${kind} AS own ON own.id = held.owner
            JOIN declared_attribute AS declared ON declared.kind = '${kind}' AND declared.type = own.type AND declared.name = held.name
          WHERE CASE value_type
            WHEN 'integer' THEN NOT regexp_full_match(held.value, '[+-]?[0-9]+')
            WHEN 'float' THEN TRY_CAST(held.value AS DOUBLE) IS NULL
            WHEN 'boolean' THEN lower(held.value) NOT IN ('true', 'false', '0', '1')
            WHEN 'time' THEN NOT ${isTime('held.value')}
            WHEN 'date' THEN NOT (${isTime('held.value')} OR ${isDay('held.value')})
            ELSE false END`,
      ),
    },
    {
      name: 'An event has one value an attribute, an object one at a time',
      sql: `SELECT 'event ' || owner || ', ' || name AS example FROM event_value GROUP BY owner, name HAVING count(*) > 1
        UNION ALL SELECT 'object ' || owner || ', ' || name || ' at ' || time FROM object_value GROUP BY owner, name, time HAVING count(*) > 1`,
    },
  ];
}
