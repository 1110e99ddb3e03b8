import { randomBytes } from 'node:crypto';
import type { DataSource } from '../model/data-sources.ts';
import { isLoginSetting } from '../model/secret-settings.ts';
import { timeZoneMistake } from '../model/time-zones.ts';
import { type ReferringSetting, mapTexts, referencesIn, referringSettings } from '../model/value-references.ts';
import type { ConnectorContext } from './connector-context.ts';
import { type ValueReference, type ValueUse, referenceText, useKey } from './permit-use.ts';
import { type Receiver, staysOnThisMachine } from './receiver.ts';
import { secretVariableName } from './secret-variable.ts';
import { SourceError, errorOfSource } from './source-error.ts';
import type { SettingReceivers, Settings, SourceIdentity, SourceSettings } from './source-settings.ts';

/** Settings with resolved references, and the texts to redact in messages. */
interface ResolvedSource<Config> {
  readonly config: Config;
  readonly secrets: readonly string[];
}

/** Services needed to resolve references. */
export type ResolveContext = Pick<
  ConnectorContext,
  'folder' | 'sourcesFile' | 'readSecret' | 'permitUses' | 'environment'
>;

/**
 * Resolves every `${secret:NAME}` and `${env:NAME}` of a source's settings, after consent for the places of each value.
 * Rejects with `source-config`, `unknown-time-zone`, `secret-missing`, `environment-variable-missing` or
 * `secret-not-allowed`.
 */
export async function resolveSource<Config>(
  source: DataSource,
  context: ResolveContext,
  kind: SourceSettings<Config>,
): Promise<ResolvedSource<Config>> {
  const uses = await valueUses(source, context, kind);
  const [refused] = uses.length === 0 ? [] : await context.permitUses(uses);
  if (refused) throw notAllowed(refused);
  const identity = identityOf(source, context.folder);
  const values = new Map<string, string>();
  const logins: string[] = [];
  for (const { path, text, references } of referringSettings(source.settings)) {
    for (const { kind: from, name } of references) {
      const reference = { kind: from, name } as const;
      const value = await valueOf(reference, uses, context);
      if (value === undefined) throw missing(reference, source.name.value, path);
      values.set(keyOf(reference), value);
      if (from === 'secret' || isLogin(path, text)) logins.push(value);
    }
  }
  const settings = filledIn(source.settings, (reference) => values.get(keyOf(reference)) ?? '');
  const config = kind.read(identity, settings);
  return { config, secrets: [...new Set([...logins, ...kind.secretsToRedact(config)])] };
}

/**
 * The values that a source sends, with all receiving servers, determined without secrets. Rejects with `source-config`
 * or
 * `environment-variable-missing` for invalid settings.
 */
export async function valueUses<Config>(
  source: DataSource,
  context: Pick<ResolveContext, 'folder' | 'sourcesFile' | 'environment'>,
  kind: SourceSettings<Config>,
): Promise<readonly ValueUse[]> {
  const { folder, environment } = context;
  const dataSource = source.name.value;
  const identity = identityOf(source, folder);
  const settings = referringSettings(source.settings);
  const placeholders = createPlaceholders();
  const draft = filledIn(source.settings, (reference, { path, text, isStart }) => {
    if (reference.kind === 'secret') return placeholders.of(reference, isStart && kind.addressSettings.includes(path));
    const value = environment[reference.name];
    if (value === undefined) throw missing(reference, dataSource, path);
    // Questions and logs show the host, but no credentials.
    return isLogin(path, text) ? placeholders.of(reference, false) : value;
  });
  const receivers = await kind.receivers(kind.read(identity, draft));
  const use = (reference: ValueReference, receiver: Receiver): ValueUse => ({
    reference,
    receiver: { ...receiver, origin: placeholders.shown(receiver.origin), user: placeholders.shown(receiver.user) },
    dataSource,
    file: context.sourcesFile ?? folder,
  });
  return distinct([
    ...settings.flatMap((setting) => usesOf(setting, receivers, use)),
    ...(receivers.login ? [use({ kind: 'login', name: receivers.login.givenBy }, receivers.login.sentTo)] : []),
  ]);
}

