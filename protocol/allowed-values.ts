import type { SecretUse } from './requests/client-requests.ts';

/**
 * With this environment variable, a list of `AllowedValue` in JSON, a program sends these values only, each to its place:
 * what a person has allowed in the editor.
 */
export const allowedValuesVariable = 'ENTITY_GRAPH_ALLOWED_VALUES';

/** With this environment variable, the path of a file, the server of tools for agents ends when the file is deleted. */
export const leaseVariable = 'ENTITY_GRAPH_ENDS_WITH';

/** A secret, or an environment variable, for one place. */
export interface AllowedValue extends Pick<SecretUse, 'value' | 'name' | 'kind' | 'origin' | 'user' | 'tls'> {
  readonly text: string;
}
