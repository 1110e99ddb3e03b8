import type { ElementPatch } from './canvas-intents.ts';
import type { finding, findingHint } from './shapes/finding-shapes.ts';
import type { Checked } from './shapes/shape.ts';

/** What is odd in the data of an imported graph, and how much of the process map it makes. */
export interface Finding extends Checked<typeof finding> {
  /** Why it is as it should be, as the file says. */
  readonly accepted?: string;
  /** Edits that mend it, the most likely first; only where the file is as it was imported. */
  readonly fixes?: readonly FindingFix[];
}

export type FindingHint = Checked<typeof findingHint>;

/** An edit of the file: new values of fields of elements. */
export interface FindingFix {
  readonly title: string;
  readonly elements: readonly FixedElement[];
}

export interface FixedElement {
  readonly element: string;
  readonly values: ElementPatch;
}

export type FindingExample = Finding['examples'][number];

export interface FindingsAnswer {
  readonly findings: readonly Finding[];
  /** Entries of `accepted` that no finding needs any more. */
  readonly stale: readonly AcceptedFinding[];
  /** Sentences that belong to the answer, such as that the graph is a slice. */
  readonly notes: readonly string[];
}

/** An entry of `accepted` of the file. */
export interface AcceptedFinding {
  readonly finding: string;
  readonly element?: string | undefined;
  readonly column?: string | undefined;
  readonly reason?: string | undefined;
}
