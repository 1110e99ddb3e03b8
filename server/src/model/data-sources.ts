import type { Located, SourceRange } from './source-range.ts';

/** A parsed `entity-sources.yaml`. */
export interface DataSources {
  readonly range: SourceRange;
  readonly sources: readonly DataSource[];
  /** The names at the top of the file. */
  readonly names: readonly Located<string>[];
  /** False when part of the text is unreadable, so there may be more. */
  readonly complete: boolean;
}

/** A configured data source: common settings are parsed here, those of its kind by that kind's `read-settings.ts`. */
export interface DataSource {
  readonly name: Located<string>;
  readonly range: SourceRange;
  readonly kind?: Located<string>;
  /** IANA zone of times without zone and of dates; default `UTC`. */
  readonly timeZone: string;
  /** The whole entry as plain data, with unresolved references. */
  readonly settings: Readonly<Record<string, unknown>>;
}
