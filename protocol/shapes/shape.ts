/**
 * Validates an untrusted value: returns one sentence about the mistake, or nothing. `name` is the path of the value,
 * such as `target.kind`; empty for the whole message.
 */
export interface Shape<out T> {
  (value: unknown, name: string): string | undefined;
  /** Phantom member: tells the compiler the validated type. */
  readonly of?: T;
}

/** The type that a schema validates. */
export type Checked<S> = S extends Shape<infer T> ? T : never;

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

export type Members = Readonly<Record<string, Shape<unknown> | Optional<unknown>>>;

type OptionalKeys<F> = { [K in keyof F]: F[K] extends Optional<unknown> ? K : never }[keyof F];

/** The type of an object with these properties. */
export type ObjectOf<F> = Plain<
  { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Checked<F[K]> } & {
    readonly [K in OptionalKeys<F>]?: (F[K] extends Optional<infer T> ? T : never) | undefined;
  }
>;

/** One object type for an intersection. */
type Plain<T> = { [K in keyof T]: T[K] };

/**
 * An object with these properties. Others are ignored, because a newer program may send them. The type is inferred,
 * unless it is given because it is declared elsewhere.
 */
export function object<const F extends Members>(fields: F): Shape<ObjectOf<F>>;
export function object<T extends object>(fields: Fields<T>): Shape<T>;
export function object(fields: Members): Shape<unknown> {
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

/** Both shapes at once, of one value. */
export function both<A, B>(first: Shape<A>, second: Shape<B>): Shape<A & B> {
  return (value, name) => first(value, name) ?? second(value, name);
}

/** One of several string literals. */
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

/** A union of objects discriminated by a tag: the other properties of each variant. */
type Tagged<Tag extends string, V> = {
  [Value in keyof V]: Plain<{ readonly [T in Tag]: Value } & ObjectOf<V[Value]>>;
}[keyof V];

export function tagged<Tag extends string, const V extends Readonly<Record<string, Members>>>(
  tag: Tag,
  variants: V,
): Shape<Tagged<Tag, V>> {
  const entries = Object.entries(variants);
  const tags = choice(Object.fromEntries(entries.map(([value]) => [value, true])));
  const shapes = new Map(entries.map(([value, fields]) => [value, object(fields)]));
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
