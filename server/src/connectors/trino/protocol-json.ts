import { fieldKey } from '../../dialects/trino/json-text.ts';
import { parseTrinoType, type TrinoType } from '../../dialects/trino/type-tree.ts';

/** Parses JSON. Integers that a JavaScript number would round become texts. */
export function parseExactly(text: string): unknown {
  return JSON.parse(text.replaceAll(textOrLongInteger, (found) => (found.startsWith('"') ? found : `"${found}"`)));
}

/** A double so large has an exponent. */
const textOrLongInteger = /"(?:[^"\\]|\\.)*"|(?<![\d.])-?\d{16,}(?![\d.eE])/g;

/** Prints values of a structured type as JSON: rows as objects, with all digits of their integers. */
export function protocolJson(type: string): (value: unknown) => string {
  return printerOf(parseTrinoType(type));
}

function printerOf(type: TrinoType): (value: unknown) => string {
  const print = printerOfPresent(type);
  return (value) => (value === null || value === undefined ? 'null' : print(value));
}

function printerOfPresent(type: TrinoType): (value: unknown) => string {
  switch (type.kind) {
    case 'array': {
      const print = printerOf(type.element);
      return (value) => (Array.isArray(value) ? `[${value.map(print).join(',')}]` : JSON.stringify(value));
    }
    case 'map': {
      const print = printerOf(type.value);
      return (value) => {
        const entries = Object.entries(value as Readonly<Record<string, unknown>>);
        return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${print(each)}`).join(',')}}`;
      };
    }
    case 'row': {
      const fields = type.fields.map((field, index) => ({
        name: JSON.stringify(fieldKey(field, index)),
        print: printerOf(field.type),
      }));
      return (value) => {
        // A name may look like a part of the type.
        if (!Array.isArray(value) || value.length !== fields.length) return JSON.stringify(value);
        return `{${fields.map(({ name, print }, index) => `${name}:${print(value[index])}`).join(',')}}`;
      };
    }
    case 'scalar':
      return type.name === 'bigint' ? String : (value) => JSON.stringify(value);
  }
}
