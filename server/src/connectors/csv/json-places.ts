/** The union of all values at one place of the records, such as a field. */
export interface JsonPlace {
  /** Bits of `jsonKinds`. */
  kinds: number;
  /** Bits of `textForms`. */
  texts: number;
  readonly numbers: JsonNumbers;
  /** Number of objects, and of all their fields together. */
  objects: number;
  fieldsOfObjects: number;
  /** In order of appearance. */
  readonly fields: JsonField[];
  readonly fieldsByName: Map<string, JsonField>;
  /** The items of lists. */
  items: JsonPlace | undefined;
}

export interface JsonField {
  readonly name: string;
  /** In the fields of its place. */
  readonly index: number;
  /** Its bytes in the file between quotes, as first written. */
  readonly written: Buffer;
  readonly place: JsonPlace;
}

export interface JsonNumbers {
  /** Largest number of digits before the point. */
  wholeDigits: number;
  /** Largest number of digits behind the point, without zeros at the end. */
  scale: number;
  /** A fraction, an exponent, or `NaN` and its like. */
  isFloating: boolean;
  /** An exponent, or `NaN` and its like. */
  hasExponent: boolean;
  /** A whole number beyond 64 bits. */
  isWide: boolean;
  /** As a DOUBLE one of them would have another value. */
  isLossy: boolean;
}

export const jsonKinds = { boolean: 1, number: 2, text: 4, object: 8, list: 16, deep: 32 } as const;

export const textForms = { date: 1, time: 2, timeWithZone: 4, other: 8 } as const;

export function newPlace(): JsonPlace {
  return {
    kinds: 0,
    texts: 0,
    numbers: { wholeDigits: 0, scale: 0, isFloating: false, hasExponent: false, isWide: false, isLossy: false },
    objects: 0,
    fieldsOfObjects: 0,
    fields: [],
    fieldsByName: new Map(),
    items: undefined,
  };
}

/** Whether the objects are dictionaries: their many names are values, most of which are missing in each of them. */
export function isDictionary({ fields, objects, fieldsOfObjects }: JsonPlace): boolean {
  const { length } = fields;
  return length > 10_000 || (length > 200 && fieldsOfObjects < objects * length * 0.1);
}
