import { lifecycles } from '../../../../protocol/lifecycles.ts';
import { isScalar } from 'yaml';
import { parseCountRange } from '../count-range.ts';
import { parseDurationWithUnit } from '../duration.ts';
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
export function readProcessRule(object: YamlObject, index: number): ProcessRule {
  return placedAt(object.node, {
    index,
    severity: readSeverity(object),
    expect: objectsOf(object, 'expect').map(readExpectation),
    ...present({
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

function readExpectation(object: YamlObject): RuleExpectation {
  const written = readFields(object, expectationFields);
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
  readonly [Type in keyof FieldValues]: (object: YamlObject, key: string) => FieldValues[Type] | undefined;
} = {
  activity: textOf,
  entityType: textOf,
  relationship: textOf,
  sql: sqlOf,
  count: (object, key) => readValue(object, key, parseCountRange),
  duration: (object, key) => readValue(object, key, parseDurationWithUnit),
};

/** Reads the fields of a table of fields. */
export function readFields<Fields extends FieldTable>(object: YamlObject, fields: Fields): Written<Fields> {
  const types = Object.keys(readers) as (keyof FieldValues)[];
  const values = types.flatMap((type) => fields[type]?.map((field) => [field, readers[type](object, field)]) ?? []);
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
