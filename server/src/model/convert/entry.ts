import { elementFields } from '../../../../protocol/fields/element.ts';
import type { FieldTable, FieldType } from '../../../../protocol/fields/field.ts';
import { masterDataFields } from '../../../../protocol/fields/master-data.ts';
import { processContextFields } from '../../../../protocol/fields/process-context.ts';
import type { EntityElement, LifecycleColumn, MasterData, ProcessContext, RowCorrelation } from '../entity-graph.ts';
import { readKey } from './key.ts';
import { readProperties } from './properties.ts';
import {
  type YamlObject,
  flagOf,
  objectsOf,
  placedAt,
  present,
  rawTextOf,
  readObject,
  sqlOf,
  textOf,
  textsOf,
  valueOf,
} from './read-node.ts';
import { readRowExpectations } from './row-expectations.ts';

/** One entry of `elements`. */
export function readElement(object: YamlObject, index: number): EntityElement {
  return readFields(object, elementReaders, { index }) as unknown as EntityElement;
}

/** One entry of `entities`. */
export function readMasterData(object: YamlObject, index: number): MasterData {
  return readFields(object, masterDataReaders, { isMasterData: true, index }) as unknown as MasterData;
}

/** Adds the fields of an entry, without those that are absent or malformed. */
function readFields(object: YamlObject, readers: readonly FieldReader[], entry: Record<string, unknown>) {
  for (const { name, key, read } of readers) {
    const value = read(object, key);
    if (value !== undefined) entry[name] = value;
  }
  return placedAt(object.node, entry);
}

type Read = (object: YamlObject, key: string) => unknown;

/** Reads one value of an entry. */
interface FieldReader {
  readonly name: string;
  readonly key: string;
  readonly read: Read;
}

const readerOf: Readonly<Record<FieldType, Read>> = {
  text: textOf,
  texts(object, key) {
    const texts = textsOf(object, key);
    return texts.length > 0 ? texts : undefined;
  },
  name: textOf,
  dataSource: textOf,
  dataObject: textOf,
  entityType: textOf,
  column: textOf,
  key: readKey,
  time: readTimeColumn,
  sql: sqlOf,
  flag: flagOf,
  properties: readProperties,
  rowCorrelations: readRowCorrelations,
  expectations: readRowExpectations,
  lifecycle: readLifecycle,
  processContext: readProcessContext,
};

const elementReaders = readersOf(elementFields);
const masterDataReaders = readersOf(masterDataFields);
const processContextReaders = readersOf(processContextFields);

function readersOf(fields: FieldTable): readonly FieldReader[] {
  return Object.entries(fields).flatMap(([key, { type, expression, atEndOfDay }]) => [
    { name: key, key, read: readerOf[type] },
    ...(expression === undefined ? [] : [{ name: expression, key, read: readTimeExpression }]),
    ...(atEndOfDay === undefined ? [] : [{ name: atEndOfDay, key, read: readAtEndOfDay }]),
  ]);
}

/** The column of a time: `validFrom: since`, or `{ column: since, … }`. */
function readTimeColumn(object: YamlObject, key: string): unknown {
  const written = readObject(valueOf(object, key), object.yaml);
  return written ? textOf(written, 'column') : textOf(object, key);
}

/** The SQL of a computed time: `startTimestamp: { expression: … }`. */
function readTimeExpression(object: YamlObject, key: string): unknown {
  const written = readObject(valueOf(object, key), object.yaml);
  return written && sqlOf(written, 'expression');
}

/** Whether dates in a time are the ends of their days: `{ column: paid, atEndOfDay: true }`. */
function readAtEndOfDay(object: YamlObject, key: string): unknown {
  const written = readObject(valueOf(object, key), object.yaml);
  return written && flagOf(written, 'atEndOfDay');
}

function readProcessContext(object: YamlObject, key: string): ProcessContext | undefined {
  const context = readObject(valueOf(object, key), object.yaml);
  return context && readFields(context, processContextReaders, {});
}

function readLifecycle(object: YamlObject, key: string): LifecycleColumn | undefined {
  const written = readObject(valueOf(object, key), object.yaml);
  if (!written) return undefined;
  return placedAt(written.node, {
    start: textsOf(written, 'start'),
    end: textsOf(written, 'end'),
    ...present({ column: textOf(written, 'column') }),
  });
}

/** Undefined when the key is missing or its list has no entries. */
function readRowCorrelations(object: YamlObject, key: string): readonly RowCorrelation[] | undefined {
  if (!valueOf(object, key)) return undefined;
  const entries = objectsOf(object, key).map(readRowCorrelation);
  return entries.length > 0 ? entries : undefined;
}

function readRowCorrelation(object: YamlObject): RowCorrelation {
  const each = textOf(object, 'each');
  return placedAt(object.node, {
    key: readKey(object, 'key') ?? [],
    ...present({
      entityType: textOf(object, 'entityType'),
      qualifier: textOf(object, 'qualifier'),
      each: each?.value === 'list' ? (each as NonNullable<RowCorrelation['each']>) : undefined,
      separator: rawTextOf(object, 'separator'),
    }),
  });
}
