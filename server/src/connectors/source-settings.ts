import type { Receiver } from './receiver.ts';

/** Settings of a source with resolved references. */
export type Settings = Readonly<Record<string, unknown>>;

export interface SourceIdentity {
  readonly name: string;
  /** IANA name. */
  readonly timeZone: string;
  /** Folder of the sources file, the base of relative paths. */
  readonly folder: string;
}

/** Parses the settings of a source kind, and lists their receivers. */
export interface SourceSettings<Config> {
  /** Parses the settings. Throws a `source-config` error that names the setting. */
  read(source: SourceIdentity, settings: Settings): Config;
  /** All servers that receive something from these settings. Never rejects. */
  receivers(config: Config): Promise<SettingReceivers>;
  /** Paths of settings that are complete addresses. */
  readonly addressSettings: readonly string[];
  /** Credentials to redact in messages, even when written literally in the file. */
  secretsToRedact(config: Config): readonly string[];
}

export interface SettingReceivers {
  /** The receivers of a setting such as `auth.password`, or of values derived from it; empty for local use. */
  of(path: string): readonly Receiver[];
  /** The browser login whose token goes to another server than its issuer. */
  readonly login?: { readonly givenBy: string; readonly sentTo: Receiver } | undefined;
}
