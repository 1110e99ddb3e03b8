/** Fields of a schema element of a Parquet footer: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift */
const fields = { children: 5, convertedType: 6, scale: 7, precision: 8, logicalType: 10 } as const;

/** What makes the bytes of a column numbers. */
const decimalFields: ReadonlySet<number> = new Set([
  fields.convertedType,
  fields.scale,
  fields.precision,
  fields.logicalType,
]);

/** A decimal of more digits than DuckDB has. */
export interface WideDecimal {
  /** The 0-based position of the column among those of the file; undefined inside an object or list. */
  readonly column: number | undefined;
  readonly precision: number;
  readonly scale: number;
}

/** The decimals of more than 38 digits of a footer, and the footer that has their bytes instead of numbers. */
export function plainFooter(footer: Buffer): { readonly decimals: readonly WideDecimal[]; readonly footer: Buffer } {
  const reader = compactReader(footer);
  const list = reader.structFields().find(({ id }) => id === 2);
  if (!list) throw new Error('A footer has a schema.');
  reader.at = list.start;
  const count = reader.listSize();
  const decimals: WideDecimal[] = [];
  const parts = [footer.subarray(0, reader.at)];
  /** Elements that are still missing in each object or list around the current one. */
  const missing: number[] = [];
  let column = -1;
  for (let index = 0; index < count; index += 1) {
    const start = reader.at;
    const all = reader.structFields();
    const numberOf = (id: number): number => reader.integerOf(all.find((field) => field.id === id));
    const isTop = missing.length === 1;
    if (isTop) column += 1;
    const precision = numberOf(fields.precision);
    if (precision > 38) {
      decimals.push({ column: isTop ? column : undefined, precision, scale: numberOf(fields.scale) });
      parts.push(
        structOf(
          all.filter(({ id }) => !decimalFields.has(id)),
          footer,
        ),
      );
    } else parts.push(footer.subarray(start, reader.at));
    if (missing.length > 0) missing.push((missing.pop() ?? 0) - 1);
    const children = numberOf(fields.children);
    if (children > 0) missing.push(children);
    while (missing.at(-1) === 0) missing.pop();
  }
  return { decimals, footer: Buffer.concat([...parts, footer.subarray(reader.at)]) };
}

/** A field of a struct, with the place of its value. */
interface Field {
  readonly id: number;
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

function structOf(all: readonly Field[], bytes: Buffer): Buffer {
  let before = 0;
  const parts = all.flatMap(({ id, type, start, end }) => {
    const head = Buffer.from([((id - before) << 4) | type]);
    before = id;
    return [head, bytes.subarray(start, end)];
  });
  return Buffer.concat([...parts, Buffer.from([0])]);
}

/** Reads https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md */
function compactReader(bytes: Buffer) {
  const reader = {
    at: 0,
    /** The fields of the struct at the position, which moves behind it. */
    structFields(): readonly Field[] {
      const found: Field[] = [];
      let id = 0;
      for (;;) {
        const head = byte();
        if (head === 0) return found;
        id = head >> 4 === 0 ? zigzag(varint()) : id + (head >> 4);
        const start = reader.at;
        skip(head & 0x0f);
        found.push({ id, type: head & 0x0f, start, end: reader.at });
      }
    },
    /** The number of items of the list at the position, which moves to the first. */
    listSize: (): number => listHead().size,
    /** The value of a whole number; 0 without one. */
    integerOf(field: Field | undefined): number {
      if (!field) return 0;
      const before = reader.at;
      reader.at = field.start;
      const value = zigzag(varint());
      reader.at = before;
      return value;
    },
  };
  const byte = (): number => {
    const found = bytes[reader.at];
    if (found === undefined) throw new Error('The footer ends too early.');
    reader.at += 1;
    return found;
  };
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const next = byte();
      value += (next & 0x7f) * factor;
      if (next < 0x80) return value;
    }
  };
  const listHead = (): { readonly size: number; readonly type: number } => {
    const head = byte();
    return { size: head >> 4 === 15 ? varint() : head >> 4, type: head & 0x0f };
  };
  const skip = (type: number): void => {
    if (type <= 2) return;
    if (type === 3) reader.at += 1;
    else if (type <= 6) varint();
    else if (type === 7) reader.at += 8;
    else if (type === 8) {
      const length = varint();
      reader.at += length;
    } else if (type === 9 || type === 10) {
      const { size, type: items } = listHead();
      // In a list a boolean has a byte.
      for (let index = 0; index < size; index += 1) skip(items <= 2 ? 3 : items);
    } else if (type === 12) reader.structFields();
    else throw new Error(`A footer has no values of the type ${type}.`);
  };
  return reader;
}

const zigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
