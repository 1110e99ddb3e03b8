import { isScalar } from 'yaml';
import { parseCountRange } from '../count-range.ts';
import { parseDurationWithUnit } from '../duration.ts';
import type { ProcessRule, RuleExpectation, RuleLifecycle, RuleSubject } from '../process-rule.ts';
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

function readSubject(object: YamlObject | undefined): RuleSubject | undefined {
  if (!object) return undefined;
  return placedAt(object.node, {
    lifecycle: readLifecycle(object),
    ...present({
      entityType: textOf(object, 'entityType'),
      activity: textOf(object, 'activity'),
      where: sqlOf(object, 'where'),
    }),
  });
}

function readExpectation(object: YamlObject): RuleExpectation {
  const text = (key: string): Located<string> | undefined => textOf(object, key);
  const duration = (key: string): Located<number> | undefined => readValue(object, key, parseDurationWithUnit);
  const direction = text('direction')?.value;
  return placedAt(object.node, {
    directly: flagOf(object, 'directly')?.value ?? false,
    lifecycle: readLifecycle(object),
    take: oneOf<RuleExpectation['take']>(object, 'take', ['first', 'last', 'each'], 'each'),
    ...present({
      activity: text('activity'),
      never: text('never'),
      relationship: text('relationship'),
      sql: sqlOf(object, 'sql'),
      from: text('from'),
      to: text('to'),
      count: readValue(object, 'count', parseCountRange),
      after: text('after'),
      before: text('before'),
      within: duration('within'),
      of: text('of'),
      direction: direction === 'source' || direction === 'target' ? direction : undefined,
      atLeast: duration('atLeast'),
      atMost: duration('atMost'),
    }),
  });
}

function readLifecycle(object: YamlObject): RuleLifecycle {
  return oneOf<RuleLifecycle>(object, 'lifecycle', ['start', 'change', 'any'], 'start');
}

function readValue<T>(
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
function parseShare(value: unknown): number | undefined {
  const [, percent] = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/u.exec(typeof value === 'string' ? value : '') ?? [];
  return percent === undefined || Number(percent) > 100 ? undefined : Number(percent) / 100;
}
