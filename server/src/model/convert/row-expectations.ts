import { type Scalar, isScalar } from 'yaml';
import type { ExpectationValues } from '../../../../protocol/canvas-intents.ts';
import { parseCountRange } from '../count-range.ts';
import type { ExpectedValues, RowExpectations } from '../entity-graph.ts';
import type { Located } from '../source-range.ts';
import { resolveNode, type YamlText } from '../yaml-text.ts';
import {
  type YamlObject,
  itemsOf,
  placedAt,
  present,
  readObject,
  readSeverity,
  readText,
  textsOf,
  valueOf,
} from './read-node.ts';

/** Expectations of rows; undefined when they are missing or no mapping. */
export function readRowExpectations(object: YamlObject, key: string): RowExpectations | undefined {
  const expected = readObject(valueOf(object, key), object.yaml);
  if (!expected) return undefined;
  return placedAt(expected.node, {
    unique: itemsOf(valueOf(expected, 'unique'), expected.yaml).flatMap((item) => {
      const columns = columnsOf(item, expected.yaml);
      return columns.length > 0 ? [columns] : [];
    }),
    notNull: textsOf(expected, 'notNull'),
    values: readValues(expected),
    severity: readSeverity(expected),
    isOnlySeverity:
      valueOf(expected, 'severity') !== undefined &&
      (['unique', 'notNull', 'values', 'rows'] as const).every((key) => valueOf(expected, key) === undefined),
    ...present({ rows: readRows(expected) }),
  });
}

/** Expectations of rows as the dialog shows them. */
export function expectationsAsWritten(object: YamlObject, key: string): ExpectationValues | undefined {
  const expected = readObject(valueOf(object, key), object.yaml);
  if (!expected) return undefined;
  const scalarOf = (name: string): string | undefined =>
    writtenText(resolveNode(valueOf(expected, name), expected.yaml));
  return {
    unique: itemsOf(valueOf(expected, 'unique'), expected.yaml).map((item) =>
      columnsOf(item, expected.yaml).map(({ value }) => value),
    ),
    notNull: textsOf(expected, 'notNull').map(({ value }) => value),
    values: valueLists(expected).map(({ column, items }) => ({
      column: column.value,
      texts: items.flatMap((item) => writtenText(item) ?? []),
    })),
    ...present({ rows: scalarOf('rows'), severity: scalarOf('severity') }),
  };
}

function columnsOf(item: unknown, yaml: YamlText): readonly Located<string>[] {
  const single = readText(item, yaml);
  return single ? [single] : itemsOf(item, yaml).flatMap((each) => readText(each, yaml) ?? []);
}

function readValues(expected: YamlObject): readonly ExpectedValues[] {
  return valueLists(expected).flatMap(({ column, items }) => {
    const texts = items.flatMap(textsOfValue);
    return texts.length > 0 ? [{ column, texts }] : [];
  });
}

function valueLists(expected: YamlObject): readonly { readonly column: Located<string>; readonly items: unknown[] }[] {
  const { yaml } = expected;
  const lists = readObject(valueOf(expected, 'values'), yaml);
  return (lists?.map.items ?? []).flatMap(({ key, value }) => {
    const column = readText(key, yaml);
    return column ? [{ column, items: itemsOf(value, yaml).map((item) => resolveNode(item, yaml)) }] : [];
  });
}

/** A text, a number or a flag as it is written. */
function writtenText(node: unknown): string | undefined {
  if (!isScalar(node) || node.value === null) return undefined;
  const { value, source } = node as Scalar;
  return typeof value === 'number' ? (source ?? String(value)) : String(value);
}

function readRows(expected: YamlObject): RowExpectations['rows'] {
  const node = valueOf(expected, 'rows');
  const resolved = resolveNode(node, expected.yaml);
  const value = isScalar(resolved) ? parseCountRange(resolved.value) : undefined;
  return node && value ? placedAt(node, { value }) : undefined;
}

/** The texts of a value (docs/semantics.md#45-canonical-text): of a number also as it is written, because cells of text files are compared so. */
function textsOfValue(node: unknown): readonly string[] {
  if (!isScalar(node)) return [];
  const { value, source = '' } = node as Scalar;
  if (typeof value === 'string') return [value];
  if (typeof value === 'boolean') return [String(value)];
  if (typeof value !== 'number') return [];
  // An integer beyond the precision of JavaScript numbers is exact as text only.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? [source] : [...new Set([String(value), source])];
}
