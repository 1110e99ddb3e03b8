import type { BuildAbilities } from '../connectors/source-build.ts';

/** Warnings about a build without a snapshot or a transaction. */
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
