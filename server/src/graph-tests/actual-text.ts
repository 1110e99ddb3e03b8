import { writeFlow } from '../model/edits/write-value.ts';
import type { ActualEntity, ActualEvent, ActualGraph, ActualRelation, ActualRow } from './actual-graph.ts';
import type { ExpectedEvent, ExpectedRow, GivenValue } from './graph-tests.ts';

/** The content of a graph, written like expectations. */
interface ActualText {
  /** @param like names the fields to write; without it activity, entity and time, and a lifecycle other than start. */
  event(event: ActualEvent, like?: ExpectedEvent): string;
  entity(entity: ActualEntity): string;
  relation(relation: ActualRelation): string;
  pair(pair: readonly [string, string]): string;
  /** @param like names the columns to write; without it all. */
  row(row: ActualRow, like?: ExpectedRow): string;
}

/** Entities are written without their type where there is only one. */
export function actualTextOf({ entities }: Pick<ActualGraph, 'entities'>): ActualText {
  const isOfOneType = new Set(entities.map(({ type }) => type)).size < 2;
  const entity = ({ type, key }: ActualEntity): string =>
    isOfOneType ? keyText(key) : `{ type: ${yamlText(type)}, key: ${keyText(key)} }`;
  return {
    entity,
    event(event, like) {
      const { activity, lifecycle, time, properties } = event;
      const fields = [
        ...(!like || like.activity ? [`activity: ${yamlText(activity)}`] : []),
        ...(!like || like.entity !== undefined ? [`entity: ${event.entity ? entity(event.entity) : 'null'}`] : []),
        ...(!like || like.time ? [`time: ${shortTime(time)}`] : []),
        ...((!like && lifecycle !== 'start') || like?.lifecycle !== undefined ? [`lifecycle: ${lifecycle}`] : []),
        ...(like && like.properties.length > 0 ? [`properties: ${valuesText(properties, like.properties)}`] : []),
      ];
      return `{ ${fields.join(', ')} }`;
    },
    relation: ({ relationship, source, target }) =>
      `{ relationship: ${yamlText(relationship)}, source: ${entity(source)}, target: ${entity(target)} }`,
    row: (row, like) => valuesText(row, like?.values ?? Object.keys(row).map((value) => ({ name: { value } }))),
    pair: ([source, target]) => `[${yamlText(source)}, ${yamlText(target)}]`,
  };
}

/** @param like names the values to write, and how they are written. */
function valuesText(
  values: ActualRow,
  like: readonly { readonly name: { readonly value: string }; readonly value?: GivenValue }[],
): string {
  const fields = like.map(({ name, value }) => {
    const actual = values[name.value];
    const isPlain = value?.kind !== 'text' && actual !== null && actual !== undefined && /^[\w.+-]+$/.test(actual);
    const text = actual === undefined || actual === null ? 'null' : isPlain ? actual : yamlText(actual);
    return `${yamlText(name.value)}: ${text}`;
  });
  return `{ ${fields.join(', ')} }`;
}

/** The text of a key of several parts is a JSON array of texts. */
function keyText(key: string): string {
  const parts = key.startsWith('[') ? partsOf(key) : undefined;
  return parts ? `[${parts.map(keyPart).join(', ')}]` : keyPart(key);
}

function keyPart(part: string): string {
  // A number is read as it is written.
  return /^\d+$/.test(part) ? part : yamlText(part);
}

function partsOf(key: string): readonly string[] | undefined {
  try {
    const parts: unknown = JSON.parse(key);
    return Array.isArray(parts) && parts.length > 1 && parts.every((part) => typeof part === 'string')
      ? parts
      : undefined;
  } catch {
    return undefined;
  }
}

function shortTime(time: string): string {
  return time.replace(/\.?0+Z$/, (zeros) => (zeros.startsWith('.') ? 'Z' : zeros.replace(/0+Z$/, 'Z')));
}

/** A text as a scalar inside brackets: with quotes only where YAML would read something else. */
export function yamlText(text: string): string {
  return writeFlow(text, false);
}
