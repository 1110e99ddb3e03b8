import type { SecretReader } from '../connectors/connector-context.ts';
import { secretVariableName } from '../connectors/secret-variable.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads `${secret:NAME}` from the environment, as the command line does. */
export function readSecretFromEnvironment(environment: Environment): SecretReader {
  return async (name) => secretInEnvironment(environment, name)?.value;
}

/** A secret that the environment holds: as `ENTITY_GRAPH_SECRET_NAME`, the name as written, or in the upper case that shells prefer. */
export function secretInEnvironment(
  environment: Environment,
  name: string,
): { readonly variable: string; readonly value: string } | undefined {
  for (const variable of [`ENTITY_GRAPH_SECRET_${name}`, secretVariableName(name)]) {
    const value = environment[variable];
    if (value !== undefined) return { variable, value };
  }
  return undefined;
}

/** The names of the secrets that the environment holds, in the spelling that sources files prefer. */
export function secretsInEnvironment(environment: Environment): readonly string[] {
  const names = Object.keys(environment).flatMap((variable) => /^ENTITY_GRAPH_SECRET_(.+)$/.exec(variable)?.[1] ?? []);
  return names.map((name) => (name === name.toUpperCase() ? name.toLowerCase() : name)).sort();
}
