/** One step of a diagnosis and its result. */
export interface DiagnosisStep {
  /** Name of the step, such as `Network`. */
  readonly name: string;
  /** `failed`: imports fail because of it. */
  readonly state: 'ok' | 'warning' | 'failed';
  /** The finding. */
  readonly message: string;
  /** The remedy. */
  readonly remedy?: string;
}

/** The result of a diagnosis, steps in order. It ends with the first failure that makes all later steps impossible. */
export interface Diagnosis {
  readonly checks: readonly DiagnosisStep[];
  /** Duration of the diagnosis. */
  readonly durationMs: number;
  /** Number of data objects, if discovery was reached. */
  readonly objects?: number | undefined;
}
