import { isRecord, jsonCell } from '../../fetched/json-records.ts';

/** Of a field that is written as an object: a reference, or any field where both forms are asked for. */
export type FieldPart = 'value' | 'display_value';

const objectKeys = ['value', 'display_value', 'link'];

/**
 * The text of a field of a record, empty for no value. The platform writes most values as texts, but instances may send numbers and
 * booleans of JSON, too.
 */
export function fieldText(field: unknown, part: FieldPart = 'value'): string {
  const isObject = isRecord(field) && objectKeys.some((key) => key in field);
  return jsonCell(isObject ? field[part] : field) ?? '';
}

/** The fields of a record as texts. */
export function recordTexts(record: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).map(([name, field]) => [name, fieldText(field)]));
}
