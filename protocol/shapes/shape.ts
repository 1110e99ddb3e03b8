/**
 * Validates an untrusted value: returns one sentence about the mistake, or nothing. `name` is the path of the value,
 * such as `target.kind`; empty for the whole message.
 */
export interface Shape<out T> {
  (value: unknown, name: string): string | undefined;
  /** Phantom member: tells the compiler the validated type. */
  readonly of?: T;
}

/** An optional property. */
export interface Optional<out T> {
  readonly optional: Shape<T>;
}

/** The schemas of all properties of an object; the compiler reports a missing one. */
export type Fields<T> = {
  readonly [K in keyof T]-?: Partial<Record<K, T[K]>> extends Pick<T, K>
    ? Optional<Exclude<T[K], undefined>>
    : Shape<T[K]>;
};

export const text: Shape<string> = (value, name) =>
  typeof value === 'string' ? undefined : wrong(value, name, 'a text');

export const flag: Shape<boolean> = (value, name) =>
  typeof value === 'boolean' ? undefined : wrong(value, name, 'true or false');

export const number: Shape<number> = (value, name) =>
  typeof value === 'number' && Number.isFinite(value) ? undefined : wrong(value, name, 'a number');

/** A whole number that is not negative. */
export const count: Shape<number> = (value, name) =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : wrong(value, name, 'a whole number of at least 0');

export const anything: Shape<unknown> = () => undefined;

export function optional<T>(shape: Shape<T>): Optional<T> {
  return { optional: shape };
}

export function nullable<T>(shape: Shape<T>): Shape<T | null> {
  return (value, name) => (value === null ? undefined : shape(value, name));
}

export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value, name) => {
    if (!Array.isArray(value)) return wrong(value, name, 'a list');
    for (const [index, each] of value.entries()) {
      const mistake = shape(each, member(name, String(index)));
      if (mistake !== undefined) return mistake;
    }
    return undefined;
  };
}

/** An object whose members all have one schema. */
export function record<T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return (value, name) => {
    if (!isObject(value)) return wrong(value, name, 'an object');
    for (const [key, each] of Object.entries(value)) {
      const mistake = shape(each, member(name, key));
      if (mistake !== undefined) return mistake;
    }
    return undefined;
  };
}

/** An object with these properties. Others are ignored, because a newer program may send them. */
export function object<T extends object>(fields: Fields<T>): Shape<T> {
  return members(fields as Members) as Shape<T>;
}

export type Members = Readonly<Record<string, Shape<unknown> | Optional<unknown>>>;

/** A shape whose properties are not compared with a type, for messages that are defined elsewhere. */
export function members(fields: Members): Shape<unknown> {
  const shapes = Object.entries(fields);
  return (value, name) => {
    if (!isObject(value)) return wrong(value, name, 'an object');
    for (const [key, field] of shapes) {
      const each = Object.hasOwn(value, key) ? value[key] : undefined;
      if ('optional' in field && each === undefined) continue;
      const mistake = ('optional' in field ? field.optional : field)(each, member(name, key));
      if (mistake !== undefined) return mistake;
    }
    return undefined;
  };
}

/** One of several string literals; the table must list all of them. */
export function choice<T extends string>(words: Readonly<Record<T, true>>): Shape<T> {
  const known = Object.keys(words);
  return (value, name) => {
    if (typeof value === 'string' && known.includes(value)) return undefined;
    const expected = `one of ${known.map((word) => `"${word}"`).join(', ')}`;
    return wrong(value, name, expected, typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : undefined);
  };
}

/** One of two unrelated forms; when neither matches, the problem of the first one is reported. */
export function either<A, B>(first: Shape<A>, second: Shape<B>): Shape<A | B> {
  return (value, name) => {
    const mistake = first(value, name);
    return mistake === undefined || second(value, name) === undefined ? undefined : mistake;
  };
}

/** The union variant of a tag; a tag may select several variants. */
type Variant<T, Tag extends keyof T, Value> =
  T extends Readonly<Record<Tag, infer Own>> ? (Value extends Own ? T : never) : never;

/** A union of objects discriminated by a tag: the other properties of each variant. */
export type Variants<T, Tag extends keyof T> = {
  readonly [Value in T[Tag] & string]: Fields<Omit<Variant<T, Tag, Value>, Tag>>;
};

export function tagged<T extends object, Tag extends keyof T & string>(tag: Tag, variants: Variants<T, Tag>): Shape<T> {
  const entries = Object.entries(variants as Readonly<Record<string, Members>>);
  const tags = choice(Object.fromEntries(entries.map(([value]) => [value, true])));
  const shapes = new Map(entries.map(([value, fields]) => [value, members(fields)]));
  return (value, name) => {
    if (!isObject(value)) return wrong(value, name, 'an object');
    const chosen: unknown = value[tag];
    return tags(chosen, member(name, tag)) ?? shapes.get(String(chosen))?.(value, name);
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function member(name: string, key: string): string {
  return name === '' ? key : `${name}.${key}`;
}

function wrong(value: unknown, name: string, expected: string, found = kindOf(value)): string {
  const subject = name === '' ? 'The message' : `"${name}"`;
  return value === undefined
    ? `${subject} is missing: it must be ${expected}.`
    : `${subject} must be ${expected}, not ${found}.`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : 'something else';
}
