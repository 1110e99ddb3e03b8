import type { SourceAbility, SourceKindView } from '../../../protocol/source-kinds.ts';
import type { SourceKind } from './source-kind.ts';

/** A source kind as shown by the client. */
export function sourceKindView(kind: SourceKind): SourceKindView {
  const { name, label, description, icon, proposedName, questions } = kind;
  return { name, label, description, icon, proposedName, questions, abilities: abilitiesOf(kind) };
}

/** Capabilities that enable commands for a source kind. */
export function abilitiesOf({ explorer, browserConnection, writer }: SourceKind): readonly SourceAbility[] {
  return [
    ...(explorer ? (['explore'] as const) : []),
    ...(browserConnection ? (['signIn'] as const) : []),
    ...(writer ? (['writeRecords'] as const) : []),
  ];
}
