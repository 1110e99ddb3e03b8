/** One line of `npm run bench`. A bench file exports `run(): Promise<BenchResult[]>` and can be run alone. */
export interface BenchResult {
  readonly name: string;
  readonly value: number;
  /** Of `value` and `floor`, such as `s` or `MB`. */
  readonly unit: string;
  /** The same work by the simplest means, measured in the same run. */
  readonly floor?: number;
  /** `value / floor`. */
  readonly ratio?: number;
  /** Description of the goal, such as `≤ 2 × floor`. */
  readonly goal: string;
  readonly ok: boolean;
}
