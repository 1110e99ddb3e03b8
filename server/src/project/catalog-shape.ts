import type {
  Catalog,
  Column,
  DataObject,
  ForeignKey,
  KnownValue,
  ObjectStatistics,
  ProposedType,
  SettingWarning,
  UndescribedObject,
} from '../catalog/catalog.ts';
import { type Shape, choice, flag, list, number, object, optional, text } from '../../../protocol/shapes/shape.ts';

const isTrue: Shape<true> = (value, name) => (value === true ? undefined : `"${name}" must be true.`);
const texts = list(text);

const column = object<Column>({
  name: text,
  type: text,
  sense: choice({
    timestamp: true,
    date: true,
    time: true,
    integer: true,
    number: true,
    text: true,
    boolean: true,
    json: true,
    binary: true,
    other: true,
  }),
  sourceType: optional(text),
  nullable: flag,
  primaryKey: flag,
  identifying: optional(flag),
  isKeyedByText: optional(flag),
  field: optional(text),
  collation: optional(text),
  timeForm: optional(text),
  comment: optional(text),
  references: optional(object({ dataObject: text, column: text })),
  values: optional(list(object<KnownValue>({ value: text, label: optional(text) }))),
  samples: optional(texts),
  nullShare: optional(number),
  distinctEstimate: optional(number),
});

const dataObject = object<DataObject>({
  name: text,
  kind: choice({
    table: true,
    'partitioned table': true,
    partition: true,
    view: true,
    'materialized view': true,
    'foreign table': true,
    file: true,
    endpoint: true,
  }),
  path: texts,
  comment: optional(text),
  extends: optional(texts),
  within: optional(text),
  file: optional(text),
  columns: list(column),
  primaryKey: texts,
  foreignKeys: list(
    object<ForeignKey>({ name: text, columns: texts, references: object({ dataObject: text, columns: texts }) }),
  ),
  statistics: object<ObjectStatistics>({
    columnCount: number,
    rowEstimate: optional(number),
    dataSize: optional(number),
    lastAnalyzed: optional(text),
  }),
});

const settings = list(object<SettingWarning>({ path: texts, message: text }));

/** A cached catalog: the state folder may come from somebody else's repository. */
export const catalogShape = object<Catalog>({
  dataSource: text,
  kind: text,
  dialect: text,
  hasRowOrder: optional(flag),
  isFetched: optional(flag),
  timeZone: optional(text),
  isOneOfSeveral: optional(isTrue),
  engineVersion: optional(number),
  objects: list(dataObject),
  unreadable: optional(texts),
  complete: flag,
  readAt: text,
  warnings: texts,
  undescribed: optional(list(object<UndescribedObject>({ name: text, reason: text, isUnreachable: optional(isTrue) }))),
  unusedSettings: optional(settings),
  proposedTypes: optional(
    list(
      object<ProposedType>({
        dataSource: optional(text),
        file: text,
        isPart: flag,
        column: text,
        types: texts,
        message: text,
      }),
    ),
  ),
  doubtfulSettings: optional(settings),
  outdatedBecause: optional(text),
  stamp: optional(text),
  furtherFiles: optional(texts),
});
