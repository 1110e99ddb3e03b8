import type { BuildDialect } from './build-dialect.ts';
import type { CorrelatingRelationship, StagedRelationship } from './correlations.ts';
import type { StagedMasterData } from './master-data.ts';
import type { PathPlan } from '../plan-paths.ts';
import type { LinkedKeys } from './row-correlations.ts';
import type { GraphShape } from './rows.ts';
import type { StagedElement } from './staged-element.ts';

/** The staged rows that a graph is built from, and how to read them. */
export interface BuildSource {
  readonly elements: readonly StagedElement[];
  readonly entities: readonly StagedMasterData[];
  readonly relationships: readonly StagedRelationship[];
  /** Composed relationships, each after its steps. */
  readonly paths: readonly PathPlan[];
  readonly dialect: BuildDialect;
  readonly timeZone: string;
  /** Rows have an inherent order (files). */
  readonly hasRowOrder: boolean;
  /** ISO 8601, UTC: start of the events. */
  readonly since?: string | undefined;
}

/** A build with what follows from its input. */
export interface Build extends BuildSource {
  readonly shape: GraphShape;
  /** All relationships including paths. */
  readonly correlating: readonly CorrelatingRelationship[];
  readonly linked: readonly LinkedKeys[];
}
