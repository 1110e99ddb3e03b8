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
  /** All measured values that `value` sums up, in the order of the rounds. */
  readonly rounds?: readonly number[];
  readonly floorRounds?: readonly number[];
  /** The aim, if it is stricter than the limit. Missing it does not fail the run. */
  readonly aim?: Aim;
  /** Description of the limit, such as `≤ 2 × floor`; it is the aim, too, unless there is `aim`. */
  readonly goal: string;
  /** Whether the limit is kept. A result above it fails the run. */
  readonly ok: boolean;
}

export interface Aim {
  /** Such as `≤ 0.75 ×`. */
  readonly text: string;
  readonly isMet: boolean;
}
