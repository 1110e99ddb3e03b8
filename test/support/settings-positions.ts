import sourcesSchema from '../../schemas/entity-sources.schema.json' with { type: 'json' };
import { sourceKinds } from '../../server/src/connectors/source-kinds.ts';

/** The parts of JSON Schema that the schema of data sources uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly if?: Schema;
  readonly then?: Schema;
}

/** A data source in which one setting has another value. */
export interface SettingPosition {
  readonly kind: string;
  /** Names of settings, `*` for names that people give, `[]` for an entry of a list. */
  readonly path: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** People give the names of its settings, such as those of columns. */
  readonly hasOwnNames: boolean;
}

const definitions = sourcesSchema.definitions as Readonly<Record<string, Schema>>;
/** A name that people give. */
const givenName = 'own';

/** Every place of the settings of every kind where a value can stand, with `value` there. */
export function settingPositions(value: unknown): readonly SettingPosition[] {
  return sourceKinds().flatMap(({ name: kind }) =>
    [...placed(definitions[kind] ?? {}, value)].map(([path, settings, hasOwnNames]) => ({
      kind,
      hasOwnNames,
      path,
      settings: { ...(settings as Readonly<Record<string, unknown>>), ...(path !== 'kind' && { kind }) },
    })),
  );
}

type Placed = readonly [path: string, whole: unknown, hasOwnNames: boolean];

/** A value that fits a schema, with `value` at each of its places. */
function* placed(at: Schema, value: unknown): Generator<Placed> {
  const own = resolved(at);
  if (isGroup(own)) {
    for (const branch of branchesOf(own)) {
      const whole = fitting(branch) as Readonly<Record<string, unknown>>;
      for (const [name, inner] of membersOf(branch)) {
        const shown = name === givenName ? '*' : name;
        yield [shown, { ...whole, [name]: value }, hasOwnNames(resolved(inner))];
        for (const [path, part, own] of placed(inner, value))
          yield [`${shown}.${path}`, { ...whole, [name]: part }, own];
      }
    }
  } else if (own.items) {
    yield ['[]', [value], hasOwnNames(resolved(own.items))];
    for (const [path, part, isOwn] of placed(own.items, value)) yield [`[].${path}`, [part], isOwn];
  }
  if (isGroup(own) && own.items) yield* placed({ items: own.items }, value);
}

function hasOwnNames({ additionalProperties }: Schema): boolean {
  return typeof additionalProperties === 'object';
}

function isGroup({ properties, additionalProperties, allOf }: Schema): boolean {
  return properties !== undefined || typeof additionalProperties === 'object' || allOf !== undefined;
}

/** A group whose settings depend on one of them, such as `kind` of `auth`, once for each. */
function branchesOf(own: Schema): readonly Schema[] {
  const branches = (own.allOf ?? []).flatMap(({ if: condition, then }) => (condition && then ? [resolved(then)] : []));
  return branches.length > 0 ? branches : [own];
}

function membersOf({ properties = {}, additionalProperties }: Schema): readonly (readonly [string, Schema])[] {
  const named = Object.entries(properties);
  return typeof additionalProperties === 'object' ? [...named, [givenName, additionalProperties]] : named;
}

function fitting(schema: Schema): unknown {
  const own = resolved(schema);
  if (own.const !== undefined) return own.const;
  if (own.enum) return own.enum[0];
  if (isGroup(own)) {
    const [branch = own] = branchesOf(own);
    const needed = (branch.required ?? []).map((name) => [name, fitting(branch.properties?.[name] ?? {})]);
    return Object.fromEntries(needed);
  }
  if (own.examples && own.examples.length > 0) return own.examples[0];
  if (own.items) return [fitting(own.items)];
  return 'x';
}

function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  return resolved(definitions[schema.$ref.slice('#/definitions/'.length)] ?? {});
}
