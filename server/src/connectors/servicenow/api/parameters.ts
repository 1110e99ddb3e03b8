/** Query parameters documented for the Table API; all but the query apply to writes too. */
export interface TableParameters {
  /** Encoded query. */
  readonly query?: string | undefined;
  readonly limit?: number;
  readonly offset?: number;
  readonly fields?: readonly string[] | undefined;
  readonly displayValue?: DisplayValue;
  readonly excludeReferenceLink?: boolean;
  readonly view?: string;
  readonly noCount?: boolean | undefined;
  readonly suppressPaginationHeader?: boolean;
  readonly queryCategory?: string;
  readonly queryNoDomain?: boolean;
  readonly inputDisplayValue?: boolean;
  /** Values by field, instead of a query; for choices and references also display values. */
  readonly matching?: Readonly<Record<string, string>>;
}

export type DisplayValue = 'false' | 'true' | 'all';

export interface AggregateParameters {
  readonly query?: string | undefined;
  readonly count?: boolean;
  readonly avgFields?: readonly string[];
  readonly minFields?: readonly string[];
  readonly maxFields?: readonly string[] | undefined;
  readonly sumFields?: readonly string[];
  readonly groupBy?: readonly string[];
  /** In the platform's notation, such as `count^state^>^5`. */
  readonly having?: readonly string[];
  readonly orderBy?: readonly string[];
  readonly displayValue?: DisplayValue;
  readonly queryNoDomain?: boolean;
  /** See the Table API. */
  readonly matching?: Readonly<Record<string, string>>;
}

/** The parameters of a read, including all domains if configured. */
export function readSysparms(
  parameters: TableParameters | AggregateParameters,
  { queryNoDomain = false }: { readonly queryNoDomain?: boolean | undefined },
): URLSearchParams {
  return sysparms(queryNoDomain ? { queryNoDomain, ...parameters } : parameters);
}

/** The parameters under the platform's names, such as `sysparm_exclude_reference_link`; undefined ones are omitted. */
export function sysparms(parameters: TableParameters | AggregateParameters): URLSearchParams {
  const { matching, ...named } = parameters;
  const written = new URLSearchParams(matching);
  for (const [name, value] of Object.entries(named) as readonly [string, unknown][]) {
    if (value === undefined) continue;
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    written.set(
      `sysparm_${snake}`,
      Array.isArray(value) ? value.join(',') : String(value as string | number | boolean),
    );
  }
  return written;
}
