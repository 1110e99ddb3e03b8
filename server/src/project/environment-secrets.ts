import type { SecretReader } from '../connectors/connector-context.ts';
import { secretVariableName } from '../connectors/secret-variable.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads `${secret:NAME}` from the environment, for the command line. */
export function readSecretFromEnvironment(environment: Environment): SecretReader {
  return async (name) => secretInEnvironment(environment, name)?.value;
}

/** A secret in the environment: `ENTITY_GRAPH_SECRET_NAME`, with the name as written or in upper case. */
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

/** Names of the secrets in the environment, in the usual spelling of sources files. */
export function secretsInEnvironment(environment: Environment): readonly string[] {
  const names = Object.keys(environment).flatMap((variable) => /^ENTITY_GRAPH_SECRET_(.+)$/.exec(variable)?.[1] ?? []);
  return names.map((name) => (name === name.toUpperCase() ? name.toLowerCase() : name)).sort();
}
