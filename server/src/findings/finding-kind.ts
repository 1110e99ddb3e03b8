import type { Finding } from '../../../protocol/findings.ts';
import type { FindingKind } from '../../../protocol/shapes/finding-shapes.ts';
import type { EntityElement, EntityGraph } from '../model/entity-graph.ts';
import type { OpenStore } from './open-store.ts';
import type { OrderedPair } from './order-tables.ts';
import type { ElementTimes } from './read-times-of-day.ts';

/** An imported graph that is searched for findings. */
export interface SearchedGraph extends OpenStore {
  /** The text that was imported. */
  readonly graph: EntityGraph;
  /** The element of a name. */
  element(name: string): EntityElement | undefined;
  /** What several kinds read, once. */
  timesOfDay(): Promise<readonly ElementTimes[]>;
  orderedPairs(): Promise<readonly OrderedPair[]>;
  /** SQL of the ids of the events of what earlier kinds have found: other kinds leave out what these explain. */
  flaggedBy(...kinds: readonly FindingKind[]): string;
}

/** A finding of a kind. */
export interface FoundFinding extends Omit<
  Finding,
  'explains' | 'explainsVariants' | 'explainsViolations' | 'examples' | 'accepted' | 'fixes'
> {
  /** SQL of the ids of its events, as `id`; the examples are the first of them. */
  readonly flagged: string;
}

/** A kind of findings: a row of `findingKinds` in `finding-kinds.ts`. */
export interface FindingSearch {
  readonly kind: FindingKind;
  find(graph: SearchedGraph): Promise<readonly FoundFinding[]>;
}
