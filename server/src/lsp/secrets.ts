import type { ClientRequests } from '../../../protocol/language-requests.ts';
import type { SecretReader } from '../connectors/create-connector.ts';
import type { DataSource } from '../model/data-sources.ts';
import { referenceNames } from '../model/value-references.ts';
import { readSecretFromEnvironment } from '../project/environment-secrets.ts';

type SecretParams = ClientRequests['entityGraph/secret']['params'];

/** Asks the client; undefined when it is not our client. */
export type SecretRequest = (
  params: SecretParams,
) => Promise<ClientRequests['entityGraph/secret']['result']> | undefined;

/** Where `${secret:NAME}` comes from: the client's secret storage, else the environment, as on the command line. */
export interface Secrets {
  /** Never asks the user. */
  readonly read: SecretReader;
  /** Whether a source can be reached without asking. */
  areKnown(source: DataSource): Promise<boolean>;
  /** Asks the user for those that are missing; what is not answered stays missing. */
  askForMissing(source: DataSource): Promise<void>;
}

export function createSecrets(
  request: SecretRequest,
  environment: Readonly<Record<string, string | undefined>>,
): Secrets {
  const readEnvironment = readSecretFromEnvironment(environment);
  const ask = async (name: string, prompt: boolean): Promise<string | undefined> => {
    const answer = await request({ name, prompt });
    return answer?.value ?? undefined;
  };
  const read: SecretReader = async (name) => (await ask(name, false)) ?? readEnvironment(name);
  return {
    read,
    async areKnown(source) {
      const values = await Promise.all(referenceNames(source.settings).secrets.map(read));
      return values.every((value) => value !== undefined);
    },
    async askForMissing(source) {
      for (const name of referenceNames(source.settings).secrets) {
        // Who dismisses one does not want to be asked for the next.
        if ((await read(name)) === undefined && (await ask(name, true)) === undefined) return;
      }
    },
  };
}
