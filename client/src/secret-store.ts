import { createHash } from 'node:crypto';
import type { SecretUse } from '../../protocol/language-requests.ts';

/** A place that a value may be sent to, and the folder that this was allowed for. */
export interface AllowedUse extends Omit<SecretUse, 'dataSource' | 'file'> {
  /** Address of the workspace folder, or of the folder of the sources file where that is in none. */
  readonly folder: string;
}

/** A secret that is kept for another place, or, by earlier versions, for none. */
export interface KeptElsewhere {
  readonly value: string;
  readonly keptFor?: AllowedUse;
}

/** Secrets by the place that each may go to, and what else may be sent where. */
export interface SecretStore {
  /** All that was allowed, in the order in which it was. */
  allowed(): readonly AllowedUse[];
  /** Whether this very value may go to this very place; a secret must be kept for it. */
  isAllowed(use: AllowedUse): Promise<boolean>;
  /** The secret that is kept for this very place. */
  value(use: AllowedUse): Promise<string | undefined>;
  /** The secrets of a name that are kept for anything. */
  kept(name: string): Promise<readonly KeptElsewhere[]>;
  /** Names of all secrets that are kept. */
  names(): readonly string[];
  /** Keeps a secret for these places; for none when there is no place, so that its first use asks. */
  keep(name: string, value: string, uses: readonly AllowedUse[]): Promise<void>;
  /** Allows environment variables and logins to be sent, and copies secrets to where they are to go. */
  allow(uses: readonly AllowedUse[]): Promise<void>;
  /** Takes back what was allowed; the secrets that were kept for it go too. */
  revoke(uses: readonly AllowedUse[]): Promise<void>;
  /** Removes a secret that is kept for no place. */
  forgetUnbound(name: string): Promise<void>;
}

/** As VS Code has them: values that nobody can list, and a state without secrets. */
export interface SecretStorages {
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
/** Names of secrets that earlier versions kept for no place: storage cannot list what it holds. */
const unboundNamesKey = 'entityGraph.secretNames';

export function createSecretStore({ secrets, state }: SecretStorages, onChanged: () => void = () => {}): SecretStore {
  const allowed = (): readonly AllowedUse[] => state.get<readonly AllowedUse[]>(allowedKey, []);
  const unboundNames = (): readonly string[] => state.get<readonly string[]>(unboundNamesKey, []);
  const isListed = (use: AllowedUse): boolean => allowed().some((each) => isSame(each, use));
  const value = async (use: AllowedUse): Promise<string | undefined> =>
    isListed(use) ? secrets.get(boundKey(use)) : undefined;

  /** One change after the other: each reads what the one before has written. */
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
    // The value first: what is listed without one is not allowed.
    for (const use of uses) await secrets.store(boundKey(use), text);
    await list(uses);
  }

  async function kept(name: string): Promise<readonly KeptElsewhere[]> {
    const found: KeptElsewhere[] = [];
    for (const keptFor of allowed()) {
      if (keptFor.value !== 'secret' || keptFor.name !== name) continue;
      const text = await secrets.get(boundKey(keptFor));
      if (text !== undefined) found.push({ value: text, keptFor });
    }
    const unbound = await secrets.get(unboundKey(name));
    return unbound === undefined ? found : [...found, { value: unbound }];
  }

  return {
    allowed,
    value,
    kept,
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
          const nearest = nearestKept(await kept(use.name), use);
          if (nearest) await bind([use], nearest.value);
        }
        // It belongs to a place from now on.
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

/** The one that is meant most likely: of the same folder, then of the same server, then one that belongs to no place. */
export function nearestKept(kept: readonly KeptElsewhere[], use: AllowedUse): KeptElsewhere | undefined {
  return (
    kept.find(({ keptFor }) => keptFor?.folder === use.folder) ??
    kept.find(({ keptFor }) => keptFor?.origin === use.origin) ??
    kept.find(({ keptFor }) => keptFor === undefined) ??
    kept[0]
  );
}

function isSame(one: AllowedUse, other: AllowedUse): boolean {
  return identity(one) === identity(other);
}

function identity({ value, name, kind, origin, user, tls, folder }: AllowedUse): string {
  return JSON.stringify([value, name, kind, origin, user, tls, folder]);
}

/** Without what a message may have brought along. */
function bare({ value, name, kind, origin, user, tls, folder }: AllowedUse): AllowedUse {
  return { value, name, kind, origin, user, tls, folder };
}

function boundKey(use: AllowedUse): string {
  return `entityGraph.boundSecret.${createHash('sha256').update(identity(use)).digest('hex')}`;
}

function unboundKey(name: string): string {
  return `entityGraph.secret.${name}`;
}
