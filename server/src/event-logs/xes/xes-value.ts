/** Types of attributes with a value, and of attributes that contain others. */
export const simpleTypes: readonly string[] = ['string', 'date', 'int', 'float', 'boolean', 'id'];
export const compositeTypes: readonly string[] = ['list', 'container'];

/** Whether a text is a value of an XES type (as in XML Schema). Impossible days such as 31 June are found by the readers of times. */
export function isXesValue(type: string, text: string): boolean {
  return patterns[type]?.test(text) ?? true;
}

/** Whether the value of a number, time or boolean is missing: other tools write `nan` or nothing for it. */
export function isMissingValue(type: string, text: string): boolean {
  return type in patterns && /^\s*([+-]?(nan|inf(inity)?)|nat)?\s*$/i.test(text);
}

const patterns: Readonly<Record<string, RegExp>> = {
  int: /^\s*[+-]?\d+\s*$/,
  float: /^\s*([+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|[+-]?INF|NaN)\s*$/,
  boolean: /^\s*(true|false|0|1)\s*$/i,
  date: /^\s*-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:?\d\d)?\s*$/,
};
