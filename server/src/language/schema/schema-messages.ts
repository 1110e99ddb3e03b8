import type { ErrorObject } from 'ajv';

/**
 * Description of the expected and the found type.
 * @param written the value as the file has it, if it reads differently; null for one that must not be quoted.
 */
export function typeMessage(
  { params, data }: ErrorObject,
  path: readonly string[],
  written: string | null = String(data as string | number | boolean | null | undefined),
): string {
  const expected = [params['type'] as string | readonly string[]].flat().filter((type) => type !== 'null');
  const names = expected.map((type) => typeNames[type] ?? type).join(' or ');
  const quote = expected.includes('string') && (typeof data === 'number' || typeof data === 'boolean');
  const remedy = quote ? ` Put it in quotes${written === null ? '' : `: "${written}"`}.` : '';
  if (data === null) return `${thing(path)} is empty: it must be ${names}.`;
  const found = Array.isArray(data)
    ? 'a list'
    : typeof data === 'object'
      ? 'a group of settings'
      : (written ?? kindOf(data));
  return `${thing(path)} must be ${names}, not ${found}.${remedy}`;
}

function kindOf(data: unknown): string {
  if (typeof data === 'boolean') return 'true or false';
  return typeof data === 'number' ? 'a number' : 'a text';
}

/** Description of a violated constraint, to follow the field name. */
export function limitMessage({ keyword, params, parentSchema }: ErrorObject): string {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return limit === '1' ? 'must not be empty' : `must have at least ${limit} entries`;
    case 'maxItems':
      return `must have at most ${limit} entries`;
    case 'maxLength':
      return limit === '1' ? 'must be one character' : `must have at most ${limit} characters`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    default: {
      const [example] = (parentSchema?.['examples'] ?? []) as readonly unknown[];
      if (example === undefined) return 'is not written as it should be';
      const shown = String(example);
      // The message ends with a full stop.
      return `must be written like ${shown.endsWith('.') ? `"${shown}"` : shown}`;
    }
  }
}

/** Joins names for a sentence. */
export function listOf(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The last name of a path, for messages. */
export function thing(path: readonly string[]): string {
  const named = path.findLast((part) => !/^\d+$/.test(part));
  if (named === undefined) return 'The file';
  return /^\d+$/.test(path.at(-1) ?? '') ? `An entry of "${named}"` : `"${named}"`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  array: 'a list',
  object: 'a group of settings',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};
