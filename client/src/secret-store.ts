import { createHash } from 'node:crypto';
import type { SecretUse } from '../../protocol/requests/client-requests.ts';

/** A security place, and the folder of its consent. */
export interface AllowedUse extends Omit<SecretUse, 'dataSource' | 'file'> {
  /** URI of the workspace folder, or of the folder of a sources file outside all of them. */
  readonly folder: string;
}

/** A secret stored for another place, or without one. */
interface StoredSecret {
  readonly value: string;
  readonly storedFor?: AllowedUse;
}

/** Secrets by security place, and the list of allowed values and places. */
export interface SecretStore {
  /** All consents, in order. */
  allowed(): readonly AllowedUse[];
  /** Whether this value may be sent to this place; a secret must also be stored for it. */
  isAllowed(use: AllowedUse): Promise<boolean>;
  /** The secret stored for this place. */
  value(use: AllowedUse): Promise<string | undefined>;
  /** The secrets of a name, for any place. */
  storedSecrets(name: string): Promise<readonly StoredSecret[]>;
  /** Names of all stored secrets. */
  names(): readonly string[];
  /** Stores a secret for these places, or without a place, so that its first use asks. */
  keep(name: string, value: string, uses: readonly AllowedUse[]): Promise<void>;
  /** Records consent for environment variables and logins, and copies secrets to their new places. */
  allow(uses: readonly AllowedUse[]): Promise<void>;
  /** Revokes consent, and deletes the secrets stored for it. */
  revoke(uses: readonly AllowedUse[]): Promise<void>;
  /** Deletes a secret without a place. */
  forgetUnbound(name: string): Promise<void>;
}

/** VS Code's storages: secrets cannot be listed, so the list is kept in a memento without values. */
interface SecretStorages {
  readonly secrets: {
    get(key: string): Thenable<string | undefined>;
    store(key: string, value: string): Thenable<void>;
    delete(key: string): Thenable<void>;
  };
  readonly state: {
    get<T>(key: string, fallback: T): T;
    update(key: string, value: unknown): Thenable<void>;
  };
}

const allowedKey = 'entityGraph.allowedUses';
/** Names of secrets that are stored without a place, as storage cannot be listed. */
const unboundNamesKey = 'entityGraph.secretNames';

export function createSecretStore({ secrets, state }: SecretStorages, onChanged: () => void = () => {}): SecretStore {
  const allowed = (): readonly AllowedUse[] => state.get<readonly AllowedUse[]>(allowedKey, []);
  const unboundNames = (): readonly string[] => state.get<readonly string[]>(unboundNamesKey, []);
  const isListed = (use: AllowedUse): boolean => allowed().some((each) => isSame(each, use));
  const value = async (use: AllowedUse): Promise<string | undefined> =>
    isListed(use) ? secrets.get(boundKey(use)) : undefined;

  /** Changes run one after another, each based on the previous result. */
  let changing: Promise<unknown> = Promise.resolve();
  function change(work: () => Promise<void>): Promise<void> {
    const mine = changing.then(work, work);
    changing = mine.catch(() => undefined);
    return mine.then(onChanged);
  }

  async function list(uses: readonly AllowedUse[]): Promise<void> {
    const others = allowed().filter((each) => !uses.some((use) => isSame(each, use)));
    await state.update(allowedKey, [...others, ...uses.map(bare)]);
  }

  async function keepUnbound(name: string, text: string): Promise<void> {
    await secrets.store(unboundKey(name), text);
    await state.update(unboundNamesKey, [...new Set([...unboundNames(), name])].sort());
  }

  async function dropUnbound(name: string): Promise<void> {
    await secrets.delete(unboundKey(name));
    await state.update(
      unboundNamesKey,
      unboundNames().filter((each) => each !== name),
    );
  }

  async function bind(uses: readonly AllowedUse[], text: string): Promise<void> {
    // The value is stored first: a listed entry without a value is not allowed.
    for (const use of uses) await secrets.store(boundKey(use), text);
    await list(uses);
  }

  async function storedSecrets(name: string): Promise<readonly StoredSecret[]> {
    const found: StoredSecret[] = [];
    for (const storedFor of allowed()) {
      if (storedFor.value !== 'secret' || storedFor.name !== name) continue;
      const text = await secrets.get(boundKey(storedFor));
      if (text !== undefined) found.push({ value: text, storedFor });
    }
    const unbound = await secrets.get(unboundKey(name));
    return unbound === undefined ? found : [...found, { value: unbound }];
  }

  return {
    allowed,
    value,
    storedSecrets,
    async isAllowed(use) {
      return use.value === 'secret' ? (await value(use)) !== undefined : isListed(use);
    },
    names() {
      const bound = allowed().flatMap((use) => (use.value === 'secret' ? [use.name] : []));
      return [...new Set([...unboundNames(), ...bound])].sort();
    },
    keep: (name, text, uses) =>
      change(async () => {
        if (uses.length === 0) return keepUnbound(name, text);
        await bind(uses, text);
      }),
    allow: (uses) =>
      change(async () => {
        await list(uses.filter(({ value: kind }) => kind !== 'secret'));
        for (const use of uses) {
          if (use.value !== 'secret') continue;
          const nearest = nearestStored(await storedSecrets(use.name), use);
          if (nearest) await bind([use], nearest.value);
        }
        // From now on it belongs to a place.
        for (const name of new Set(uses.flatMap((use) => (use.value === 'secret' ? [use.name] : [])))) {
          await dropUnbound(name);
        }
      }),
    revoke: (uses) =>
      change(async () => {
        for (const use of uses) if (use.value === 'secret') await secrets.delete(boundKey(use));
        await state.update(
          allowedKey,
          allowed().filter((each) => !uses.some((use) => isSame(each, use))),
        );
      }),
    forgetUnbound: (name) => change(() => dropUnbound(name)),
  };
}

/** The most likely secret: of the same folder, then of the same server, then without a place. */
export function nearestStored(storedSecrets: readonly StoredSecret[], use: AllowedUse): StoredSecret | undefined {
  return (
    storedSecrets.find(({ storedFor }) => storedFor?.folder === use.folder) ??
    storedSecrets.find(({ storedFor }) => storedFor?.origin === use.origin) ??
    storedSecrets.find(({ storedFor }) => storedFor === undefined) ??
    storedSecrets[0]
  );
}

function isSame(one: AllowedUse, other: AllowedUse): boolean {
  return identity(one) === identity(other);
}

function identity({ value, name, kind, origin, user, tls, folder }: AllowedUse): string {
  return JSON.stringify([value, name, kind, origin, user, tls, folder]);
}

/** Drops other properties of a message. */
function bare({ value, name, kind, origin, user, tls, folder }: AllowedUse): AllowedUse {
  return { value, name, kind, origin, user, tls, folder };
}

function boundKey(use: AllowedUse): string {
  return `entityGraph.boundSecret.${createHash('sha256').update(identity(use)).digest('hex')}`;
}

function unboundKey(name: string): string {
  return `entityGraph.secret.${name}`;
}
