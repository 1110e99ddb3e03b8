import type { Receiver } from './receiver.ts';

/** A source's settings, references filled in. */
export type Settings = Readonly<Record<string, unknown>>;

export interface SourceIdentity {
  readonly name: string;
  /** IANA name. */
  readonly timeZone: string;
  /** Folder of the sources file, where relative paths start. */
  readonly folder: string;
}

/** How one kind of source reads its settings, and where it sends what stands in them. */
export interface SourceSettings<Config> {
  /** Checks and types them. Throws a `source-config` error that names the setting. */
  read(source: SourceIdentity, settings: Settings): Config;
  /** Everything that a source with these settings sends something to. Never rejects. */
  receivers(config: Config): Promise<SettingReceivers>;
  /** Paths of settings that are addresses, scheme and all. */
  readonly addressSettings: readonly string[];
  /** Texts of its login that no message may show, also where they stand in the file as they are. */
  loginTexts(config: Config): readonly string[];
}

export interface SettingReceivers {
  /** Who receives the value of the setting at a path such as `auth.password`, or what is made of it; none for what stays here. */
  of(path: string): readonly Receiver[];
  /** The login in the browser whose token goes to another server than the one that gave it. */
  readonly login?: { readonly givenBy: string; readonly sentTo: Receiver };
}