/** Throws `unknown-time-zone`, so that every command refuses what `validate` refuses. */
function identityOf({ name: { value: name }, timeZone }: DataSource, folder: string): SourceIdentity {
  const mistake = timeZoneMistake(timeZone, { isOfSources: true });
  if (!mistake) return { name, timeZone, folder };
  const said = mistake.suggestions.length > 0 ? mistake.said : 'is not a time zone.';
  throw errorOfSource(name, 'unknown-time-zone', `timeZone ${said}`, { remedy: mistake.remedy });
}

function usesOf(
  { path, references }: ReferringSetting,
  receivers: SettingReceivers,
  use: (reference: ValueReference, receiver: Receiver) => ValueUse,
): readonly ValueUse[] {
  return references.flatMap(({ kind, name }) =>
    receivers
      .of(path)
      // The environment is known to this machine anyway.
      .filter((receiver) => kind === 'secret' || !staysOnThisMachine(receiver))
      .map((receiver) => use({ kind, name }, receiver)),
  );
}

function distinct(uses: readonly ValueUse[]): readonly ValueUse[] {
  return [...new Map(uses.map((use) => [useKey(use), use])).values()];
}

async function valueOf(
  { kind, name }: ValueReference,
  uses: readonly ValueUse[],
  { readSecret, environment }: ResolveContext,
): Promise<string | undefined> {
  if (kind !== 'secret') return environment[name];
  return readSecret(
    name,
    uses.filter(({ reference }) => reference.kind === 'secret' && reference.name === name),
  );
}

interface ReferencePlace {
  readonly path: string;
  /** The whole text of the setting. */
  readonly text: string;
  /** The text starts with the reference. */
  readonly isStart: boolean;
}

/** The settings with references replaced. */
function filledIn(
  settings: Settings,
  valueFor: (reference: ValueReference, place: ReferencePlace) => string,
): Settings {
  return mapTexts(settings, (text, path) => {
    let filled = '';
    let end = 0;
    for (const { kind, name, start, end: next } of referencesIn(text)) {
      filled += text.slice(end, start) + valueFor({ kind, name }, { path, text, isStart: start === 0 });
      end = next;
    }
    return filled + text.slice(end);
  }) as Settings;
}

interface Placeholders {
  /** Placeholder of a value when only its receiver matters. */
  of(reference: ValueReference, isAddress: boolean): string;
  /** Restores references in place of their placeholders. */
  shown(text: string): string;
}

function createPlaceholders(): Placeholders {
  const nonce = randomBytes(8).toString('hex');
  const references: ValueReference[] = [];
  return {
    of(reference, isWholeAddress) {
      references.push(reference);
      // URL parsing converts hosts to lower case.
      const host = `value-${nonce}-${references.length - 1}-`;
      return isWholeAddress ? `https://${host}` : host;
    },
    shown: (text) =>
      text.replaceAll(new RegExp(`value-${nonce}-(\\d+)-`, 'g'), (_, index: string) => {
        const { kind = 'secret', name = '' } = references[Number(index)] ?? {};
        return `\${${kind}:${name}}`;
      }),
  };
}

/** Whether a setting is part of a login; the address of a proxy may contain credentials. */
function isLogin(path: string, text: string): boolean {
  if (path === 'proxy') return text.includes('@');
  return isLoginSetting(path.slice(path.lastIndexOf('.') + 1));
}

function keyOf({ kind, name }: ValueReference): string {
  return `${kind}:${name}`;
}

function notAllowed({ reference, receiver, dataSource }: ValueUse): SourceError {
  return new SourceError(
    'secret-not-allowed',
    `Data source ${dataSource} would send ${referenceText(reference)} to ${receiver.origin}, which nobody has allowed.`,
    { remedy: 'Run the command again and choose Allow, if this data source is to be logged in to there.' },
  );
}

function missing({ kind, name }: ValueReference, sourceName: string, path: string): SourceError {
  return kind === 'secret'
    ? new SourceError(
        'secret-missing',
        `Data source ${sourceName} needs the secret ${name} for ${path}, and it is not set.`,
        {
          remedy: `VS Code asks for it when the source is used; on the command line set the environment variable ${secretVariableName(name)}.`,
        },
      )
    : new SourceError(
        'environment-variable-missing',
        `Data source ${sourceName} needs the environment variable ${name} for ${path}, and it is not set.`,
        { remedy: `Set ${name} in the environment from which VS Code or the command line is started.` },
      );
}
