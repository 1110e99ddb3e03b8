import type { Calendar } from '../calendar.ts';
import { parseBusinessTime, parseDurationWithUnit } from '../duration.ts';
import {
  type Measure,
  type MeasuredCount,
  type MeasuredDuration,
  type MeasuredWhat,
  type TargetLimits,
  type TargetNumber,
  countFields,
  durationFields,
  isBusiness,
  measureKindNames,
  statisticNames,
} from '../measure.ts';
import { usedCalendar } from './calendar.ts';
import { parseShare, readFields, readLifecycle, readSubject, readValue } from './process-rule.ts';
import {
  type YamlObject,
  flagOf,
  oneOf,
  placedAt,
  present,
  readObject,
  readSeverity,
  sqlOf,
  textOf,
  textsOf,
  valueOf,
} from './read-node.ts';

/** One entry of `measures`. */
export function readMeasure(object: YamlObject, index: number, calendars: readonly Calendar[]): Measure {
  const target = readTarget(objectAt(object, 'target'));
  const calendar = textOf(object, 'calendar');
  const isBusinessTime = target.some(({ atLeast, atMost }) =>
    [atLeast, atMost].some((limit) => isBusiness(limit?.value)),
  );
  return placedAt(object.node, {
    index,
    severity: readSeverity(object),
    what: readWhat(object),
    by: textsOf(object, 'by'),
    target,
    ...present({
      calendar,
      workingTime: usedCalendar(calendar?.value, isBusinessTime, calendars),
      name: textOf(object, 'name'),
      description: textOf(object, 'description'),
      each: readSubject(objectAt(object, 'each')),
    }),
  });
}

function readWhat(object: YamlObject): MeasuredWhat {
  const written = present({
    duration: readDuration(objectAt(object, 'duration')),
    count: readCount(objectAt(object, 'count')),
    value: textOf(object, 'value'),
    sql: sqlOf(object, 'sql'),
  });
  const [kind, other] = measureKindNames.filter((name) => written[name]);
  // The kind says which of the written fields there are.
  return { kind: kind && !other ? kind : 'unclear', ...written } as MeasuredWhat;
}

function readDuration(object: YamlObject | undefined): MeasuredDuration | undefined {
  if (!object) return undefined;
  return placedAt(object.node, {
    lifecycle: readLifecycle(object),
    take: oneOf<MeasuredDuration['take']>(object, 'take', ['first', 'last', 'each'], 'first'),
    ...readFields(object, durationFields),
    ...present({
      lifecycleAt: textOf(object, 'lifecycle')?.range,
      sincePrevious: trueOf(object, 'sincePrevious'),
      sinceLast: trueOf(object, 'sinceLast'),
    }),
  });
}

function readCount(object: YamlObject | undefined): MeasuredCount | undefined {
  if (!object) return undefined;
  const direction = textOf(object, 'direction')?.value;
  return placedAt<Omit<MeasuredCount, 'range'>>(object.node, {
    lifecycle: readLifecycle(object),
    repeats: flagOf(object, 'repeats')?.value ?? false,
    ...(direction === 'source' || direction === 'target' ? { direction } : {}),
    ...readFields(object, countFields),
  });
}

function trueOf(object: YamlObject, key: string): ReturnType<typeof flagOf> {
  const flag = flagOf(object, key);
  return flag?.value ? flag : undefined;
}

function readTarget(object: YamlObject | undefined): readonly TargetLimits[] {
  if (!object) return [];
  return [...statisticNames, 'share' as const].flatMap((of) => {
    const limits = objectAt(object, of);
    if (!limits) return [];
    return placedAt(limits.node, {
      of,
      ...present({
        atLeast: readValue(limits, 'atLeast', parseTargetNumber),
        atMost: readValue(limits, 'atMost', parseTargetNumber),
      }),
    });
  });
}

/** `5`, `5d`, `2bd`, `8bh` or `90%`. */
function parseTargetNumber(value: unknown): TargetNumber | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? { number: value, unit: 'number' } : undefined;
  const share = parseShare(value);
  if (share !== undefined) return { number: share, unit: 'share' };
  const business = parseBusinessTime(value);
  if (business?.unit === 'business hours') return { ...business, number: business.number * 3_600_000 };
  if (business) return business;
  const time = parseDurationWithUnit(value);
  return time === undefined ? undefined : { number: time, unit: 'time' };
}

function objectAt(object: YamlObject, key: string): YamlObject | undefined {
  return readObject(valueOf(object, key), object.yaml);
}
