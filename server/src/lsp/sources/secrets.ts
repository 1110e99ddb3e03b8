import type { ClientRequests, SecretUse } from '../../../../protocol/requests/client-requests.ts';
import type { SecretReader } from '../../connectors/connector-context.ts';
import type { PermitUses, ValueUse } from '../../connectors/permit-use.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { referenceNames } from '../../model/value-references.ts';
import { secretInEnvironment } from '../../project/environment-secrets.ts';
import type { SourcesFile } from '../../project/open-project.ts';
import { valueUsesOf } from '../../project/value-uses.ts';
import { type MayAsk, type UsePermissions, secretUse } from './use-permissions.ts';

type SecretParams = ClientRequests['entityGraph/secret']['params'];

/** Sends a request to our client; undefined for other clients. */
export type SecretRequest = (
  params: SecretParams,
  signal?: AbortSignal,
) => Promise<ClientRequests['entityGraph/secret']['result']> | undefined;

type SourcesPath = Pick<SourcesFile, 'path'>;

/** Values of `${secret:NAME}` from the client's secret storage, else the environment, and consent to send them. */
export interface Secrets {
  /** Never prompts. */
  readonly read: SecretReader;
  /** Never prompts. */
  readonly permit: PermitUses;
  /** Whether a source is usable without a prompt; the client may offer consent. */
  areKnown(file: SourcesPath, source: DataSource): Promise<boolean>;
  /**
   * Prompts for consent and missing secrets; without an answer they stay refused or missing. An aborted signal closes the
   * prompts.
   */
  askForMissing(file: SourcesPath, source: DataSource, signal: AbortSignal): Promise<void>;
  /** The environment variable with the value of a secret, if there is one. */
  variableOf(name: string): string | undefined;
  /** The values that a source sends; empty for invalid settings. */
  usesOf(file: SourcesPath, source: DataSource): Promise<readonly SecretUse[]>;
}

interface SecretsDependencies {
  readonly request: SecretRequest;
  readonly permissions: UsePermissions;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export function createSecrets({ request, permissions, environment }: SecretsDependencies): Secrets {
  const stored = async (
    name: string,
    uses: readonly ValueUse[],
    prompt: boolean,
    signal?: AbortSignal,
  ): Promise<string | undefined> =>
    (await request({ name, prompt, uses: uses.map(secretUse) }, signal))?.value ?? undefined;

  const read: SecretReader = async (name, uses) =>
    (await stored(name, uses, false)) ?? secretInEnvironment(environment, name)?.value;

  /** The value really sent: a secret missing in storage is an environment variable. */
  async function realUse(use: ValueUse, uses: readonly ValueUse[]): Promise<ValueUse> {
    const { kind, name } = use.reference;
    const found = kind === 'secret' ? secretInEnvironment(environment, name) : undefined;
    if (!found || (await stored(name, usesOfSecret(uses, name), false)) !== undefined) return use;
    return { ...use, reference: { kind: 'env', name: found.variable } };
  }

  async function refused(
    uses: readonly ValueUse[],
    mayAsk: MayAsk,
    signal?: AbortSignal,
  ): Promise<readonly ValueUse[]> {
    if (uses.length === 0) return [];
    const real = await Promise.all(uses.map((use) => realUse(use, uses)));
    return permissions.refused(real, mayAsk, signal);
  }

  return {
    read,
    permit: (uses) => refused(uses, 'no'),
    variableOf: (name) => secretInEnvironment(environment, name)?.variable,
    async areKnown(file, source) {
      const uses = await valueUsesOf(file, source, environment);
      if (!uses) return true;
      if ((await refused(uses, 'offer')).length > 0) return false;
      const names = referenceNames(source.settings).secrets;
      const values = await Promise.all(names.map((name) => read(name, usesOfSecret(uses, name))));
      return values.every((value) => value !== undefined);
    },
    async askForMissing(file, source, signal) {
      const uses = await valueUsesOf(file, source, environment);
      if (!uses || (await refused(uses, 'now', signal)).length > 0) return;
      for (const name of referenceNames(source.settings).secrets) {
        const own = usesOfSecret(uses, name);
        // After one dismissed or cancelled prompt, no further ones follow.
        if ((await read(name, own)) === undefined && (await stored(name, own, true, signal)) === undefined) return;
      }
    },
    usesOf: async (file, source) => ((await valueUsesOf(file, source, environment)) ?? []).map(secretUse),
  };
}

function usesOfSecret(uses: readonly ValueUse[], name: string): readonly ValueUse[] {
  return uses.filter(({ reference }) => reference.kind === 'secret' && reference.name === name);
}
