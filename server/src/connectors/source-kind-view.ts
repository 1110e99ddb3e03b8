import type { SourceAbility, SourceKindView } from '../../../protocol/source-kinds.ts';
import type { SourceKind } from './source-kind.ts';

/** What the client shows of a kind. */
export function sourceKindView(kind: SourceKind): SourceKindView {
  const { name, label, description, icon, proposedName, questions } = kind;
  return { name, label, description, icon, proposedName, questions, abilities: abilitiesOf(kind) };
}

/** The commands that are for data sources of a kind. */
export function abilitiesOf({ explorer, browserConnection, capabilities }: SourceKind): readonly SourceAbility[] {
  return [
    ...(explorer ? (['explore'] as const) : []),
    ...(browserConnection ? (['signIn'] as const) : []),
    ...(capabilities.writesRecords ? (['writeRecords'] as const) : []),
  ];
}
