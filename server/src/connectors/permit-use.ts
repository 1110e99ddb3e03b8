import type { Receiver } from './receiver.ts';

/** What a setting takes its value from, or a login whose token is sent. */
export interface ValueReference {
  /** `login`: the token of a login in the browser, `name` being the origin that gave it. */
  readonly kind: 'secret' | 'env' | 'login';
  readonly name: string;
}

/** A value that a data source wants to send somewhere. */
export interface ValueUse {
  readonly reference: ValueReference;
  readonly receiver: Receiver;
  readonly dataSource: string;
  /** Absolute path of the data sources file. */
  readonly file: string;
}

/** Resolves to those of the uses that nobody has allowed. Never asks the user. */
export type PermitUses = (uses: readonly ValueUse[]) => Promise<readonly ValueUse[]>;

/** For the command line: whoever sets the environment there means it. */
export const permitAllUses: PermitUses = async () => [];

/** What a message calls a value. */
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

/** Two uses are the same when the same value goes to the same place. */
export function useKey({ reference, receiver, file }: ValueUse): string {
  const { kind, origin, user, tls } = receiver;
  return JSON.stringify([reference.kind, reference.name, kind, origin, user, tls, file]);
}
