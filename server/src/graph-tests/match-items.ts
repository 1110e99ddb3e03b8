import { utcTextReader } from '../connectors/utc-text.ts';
import type { ActualEntity, ActualEvent, ActualRelation } from './actual-graph.ts';
import type { ExpectedEntity, ExpectedEvent, ExpectedPair, ExpectedRelation, GivenValue } from './graph-tests.ts';
import { readIsoTime } from './iso-time.ts';

/** Compares expected items of a test with items of the graph. Fields without an expectation are not compared. */
interface ItemMatches {
  event(expected: ExpectedEvent, actual: ActualEvent): boolean;
  entity(expected: ExpectedEntity, actual: ActualEntity | undefined): boolean;
  relation(expected: ExpectedRelation, actual: ActualRelation): boolean;
  pair(expected: ExpectedPair, actual: readonly [string, string]): boolean;
}

/** @param timeZone of the source, for times without offset. */
export function itemMatches(timeZone: string): ItemMatches {
  const toUtc = utcTextReader(timeZone);

  const inUtc = (text: string): string | undefined => {
    const time = readIsoTime(text);
    if (!time) return undefined;
    const offset = time.offset === 'Z' ? '+00' : (time.offset ?? '');
    return toUtc(`${time.date} ${time.clock ?? '00:00:00.000000'}${offset}`);
  };

  const value = ({ kind, text }: GivenValue, actual: string | null | undefined): boolean => {
    if (kind === 'null' || actual === null || actual === undefined) return kind === 'null' && actual === null;
    if (text === actual) return true;
    if (kind === 'number') return actual.trim() !== '' && Number(text) === Number(actual);
    const time = inUtc(text);
    return time !== undefined && time === inUtc(`${actual}Z`);
  };

  const entity: ItemMatches['entity'] = (expected, actual) =>
    actual !== undefined &&
    expected.key === actual.key &&
    (expected.type === undefined || expected.type.value === actual.type);

  return {
    entity,
    event: (expected, actual) =>
      (expected.activity === undefined || expected.activity.value === actual.activity) &&
      (expected.lifecycle === undefined || expected.lifecycle === actual.lifecycle) &&
      (expected.time === undefined || inUtc(expected.time.value) === actual.time) &&
      (expected.entity === undefined ||
        (expected.entity === null ? actual.entity === undefined : entity(expected.entity, actual.entity))) &&
      expected.properties.every((each) => value(each.value, actual.properties[each.name.value])),
    relation: (expected, actual) =>
      (expected.relationship === undefined || expected.relationship.value === actual.relationship) &&
      (expected.source === undefined || entity(expected.source, actual.source)) &&
      (expected.target === undefined || entity(expected.target, actual.target)),
    pair: ({ source, target }, [from, to]) => source.value === from && target.value === to,
  };
}
