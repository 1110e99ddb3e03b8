import type { Located, SourceRange } from './source-range.ts';

/** A parsed `entity-sources.yaml`. */
export interface DataSources {
  readonly range: SourceRange;
  readonly sources: readonly DataSource[];
  /** False where part of the text could not be read: there may be more. */
  readonly complete: boolean;
}

/** One configured data source: common settings read here, those of its kind by that kind's `config.ts`. */
export interface DataSource {
  readonly name: Located<string>;
  readonly range: SourceRange;
  readonly kind?: Located<string>;
  /** IANA zone in which timestamps without zone and dates are read; `UTC` when not given. */
  readonly timeZone: string;
  /** The whole entry as plain data, `${secret:}` and `${env:}` references still unresolved. */
  readonly settings: Readonly<Record<string, unknown>>;
}
