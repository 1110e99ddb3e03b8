/** A type as the server writes it, taken apart. */
export type TrinoType =
  | { readonly kind: 'array'; readonly element: TrinoType }
  | { readonly kind: 'map'; readonly key: TrinoType; readonly value: TrinoType }
  | { readonly kind: 'row'; readonly fields: readonly TrinoField[] }
  /** `name` is the first word, in lower case. */
  | { readonly kind: 'scalar'; readonly name: string; readonly text: string };

export interface TrinoField {
  /** Undefined for a field without name. */
  readonly name: string | undefined;
  readonly type: TrinoType;
}

/** Parses a type such as `row(time timestamp(3), ids array(bigint))`. The server quotes names of fields only where they need it. */
export function parseTrinoType(text: string): TrinoType {
  const [, structure = '', inner = ''] = /^\s*(array|map|row)\s*\(([^]*)\)\s*$/i.exec(text) ?? [];
  const parts = structure === '' ? [] : splitOutside(inner, ',');
  const [first, second] = parts;
  switch (structure.toLowerCase()) {
    case 'array':
      if (first !== undefined && second === undefined) return { kind: 'array', element: parseTrinoType(first) };
      break;
    case 'map':
      if (first !== undefined && second !== undefined && parts.length === 2) {
        return { kind: 'map', key: parseTrinoType(first), value: parseTrinoType(second) };
      }
      break;
    case 'row':
      return { kind: 'row', fields: parts.map(fieldOf) };
  }
  const name = /^\s*([a-z]\w*)/i.exec(text)?.[1] ?? '';
  return { kind: 'scalar', name: name.toLowerCase(), text: text.trim() };
}

/** Types have one word, or four at the end of the field; a name may have any number of them. */
function fieldOf(text: string): TrinoField {
  const words = splitOutside(text.trim(), ' ').filter((word) => word !== '');
  const ending = words.slice(-3).join(' ').toLowerCase();
  const isZoned = ending === 'with time zone';
  const isInterval = /^(day to second|year to month)$/.test(ending) && words.at(-4)?.toLowerCase() === 'interval';
  const wordsOfType = isZoned || isInterval ? 4 : 1;
  const name = words.slice(0, -wordsOfType).join(' ');
  return {
    name: name === '' ? undefined : /^".*"$/.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name,
    type: parseTrinoType(words.slice(-wordsOfType).join(' ')),
  };
}

/** Splits at a character, but not within brackets and quotes. */
function splitOutside(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let [depth, start, isQuoted] = [0, 0, false];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}
