import type { SourceRange } from '../model/source-range.ts';
import { actualTextOf, yamlText } from './actual-text.ts';
import type { ActualEntity, ActualEvent, ActualGraph, ActualRelation, ActualRow } from './actual-graph.ts';
import type {
  ExpectedList,
  Expectations,
  ExpectedQuery,
  ExpectedRow,
  ExpectedRule,
  ExpectedValue,
  ExpectedEntity,
  ExpectedEvent,
  ExpectedPair,
  ExpectedRelation,
  GivenValue,
} from './graph-tests.ts';
import type { Difference } from './difference.ts';
import { listEdits } from './list-edits.ts';
import { type Alignment, alignInAnyOrder, alignInOrder } from './align-items.ts';
import type { RuleResult } from '../../../protocol/process-rules.ts';
import { violationText } from '../../../protocol/rule-outcome.ts';
import { utcTextReader } from '../connectors/utc-text.ts';
import { readIsoTime } from './iso-time.ts';

/**
 * The expectations that do not hold for a graph, in the order of the schema.
 * @param text of the file of the tests.
 * @param timeZone of the source, for times without offset.
 */
export function compareGraph(
  { events, eventsInclude, directlyFollows, relations, entities, rules = [], queries = [] }: Expectations,
  actual: ActualGraph,
  { text, timeZone }: { readonly text: string; readonly timeZone: string },
): readonly Difference[] {
  const print = actualTextOf(actual);
  const match = itemMatches(timeZone);
  const compare = <E extends { readonly range: SourceRange }, A>(comparison: Comparison<E, A>): readonly Difference[] =>
    difference(comparison, text);
  return [
    ...compare({
      expectation: 'events',
      list: events,
      actual: actual.events,
      matches: match.event,
      print: print.event,
      isInOrder: true,
      noun: 'event',
    }),
    ...compare({
      expectation: 'eventsInclude',
      list: eventsInclude,
      actual: actual.events,
      matches: match.event,
      print: print.event,
      isInOrder: true,
      mayHaveMore: true,
      noun: 'event',
    }),
    ...compare({
      expectation: 'directlyFollows',
      list: directlyFollows,
      actual: actual.directlyFollows,
      matches: match.pair,
      print: print.pair,
      noun: 'pair',
    }),
    ...compare({
      expectation: 'relations',
      list: relations,
      actual: actual.relations,
      matches: match.relation,
      print: print.relation,
      noun: 'relation',
    }),
    ...compare({
      expectation: 'entities',
      list: entities,
      actual: actual.entities,
      matches: match.entity,
      print: (entity: ActualEntity) => print.entity(entity),
      noun: 'entity',
    }),
    ...compareRules(rules, actual.rules),
    ...queries.flatMap(({ name, list }) => {
      const found = actual.queries.get(name.value) ?? { rows: [] };
      if ('error' in found) return [queryFailure(name, found.error)];
      return compare({
        expectation: 'queries',
        label: `queries: ${yamlText(name.value)}`,
        list,
        actual: found.rows,
        matches: match.row,
        print: print.row,
        noun: 'row',
      });
    }),
  ];
}

interface Comparison<E extends { readonly range: SourceRange }, A> {
  readonly expectation: keyof Expectations;
  readonly list: ExpectedList<E> | undefined;
  readonly actual: readonly A[];
  readonly matches: (expected: E, actual: A) => boolean;
  readonly print: (actual: A, like?: E) => string;
  readonly isInOrder?: boolean;
  readonly mayHaveMore?: boolean;
  readonly noun: string;
  /** Default: `expectation`. */
  readonly label?: string;
}

function difference<E extends { readonly range: SourceRange }, A>(
  comparison: Comparison<E, A>,
  text: string,
): readonly Difference[] {
  const { list, actual, matches, print, isInOrder, mayHaveMore, noun, expectation, label = expectation } = comparison;
  if (!list) return [];
  const { items } = list;
  const isMatch = (left: number, right: number): boolean => {
    const [expected, found] = [items[left], actual[right]];
    return expected !== undefined && found !== undefined && matches(expected, found);
  };
  const pairing = (isInOrder ? alignInOrder : alignInAnyOrder)(items.length, actual.length, isMatch);
  const isWhole = pairing.every((right) => right !== undefined);
  if (isWhole && (mayHaveMore || items.length === actual.length)) return [];
  const written = items.map(({ range }) =>
    text
      .slice(range.start, range.end)
      .trim()
      .replaceAll(/\s*\n\s*/g, ' '),
  );
  const lines = actualLines({ pairing, written, items, actual, print, isInOrder: isInOrder === true });
  const [missing] = items.filter((_, index) => pairing[index] === undefined);
  const firstMissing = missing && written[items.indexOf(missing)];
  const count = `Expected ${mayHaveMore ? 'at least ' : ''}${counted(items.length, noun)}, got ${actual.length}.`;
  const extra = actual.findIndex((_, index) => !pairing.includes(index));
  const detail =
    firstMissing !== undefined
      ? `Missing: ${firstMissing}.`
      : `Not expected: ${extra < 0 ? '' : print(actual[extra] as A)}.`;
  return [
    {
      expectation,
      message: `${label}: ${items.length === actual.length || mayHaveMore ? '' : `${count} `}${detail}`,
      range: missing?.range ?? list.key,
      expected: linesText(written),
      actual: linesText(lines),
      ...(!mayHaveMore && { edits: listEdits({ list, pairing, lines, isInOrder: isInOrder === true }, text) }),
    },
  ];
}

