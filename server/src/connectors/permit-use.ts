import type { Receiver } from './receiver.ts';

/** The origin of a value: a reference in a setting, or a login whose token is sent. */
export interface ValueReference {
  /** `login`: the token of a browser login; `name` is the issuing origin. */
  readonly kind: 'secret' | 'env' | 'login';
  readonly name: string;
}

/** A value that a data source sends to a server. */
export interface ValueUse {
  readonly reference: ValueReference;
  readonly receiver: Receiver;
  readonly dataSource: string;
  /** Absolute path of the data sources file. */
  readonly file: string;
}

/** Resolves to the uses without consent. Never prompts. */
export type PermitUses = (uses: readonly ValueUse[]) => Promise<readonly ValueUse[]>;

/** For the command line, whose user controls the environment. */
export const permitAllUses: PermitUses = async () => [];

/** Description of a value for messages. */
export function referenceText({ kind, name }: ValueReference): string {
  switch (kind) {
    case 'secret':
      return `the secret ${name}`;
    case 'env':
      return `the environment variable ${name}`;
    case 'login':
      return `the login at ${name}`;
  }
}

/** Two uses are equal when the same value goes to the same place. */
export function useKey({ reference, receiver, file }: ValueUse): string {
  const { kind, origin, user, tls } = receiver;
  return JSON.stringify([reference.kind, reference.name, kind, origin, user, tls, file]);
}
