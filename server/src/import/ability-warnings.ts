import type { BuildAbilities } from '../connectors/source-build.ts';

/** What a user should know of a graph that was built by an engine which promises less than a snapshot and a transaction. */
export function abilityWarnings({ hasSnapshot, publishesAtomically }: BuildAbilities): readonly string[] {
  return [
    ...(hasSnapshot
      ? []
      : [
          'The source has no snapshots: rows that changed during the import may be in one table of the graph and missing in another.',
        ]),
    ...(publishesAtomically
      ? []
      : ['The source replaces graphs table by table: a query during the import may have found parts of two graphs.']),
  ];
}
