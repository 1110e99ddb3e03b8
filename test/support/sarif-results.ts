/** A result of a SARIF log, as far as tests look at it. */
export interface LoggedResult {
  readonly ruleId: string;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly [
    {
      readonly physicalLocation: {
        readonly artifactLocation: { readonly uri: string };
        readonly region: { readonly startLine: number; readonly startColumn: number };
      };
    },
  ];
}

/** The results of the only run of a SARIF log. */
export function sarifResults(text: string): readonly LoggedResult[] {
  const { runs } = JSON.parse(text) as { readonly runs: readonly [{ readonly results: readonly LoggedResult[] }] };
  return runs[0].results;
}