interface Lines<E, A> {
  readonly pairing: Alignment;
  readonly written: readonly string[];
  readonly items: readonly E[];
  readonly actual: readonly A[];
  readonly print: (actual: A, like?: E) => string;
  readonly isInOrder: boolean;
}

/** The items of the graph. Expected items keep their notation in the test, so that the diff shows real differences only. */
function actualLines<E, A>({ pairing, written, items, actual, print, isInOrder }: Lines<E, A>): readonly string[] {
  const expectedAt = new Map(pairing.flatMap((right, left) => (right === undefined ? [] : [[right, left] as const])));
  if (!isInOrder) {
    const known = pairing.flatMap((right, left) => (right === undefined ? [] : [written[left] ?? '']));
    return [...known, ...actual.filter((_, index) => !expectedAt.has(index)).map((item) => print(item))];
  }
  // An item between two that are expected is compared with the expected item that is missing there.
  let next = 0;
  return actual.map((item, index) => {
    const left = expectedAt.get(index);
    if (left !== undefined) {
      next = left + 1;
      return written[left] ?? '';
    }
    const like = pairing[next] === undefined ? items[next] : undefined;
    if (like !== undefined) next += 1;
    return print(item, like);
  });
}

function linesText(lines: readonly string[]): string {
  return lines.length === 0 ? '[]' : lines.map((line) => `- ${line}`).join('\n');
}

function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun === 'entity' ? 'entities' : `${noun}s`}`;
}

function queryFailure({ value, range }: ExpectedQuery['name'], error: string): Difference {
  return { expectation: 'queries', message: `queries: ${yamlText(value)}: ${error}`, range };
}

/** The rules whose numbers are not as expected, in the order of the test. Unknown rules are left to the checks. */
function compareRules(rules: readonly ExpectedRule[], results: readonly RuleResult[]): readonly Difference[] {
  return rules.flatMap((rule) => {
    const result = results.find(({ name }) => name === rule.name.value);
    return result ? differenceOf(rule, result) : [];
  });
}

function differenceOf({ name, counts }: ExpectedRule, result: RuleResult): readonly Difference[] {
  const expectation = 'rules';
  const written = counts.map((each) => `${each.name}: ${each.count.value}`);
  const expected = ruleText(name.value, written);
  if (result.error !== undefined) {
    const message = `rules: "${name.value}" cannot be judged: ${result.error}`;
    return [{ expectation, message, range: name.range, expected, actual: ruleText(name.value, ['judged: 0']) }];
  }
  const wrong = counts.filter((each) => each.count.value !== result[each.name]);
  const [first] = wrong;
  if (!first) return [];
  const parts = wrong.map((each) => `expected ${each.count.value} ${each.name}, got ${result[each.name]}`);
  const [violation] = result.violations;
  const detail = violation ? ` Broken by ${violationText(violation)}.` : '';
  return [
    {
      expectation,
      message: `rules: "${name.value}": ${parts.join('; ')}.${detail}`,
      range: first.count.range,
      expected,
      actual: ruleText(
        name.value,
        counts.map((each) => `${each.name}: ${result[each.name]}`),
      ),
      edits: wrong.map(({ name: count, count: { range } }) => ({ ...range, text: String(result[count]) })),
    },
  ];
}

function ruleText(name: string, counts: readonly string[]): string {
  return `${yamlText(name)}: { ${counts.join(', ')} }`;
}

/** Compares expected items of a test with items of the graph. Fields without an expectation are not compared. */
interface ItemMatches {
  event(expected: ExpectedEvent, actual: ActualEvent): boolean;
  entity(expected: ExpectedEntity, actual: ActualEntity | undefined): boolean;
  relation(expected: ExpectedRelation, actual: ActualRelation): boolean;
  pair(expected: ExpectedPair, actual: readonly [string, string]): boolean;
  row(expected: ExpectedRow, actual: ActualRow): boolean;
}

/** @param timeZone of the source, for times without offset. */
function itemMatches(timeZone: string): ItemMatches {
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
    return time !== undefined && time === inUtc(actual.endsWith('Z') ? actual : `${actual}Z`);
  };

  const hasValues = (expected: readonly ExpectedValue[], actual: ActualRow): boolean =>
    expected.every((each) => value(each.value, actual[each.name.value]));

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
      hasValues(expected.properties, actual.properties),
    relation: (expected, actual) =>
      (expected.relationship === undefined || expected.relationship.value === actual.relationship) &&
      (expected.source === undefined || entity(expected.source, actual.source)) &&
      (expected.target === undefined || entity(expected.target, actual.target)),
    row: ({ values }, actual) => hasValues(values, actual),
    pair: ({ source, target }, [from, to]) => source.value === from && target.value === to,
  };
}
