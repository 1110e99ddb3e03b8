import { lifecycles } from '../../../../protocol/lifecycles.ts';
import { isScalar } from 'yaml';
import { durationText } from '../../../../protocol/duration-text.ts';
import { type Calendar, workingDay } from '../calendar.ts';
import { parseCountRange } from '../count-range.ts';
import { type TimeLimit, parseBusinessTime, parseDurationWithUnit } from '../duration.ts';
import {
  type FieldTable,
  type FieldValues,
  type ProcessRule,
  type RuleExpectation,
  type RuleLifecycle,
  type RuleSubject,
  type Written,
  expectationFields,
  expectationKindNames,
  expectationKinds,
  subjectFields,
} from '../process-rule.ts';
import type { Located } from '../source-range.ts';
import { resolveNode } from '../yaml-text.ts';
import { usedCalendar } from './calendar.ts';
import {
  type YamlObject,
  flagOf,
  objectsOf,
  oneOf,
  placedAt,
  present,
  readObject,
  readSeverity,
  sqlOf,
  textOf,
  valueOf,
} from './read-node.ts';

/** One entry of `rules`. */
export function readProcessRule(object: YamlObject, index: number, calendars: readonly Calendar[]): ProcessRule {
  const expectations = objectsOf(object, 'expect');
  const calendar = textOf(object, 'calendar');
  const isBusiness = expectations.some((expectation) =>
    expectationFields.duration.some((field) => readValue(expectation, field, parseBusinessTime)),
  );
  const workingTime = usedCalendar(calendar?.value, isBusiness, calendars);
  return placedAt(object.node, {
    index,
    severity: readSeverity(object),
    expect: expectations.map((expectation) => readExpectation(expectation, workingTime)),
    ...present({
      calendar,
      workingTime,
      name: textOf(object, 'name'),
      description: textOf(object, 'description'),
      each: readSubject(readObject(valueOf(object, 'each'), object.yaml)),
      atLeast: readValue(object, 'atLeast', parseShare),
    }),
  });
}

export function readSubject(object: YamlObject | undefined): RuleSubject | undefined {
  if (!object) return undefined;
  return placedAt(object.node, { lifecycle: readLifecycle(object), ...readFields(object, subjectFields) });
}

function readExpectation(object: YamlObject, workingTime: Calendar | undefined): RuleExpectation {
  const written = readFields(object, expectationFields, workingTime);
  const direction = textOf(object, 'direction')?.value;
  // The kind says which of the written fields there are.
  return placedAt(object.node, {
    kind: kindOf(written),
    directly: flagOf(object, 'directly')?.value ?? false,
    lifecycle: readLifecycle(object),
    take: oneOf<RuleExpectation['take']>(object, 'take', ['first', 'last', 'each'], 'each'),
    ...(direction === 'source' || direction === 'target' ? { direction } : {}),
    ...written,
  }) as RuleExpectation;
}

function kindOf(written: Written<typeof expectationFields>): RuleExpectation['kind'] {
  const [kind, other] = expectationKindNames.filter((name) => written[name]);
  const isClear = kind && !other && expectationKinds[kind].needs.every((field) => written[field]);
  return isClear ? kind : 'unclear';
}

const readers: {
  readonly [Type in keyof FieldValues]: (
    object: YamlObject,
    key: string,
    workingTime: Calendar | undefined,
  ) => FieldValues[Type] | undefined;
} = {
  activity: textOf,
  entityType: textOf,
  relationship: textOf,
  sql: sqlOf,
  count: (object, key) => readValue(object, key, parseCountRange),
  duration: (object, key, workingTime) => readValue(object, key, (value) => parseTimeLimit(value, workingTime)),
};

/** `5d`, `2bd` or `8bh`. */
function parseTimeLimit(value: unknown, workingTime: Calendar | undefined): TimeLimit | undefined {
  const business = parseBusinessTime(value);
  if (business) {
    const { number, unit } = business;
    const isDays = unit === 'business days';
    const day = workingTime ? workingDay(workingTime) : NaN;
    return {
      milliseconds: number * (isDays ? day : 3_600_000),
      text: `${number} ${isDays ? 'bd' : 'bh'}`,
      isBusiness: true,
    };
  }
  const milliseconds = parseDurationWithUnit(value);
  return milliseconds === undefined ? undefined : { milliseconds, text: durationText(milliseconds), isBusiness: false };
}

/** Reads the fields of a table of fields. */
export function readFields<Fields extends FieldTable>(
  object: YamlObject,
  fields: Fields,
  workingTime?: Calendar,
): Written<Fields> {
  const types = Object.keys(readers) as (keyof FieldValues)[];
  const values = types.flatMap(
    (type) => fields[type]?.map((field) => [field, readers[type](object, field, workingTime)]) ?? [],
  );
  return present(Object.fromEntries(values)) as Written<Fields>;
}

export function readLifecycle(object: YamlObject): RuleLifecycle {
  return oneOf<RuleLifecycle>(object, 'lifecycle', [...lifecycles, 'any'], 'start');
}

export function readValue<T>(
  object: YamlObject,
  key: string,
  parse: (value: unknown) => T | undefined,
): Located<T> | undefined {
  const node = valueOf(object, key);
  const resolved = resolveNode(node, object.yaml);
  const value = isScalar(resolved) ? parse(resolved.value) : undefined;
  return node && value !== undefined ? placedAt(node, { value }) : undefined;
}

/** `95%` or `99.5 %`. */
export function parseShare(value: unknown): number | undefined {
  const [, percent] = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/u.exec(typeof value === 'string' ? value : '') ?? [];
  return percent === undefined || Number(percent) > 100 ? undefined : Number(percent) / 100;
}
