import { quoteIdentifier } from '../../query/quote.ts';
import { smallestDecimal } from './exact-numbers.ts';
import { type JsonField, type JsonNumbers, type JsonPlace, isDictionary, jsonKinds, textForms } from './json-places.ts';

/** The type of a place with texts only. */
export type TypeOfTexts = (place: JsonPlace) => string;

/** The DuckDB type that keeps all values of a place. Values of mixed shape are JSON. */
export function typeOfPlace(place: JsonPlace, typeOfTexts: TypeOfTexts): string {
  const { kinds } = place;
  switch (kinds) {
    case 0:
      return 'VARCHAR';
    case jsonKinds.boolean:
      return 'BOOLEAN';
    case jsonKinds.number:
      return typeOfNumbers(place.numbers) ?? 'VARCHAR';
    case jsonKinds.text:
      return typeOfTexts(place);
    case jsonKinds.object:
      return typeOfObjects(place, typeOfTexts);
    case jsonKinds.list:
      return `${typeOfItems(place.items, typeOfTexts)}[]`;
    default:
      return kinds < jsonKinds.object ? 'VARCHAR' : 'JSON';
  }
}

/** Undefined for numbers that only a text holds. */
export function typeOfNumbers(numbers: JsonNumbers): string | undefined {
  const { wholeDigits: whole, scale: fraction, isFloating, hasExponent: haveExponents, isWide, isLossy } = numbers;
  if (!isFloating && !isWide) return 'BIGINT';
  if (isFloating && !isLossy) return 'DOUBLE';
  return smallestDecimal({ whole, fraction, haveExponents });
}

/** Whether SQL can tell the names of fields apart. */
function haveDistinctNames(fields: readonly JsonField[]): boolean {
  return new Set(fields.map(({ name }) => foldedName(name))).size === fields.length;
}

/** Equal for names that are one name for DuckDB. */
export function foldedName(name: string): string {
  return name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The type of texts in ISO 8601. */
export function typeOfForms({ texts }: Pick<JsonPlace, 'texts'>): string {
  switch (texts) {
    case textForms.date:
      return 'DATE';
    case textForms.time:
    case textForms.time | textForms.date:
      return 'TIMESTAMP';
    case textForms.timeWithZone:
      return 'TIMESTAMP WITH TIME ZONE';
    default:
      return 'VARCHAR';
  }
}

function typeOfObjects(place: JsonPlace, typeOfTexts: TypeOfTexts): string {
  const { fields } = place;
  const isReadable = fields.length > 0 && fields.every(({ name }) => name !== '') && haveDistinctNames(fields);
  if (!isReadable || isDictionary(place)) return 'JSON';
  const types = fields.map(({ name, place: each }) => `${quoteIdentifier(name)} ${typeOfPlace(each, typeOfTexts)}`);
  return `STRUCT(${types.join(', ')})`;
}

/** Items of mixed kinds stay what they are in the JSON text of the list. */
function typeOfItems(items: JsonPlace | undefined, typeOfTexts: TypeOfTexts): string {
  if (!items || items.kinds === 0) return 'VARCHAR';
  const isMixed = (items.kinds & (items.kinds - 1)) !== 0;
  return isMixed ? 'JSON' : typeOfPlace(items, typeOfTexts);
}
