import { doubleQuoted } from '../standard/quoting.ts';
import { parseTrinoType, type TrinoField, type TrinoType } from './type-tree.ts';

/**
 * SQL of an array, map or row as JSON text with all digits. Parts that cannot become JSON become text first. Undefined
 * if a part cannot become text either, such as `varbinary`.
 */
export function trinoJsonText(value: string, type: string): string | undefined {
  const given = parseTrinoType(type);
  const converted = convertible(given);
  if (converted === undefined) return undefined;
  const text = typeText(converted);
  return `json_format(CAST(${text === typeText(given) ? value : `CAST(${value} AS ${text})`} AS JSON))`;
}

/** The name of a field in JSON: those without name are numbered, as all would have the same key. */
export function fieldKey({ name }: TrinoField, index: number): string {
  return name ?? `field${index}`;
}

/** The type that `CAST(… AS JSON)` accepts, with `varchar` for other parts; undefined where that is impossible. */
function convertible(type: TrinoType): TrinoType | undefined {
  switch (type.kind) {
    case 'array': {
      const element = convertible(type.element);
      return element && { kind: 'array', element };
    }
    case 'map': {
      const [key, value] = [convertible(type.key), convertible(type.value)];
      if (key?.kind !== 'scalar' || !value) return undefined;
      return { kind: 'map', key: jsonKeys.has(key.name) ? key : varchar, value };
    }
    case 'row': {
      const fields = type.fields.map((field, index) => {
        const of = convertible(field.type);
        return of && { name: fieldKey(field, index), type: of };
      });
      return fields.every((field) => field !== undefined) ? { kind: 'row', fields } : undefined;
    }
    case 'scalar': {
      const isZoned = /with time zone$/i.test(type.text);
      if (!isZoned && (jsonKeys.has(type.name) || jsonValues.has(type.name))) return type;
      return textual.has(type.name) || isZoned ? varchar : undefined;
    }
  }
}

function typeText(type: TrinoType): string {
  switch (type.kind) {
    case 'array':
      return `array(${typeText(type.element)})`;
    case 'map':
      return `map(${typeText(type.key)}, ${typeText(type.value)})`;
    case 'row': {
      const fields = type.fields.map(({ name, type: of }) =>
        name === undefined ? typeText(of) : `${doubleQuoted(name)} ${typeText(of)}`,
      );
      return `row(${fields.join(', ')})`;
    }
    case 'scalar':
      return type.text;
  }
}

const varchar: TrinoType = { kind: 'scalar', name: 'varchar', text: 'varchar' };

/**
 * `canCastToJson` and `isValidJsonObjectKeyType` in
 * https://github.com/trinodb/trino/blob/476/core/trino-main/src/main/java/io/trino/util/JsonUtil.java
 */
const jsonKeys: ReadonlySet<string> = new Set([
  ...['boolean', 'tinyint', 'smallint', 'integer', 'bigint', 'real', 'double', 'decimal', 'varchar', 'unknown'],
]);
const jsonValues: ReadonlySet<string> = new Set(['json', 'date', 'timestamp']);
/** Other types that a cast turns into text. */
const textual: ReadonlySet<string> = new Set(['char', 'time', 'uuid', 'ipaddress', 'interval']);
