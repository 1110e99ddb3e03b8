import { isMap, isScalar, isSeq } from 'yaml';
import { type YamlObject, itemsOf, readObject, readText, textOf, valueOf } from '../model/convert/read-node.ts';
import { type YamlText, rangeOf, resolveNode } from '../model/yaml-text.ts';
import { entriesOf } from './entries-of.ts';
import { givenValueOf } from './given-value.ts';
import {
  type Expectations,
  type ExpectedEntity,
  type ExpectedEvent,
  type ExpectedList,
  type ExpectedPair,
  type ExpectedRelation,
  type ExpectedQuery,
  type ExpectedRow,
  type ExpectedRule,
  type ExpectedValue,
  ruleCounts,
} from './graph-tests.ts';

/** The expectations of a test. Items that cannot be read are left out; the schema reports them. */
export function readExpectations(expect: YamlObject | undefined): Expectations {
  if (!expect) return {};
  const list = <Item>(name: string, read: (item: unknown, yaml: YamlText) => Item | undefined) =>
    readList(expect, name, read);
  return {
    ...list('events', readEvent),
    ...list('eventsInclude', readEvent),
    ...list('directlyFollows', readPair),
    ...list('relations', readRelation),
    ...list('entities', readEntity),
    ...(expect.map.has('rules') && { rules: readRules(expect) }),
    ...(expect.map.has('queries') && { queries: readQueries(expect) }),
  };
}

function readRules(expect: YamlObject): readonly ExpectedRule[] {
  const { yaml } = expect;
  return entriesOf(valueOf(expect, 'rules'), yaml).map(({ key: name, value }) => ({
    name,
    counts: entriesOf(value, yaml).flatMap(({ key, value: written }) => {
      const count = ruleCounts.find((each) => each === key.value);
      const number = resolveNode(written, yaml);
      if (!count || !written || !isScalar(number) || typeof number.value !== 'number') return [];
      return [{ name: count, count: { value: number.value, range: rangeOf(written) } }];
    }),
  }));
}

function readQueries(expect: YamlObject): readonly ExpectedQuery[] {
  const queries = readObject(valueOf(expect, 'queries'), expect.yaml);
  if (!queries) return [];
  return entriesOf(valueOf(expect, 'queries'), expect.yaml).flatMap(({ key: name }) => {
    const list = readList(queries, name.value, readRow)[name.value];
    return list ? [{ name, list }] : [];
  });
}

function readRow(item: unknown, yaml: YamlText): ExpectedRow | undefined {
  const row = readObject(item, yaml);
  return row && { range: row.range, values: readValues(item, yaml) };
}

function readValues(node: unknown, yaml: YamlText): readonly ExpectedValue[] {
  return entriesOf(node, yaml).map(({ key, value }) => ({ name: key, value: givenValueOf(value, yaml) }));
}

function readList<Item>(
  expect: YamlObject,
  name: string,
  read: (item: unknown, yaml: YamlText) => Item | undefined,
): { readonly [key: string]: ExpectedList<Item> } {
  const pair = expect.map.items.find(({ key }) => isScalar(key) && key.value === name);
  const node = resolveNode(pair?.value, expect.yaml);
  if (!pair || !isScalar(pair.key) || !isSeq(node)) return {};
  const items = itemsOf(node, expect.yaml).flatMap((item) => read(item, expect.yaml) ?? []);
  return { [name]: { key: rangeOf(pair.key), range: rangeOf(node), items } };
}

function readEvent(item: unknown, yaml: YamlText): ExpectedEvent | undefined {
  const event = readObject(item, yaml);
  if (!event) return undefined;
  const activity = textOf(event, 'activity');
  const time = textOf(event, 'time');
  const lifecycle = textOf(event, 'lifecycle')?.value;
  return {
    range: event.range,
    activity,
    entity: event.map.has('entity') ? readOwnEntity(valueOf(event, 'entity'), yaml) : undefined,
    time,
    lifecycle,
    properties: readValues(valueOf(event, 'properties'), yaml),
  };
}

function readOwnEntity(node: unknown, yaml: YamlText): ExpectedEntity | null {
  return readEntity(node, yaml) ?? null;
}

function readEntity(node: unknown, yaml: YamlText): ExpectedEntity | undefined {
  const resolved = resolveNode(node, yaml);
  if (!resolved) return undefined;
  const range = rangeOf(resolved);
  if (!isMap(resolved)) {
    const key = readKey(resolved, yaml);
    return key === undefined ? undefined : { range, key };
  }
  const object = readObject(resolved, yaml);
  const key = object && readKey(valueOf(object, 'key'), yaml);
  const type = object && textOf(object, 'type');
  return key === undefined ? undefined : { range, type, key };
}

/** Several parts are a JSON array of texts, a single one is the bare value. */
function readKey(node: unknown, yaml: YamlText): string | undefined {
  const resolved = resolveNode(node, yaml);
  if (!isSeq(resolved)) {
    const value = givenValueOf(resolved, yaml);
    return value.kind === 'null' ? undefined : value.text;
  }
  const [first = '', ...more] = itemsOf(resolved, yaml).map((part) => givenValueOf(part, yaml).text);
  return more.length === 0 ? first : JSON.stringify([first, ...more]);
}

function readPair(item: unknown, yaml: YamlText): ExpectedPair | undefined {
  const node = resolveNode(item, yaml);
  const [source, target] = itemsOf(node, yaml).map((part) => readText(part, yaml));
  return node && source && target ? { range: rangeOf(node), source, target } : undefined;
}

function readRelation(item: unknown, yaml: YamlText): ExpectedRelation | undefined {
  const relation = readObject(item, yaml);
  if (!relation) return undefined;
  const relationship = textOf(relation, 'relationship');
  const source = readEntity(valueOf(relation, 'source'), yaml);
  const target = readEntity(valueOf(relation, 'target'), yaml);
  return {
    range: relation.range,
    relationship,
    source,
    target,
  };
}
