import { isRecord, jsonCell } from '../../fetched/json-records.ts';

/** A field sent as an object: a reference, or any field with both value forms. */
export type FieldPart = 'value' | 'display_value';

const objectKeys = ['value', 'display_value', 'link'];

/** The text of a field, empty for no value. Most instances send texts, but some send JSON numbers and booleans. */
export function fieldText(field: unknown, part: FieldPart = 'value'): string {
  const isObject = isRecord(field) && objectKeys.some((key) => key in field);
  return jsonCell(isObject ? field[part] : field) ?? '';
}

/** The fields of a record as texts. */
export function recordTexts(record: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).map(([name, field]) => [name, fieldText(field)]));
}
