/** Parameters of requests that can take long: with a token, each step arrives as `entityGraph/requestProgress`. */
export interface Reported {
  readonly progressToken?: string;
}
