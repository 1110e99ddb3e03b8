import { elementFields } from '../../../../protocol/fields/element.ts';
import type { FieldTable, FieldType } from '../../../../protocol/fields/field.ts';
import { masterDataFields } from '../../../../protocol/fields/master-data.ts';
import { processContextFields } from '../../../../protocol/fields/process-context.ts';
import { crossTableFields, relationshipFields } from '../../../../protocol/fields/relationship.ts';
import type {
  ActivityNames,
  EntityElement,
  LifecycleColumn,
  MasterData,
  ProcessContext,
  Relationship,
  CrossTable,
  RowCorrelation,
  PropertySelection,
  SelectedProperty,
} from '../entity-graph.ts';
import {
  type YamlObject,
  flagOf,
  keyTextOf,
  objectsOf,
  placedAt,
  present,
  rawTextOf,
  readObject,
  sqlOf,
  textOf,
  textsOf,
  valueOf,
  itemsOf,
  readText,
} from './read-node.ts';
import {
  crossMappingsAsWritten,
  mappingsAsWritten,
  pathAsWritten,
  readCorrelation,
  readCrossMappings,
  readMappings,
  readPath,
} from './relationship.ts';
import { expectationsAsWritten, readRowExpectations } from './row-expectations.ts';
import type { Located } from '../source-range.ts';
import { type Node, isScalar } from 'yaml';
import { resolveNode } from '../yaml-text.ts';

/** One entry of `elements`. */
export function readElement(object: YamlObject, index: number): EntityElement {
  return readFields(object, elementReaders, { index }) as unknown as EntityElement;
}

/** One entry of `entities`. */
export function readMasterData(object: YamlObject, index: number): MasterData {
  return readFields(object, masterDataReaders, { isMasterData: true, index }) as unknown as MasterData;
}

/** One entry of `relationships`. */
export function readRelationship(object: YamlObject, index: number): Relationship {
  return readFields(object, relationshipReaders, { index }) as unknown as Relationship;
}

/** Adds the fields of an entry, without those that are absent or malformed. */
function readFields(object: YamlObject, readers: readonly FieldReader[], entry: Record<string, unknown>) {
  let asWritten: Record<string, unknown> | undefined;
  for (const { name, key, read, readAsWritten } of readers) {
    const value = read(object, key);
    if (value !== undefined) entry[name] = value;
    const written = readAsWritten?.(object, key);
    if (written !== undefined) asWritten = { ...asWritten, [name]: written };
  }
  if (asWritten) entry['asWritten'] = asWritten;
  return placedAt(object.node, entry);
}

type Read = (object: YamlObject, key: string) => unknown;

/** Reads one value of an entry. */
interface FieldReader {
  readonly name: string;
  readonly key: string;
  readonly read: Read;
  readonly readAsWritten?: Read | undefined;
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
  timeZone: textOf,
  flag: flagOf,
  properties: readProperties,
  rowCorrelations: readRowCorrelations,
  expectations: readRowExpectations,
  lifecycle: readLifecycle,
  activityNames: readActivityNames,
  processContext: readProcessContext,
  end: textOf,
  mappings: readMappings,
  sourceMappings: readCrossMappings('source'),
  targetMappings: readCrossMappings('target'),
  crossTable: readCrossTable,
  path: readPath,
  correlation: readCorrelation,
};

/** What a dialog shows of a field of which the model has only the finished or known part. */
const asWrittenOf: Readonly<Partial<Record<FieldType, Read>>> = {
  mappings: mappingsAsWritten,
  sourceMappings: crossMappingsAsWritten('source'),
  targetMappings: crossMappingsAsWritten('target'),
  path: pathAsWritten,
  expectations: expectationsAsWritten,
  correlation: (object, key) => textOf(object, key)?.value,
};

const elementReaders = readersOf(elementFields);
const masterDataReaders = readersOf(masterDataFields);
const processContextReaders = readersOf(processContextFields);
const relationshipReaders = readersOf(relationshipFields);
const crossTableReaders = readersOf(crossTableFields);

function readersOf(fields: FieldTable): readonly FieldReader[] {
  return Object.entries(fields).flatMap(([key, { type, expression, atEndOfDay }]) => [
    { name: key, key, read: readerOf[type], readAsWritten: asWrittenOf[type] },
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

function readCrossTable(object: YamlObject, key: string): CrossTable | undefined {
  const crossTable = readObject(valueOf(object, key), object.yaml);
  return crossTable && (readFields(crossTable, crossTableReaders, {}) as unknown as CrossTable);
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

function readActivityNames(object: YamlObject, key: string): ActivityNames | undefined {
  const { yaml } = object;
  const written = readObject(valueOf(object, key), yaml);
  if (!written) return undefined;
  const renames = written.map.items.flatMap((pair) => {
    const [text, name] = [keyTextOf(pair.key, yaml), readText(pair.value, yaml)];
    return text && name ? [{ text, name }] : [];
  });
  return placedAt(written.node, { renames });
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

/** One column, or a list of them; an empty list counts as not given. */
function readKey(object: YamlObject, key: string): readonly Located<string>[] | undefined {
  const single = textOf(object, key);
  if (single) return [single];
  const several = textsOf(object, key);
  return several.length > 0 ? several : undefined;
}

/** `all`, or the columns of a list; none when not given. */
function readProperties(object: YamlObject, key: string): PropertySelection {
  const node = valueOf(object, key);
  const text = readText(node, object.yaml);
  const resolved = resolveNode(node, object.yaml);
  if (text?.value === 'all' && isScalar(resolved)) return placedAt(node as Node, { kind: 'all' as const });
  return { kind: 'list', columns: readColumns(object, key) };
}

/** Each a column, or a column with another name. */
function readColumns(object: YamlObject, key: string): readonly SelectedProperty[] {
  return itemsOf(valueOf(object, key), object.yaml).flatMap((item): readonly SelectedProperty[] => {
    const text = readText(item, object.yaml);
    if (text) return [text];
    const entry = readObject(item, object.yaml);
    const column = entry && textOf(entry, 'column');
    const name = entry && textOf(entry, 'name');
    if (!column) return [];
    return [name ? new RenamedProperty(column, name) : column];
  });
}

/** The range moves with the text, so it is computed on demand. */
class RenamedProperty implements SelectedProperty {
  constructor(
    private readonly column: Located<string>,
    readonly name: Located<string>,
  ) {}

  get value(): string {
    return this.column.value;
  }

  get range() {
    return this.column.range;
  }
}
