import type { NewTest, TestRowsColumn, TestRowsObject, WantedRows } from '../test-rows.ts';
import { queryTarget } from './query-shapes.ts';
import { type Shape, anything, flag, list, object, optional, text } from './shape.ts';

type Rows = TestRowsObject['rows'];

const cells = list(list(anything)) as Shape<Rows>;

export const wantedRows: Shape<WantedRows> = object<WantedRows>({
  targets: list(queryTarget),
  chosen: optional(object<NonNullable<WantedRows['chosen']>>({ columns: list(text), rows: cells })),
});

const column: Shape<TestRowsColumn> = object<TestRowsColumn>({
  name: text,
  type: optional(text),
  isKey: flag,
  isTime: flag,
  isNumber: flag,
});

export const newTest: Shape<NewTest> = object<NewTest>({
  name: text,
  objects: list(object<TestRowsObject>({ dataObject: text, columns: list(column), rows: cells })),
  missing: optional(list(text)),
  masked: list(object<NewTest['masked'][number]>({ dataObject: text, column: text })),
  rule: optional(text),
});
