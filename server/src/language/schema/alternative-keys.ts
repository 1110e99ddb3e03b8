import type { ErrorObject } from 'ajv';

/**
 * Keys of which an object needs one: `anyOf` (at least one) or `oneOf` (exactly one) of `required` in the schema, or may
 * not have all: `not`.
 */
export interface AlternativeKeys {
  readonly error: ErrorObject;
  readonly names: readonly string[];
  /** The given keys if there are several where only one is allowed; else empty. */
  readonly given: readonly string[];
}

/** The violated alternatives, and the violations that belong to no branch. */
export function splitAlternatives(errors: readonly ErrorObject[]): {
  readonly alternatives: readonly AlternativeKeys[];
  readonly others: readonly ErrorObject[];
} {
  const isOfBranch = ({ keyword, schemaPath }: ErrorObject): boolean =>
    keyword === 'required' && /\/(?:anyOf|oneOf)\/\d+\/required$/.test(schemaPath);
  const isChoice = ({ keyword }: ErrorObject): boolean => ['anyOf', 'oneOf', 'not'].includes(keyword);
  return {
    alternatives: errors.filter((error) => isChoice(error) && isObject(error.data)).map(alternativeKeys),
    others: errors.filter((error) => !isOfBranch(error) && !isChoice(error)),
  };
}

interface Schema {
  readonly required: readonly string[];
}

function alternativeKeys(error: ErrorObject): AlternativeKeys {
  const branches = [error.schema].flat() as readonly Schema[];
  const names = branches.flatMap(({ required }) => required);
  return { error, names, given: names.filter((name) => name in (error.data as object)) };
}

/** If a value is not an object, its type is the problem. */
function isObject(data: unknown): boolean {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}
