import type { ClientRequests, SecretUse } from '../../../../protocol/language-requests.ts';
import type { SecretReader } from '../../connectors/connector-context.ts';
import type { PermitUses, ValueUse } from '../../connectors/permit-use.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { referenceNames } from '../../model/value-references.ts';
import { secretInEnvironment } from '../../project/environment-secrets.ts';
import type { SourcesFile } from '../../project/open-project.ts';
import { valueUsesOf } from '../../project/value-uses.ts';
import { type MayAsk, type UsePermissions, secretUse } from './use-permissions.ts';

type SecretParams = ClientRequests['entityGraph/secret']['params'];

/** Asks the client; undefined when it is not our client. */
export type SecretRequest = (
  params: SecretParams,
) => Promise<ClientRequests['entityGraph/secret']['result']> | undefined;

type SourcesPath = Pick<SourcesFile, 'path'>;

/** Where `${secret:NAME}` comes from: the client's secret storage, else the environment; and whether it may be sent where it would go. */
export interface Secrets {
  /** Never asks the user. */
  readonly read: SecretReader;
  /** Never asks the user. */
  readonly permit: PermitUses;
  /** Whether a source can be reached without a question; the user may be offered to allow what keeps it from being reached. */
  areKnown(file: SourcesPath, source: DataSource): Promise<boolean>;
  /** Asks the user whether values may be sent, and for secrets that are missing; what is not answered stays refused or missing. */
  askForMissing(file: SourcesPath, source: DataSource): Promise<void>;
  /** What a source sends; nothing when its settings cannot be used. */
  usesOf(file: SourcesPath, source: DataSource): Promise<readonly SecretUse[]>;
}

export interface SecretSurroundings {
  readonly request: SecretRequest;
  readonly permissions: UsePermissions;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function createSecrets({ request, permissions, environment }: SecretSurroundings): Secrets {
  const stored = async (name: string, uses: readonly ValueUse[], prompt: boolean): Promise<string | undefined> =>
    (await request({ name, prompt, uses: uses.map(secretUse) }))?.value ?? undefined;

  const read: SecretReader = async (name, uses) =>
    (await stored(name, uses, false)) ?? secretInEnvironment(environment, name)?.value;

  /** What is really sent: a secret that storage does not have is the value of an environment variable. */
  async function realUse(use: ValueUse, uses: readonly ValueUse[]): Promise<ValueUse> {
    const { kind, name } = use.reference;
    const found = kind === 'secret' ? secretInEnvironment(environment, name) : undefined;
    if (!found || (await stored(name, usesOfSecret(uses, name), false)) !== undefined) return use;
    return { ...use, reference: { kind: 'env', name: found.variable } };
  }

  async function refused(uses: readonly ValueUse[], mayAsk: MayAsk): Promise<readonly ValueUse[]> {
    if (uses.length === 0) return [];
    const real = await Promise.all(uses.map((use) => realUse(use, uses)));
    return permissions.refused(real, mayAsk);
  }

  return {
    read,
    permit: (uses) => refused(uses, 'no'),
    async areKnown(file, source) {
      const uses = await valueUsesOf(file, source, environment);
      if (!uses) return true;
      if ((await refused(uses, 'offer')).length > 0) return false;
      const names = referenceNames(source.settings).secrets;
      const values = await Promise.all(names.map((name) => read(name, usesOfSecret(uses, name))));
      return values.every((value) => value !== undefined);
    },
    async askForMissing(file, source) {
      const uses = await valueUsesOf(file, source, environment);
      if (!uses || (await refused(uses, 'now')).length > 0) return;
      for (const name of referenceNames(source.settings).secrets) {
        const own = usesOfSecret(uses, name);
        // Who dismisses one does not want to be asked for the next.
        if ((await read(name, own)) === undefined && (await stored(name, own, true)) === undefined) return;
      }
    },
    usesOf: async (file, source) => ((await valueUsesOf(file, source, environment)) ?? []).map(secretUse),
  };
}

function usesOfSecret(uses: readonly ValueUse[], name: string): readonly ValueUse[] {
  return uses.filter(({ reference }) => reference.kind === 'secret' && reference.name === name);
}
