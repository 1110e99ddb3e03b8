import type { EntryChange, ProblemView, RelationshipView } from '../../../protocol/graph-view.ts';
import type { Size } from './geometry.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { pairsText } from './matched-share.ts';

/** The label of a relationship; with a cross table it is a small node. */
export interface RelationshipLabel {
  readonly name: string;
  readonly crossTable?: string | undefined;
  /** The join, or why there is none yet; the tooltip shows the remedy. */
  readonly detail?: string | undefined;
  /** Such as `830 pairs · 95 % / 100 % matched`, of the last import. */
  readonly imported?: string | undefined;
  /** How it differs from the base of a comparison, in place of the counts of the last import. */
  readonly change?: EntryChange | undefined;
  /** The worst problem of a relationship that is not a draft. */
  readonly problem?: string | undefined;
  readonly severity?: ProblemView['severity'] | undefined;
  readonly size: Size;
}

const maxWidth = 240;
const iconWidth = 20;

/** Content and size of a relationship's label. */
export function relationshipLabel(relationship: RelationshipView, text: TextMetrics): RelationshipLabel {
  const before = known.get(relationship);
  if (before?.text === text) return before.label;
  const label = measuredLabel(relationship, text);
  known.set(relationship, { text, label });
  return label;
}

/** Cache of measured labels, like that of cards (`card-content.ts`). */
const known = new WeakMap<RelationshipView, { readonly text: TextMetrics; readonly label: RelationshipLabel }>();

function measuredLabel(relationship: RelationshipView, text: TextMetrics): RelationshipLabel {
  const { name, crossTable, draft } = relationship;
  const detail = relationship.label || draft?.problem;
  const [worst] = relationship.problems ?? [];
  const severity = draft ? 'error' : worst?.severity;
  const problem = worst?.message;
  const { change } = relationship;
  const imported = relationship.imported && !change ? pairsText(relationship.imported) : undefined;
  const widths = [
    text.width(name, 'bold') + (severity === undefined ? 0 : iconWidth),
    crossTable === undefined ? 0 : text.width(crossTable, 'normal') + iconWidth,
    ...[detail, imported, problem].map((line) => (line === undefined ? 0 : text.width(line, 'normal'))),
    change === undefined ? 0 : text.width(change.text, 'normal') + iconWidth,
  ];
  const lines = 1 + [crossTable, detail, imported, change?.text, problem].filter((line) => line !== undefined).length;
  const frame = crossTable === undefined ? { width: 12, height: 2 } : { width: 18, height: 10 };
  return {
    name,
    crossTable,
    detail,
    imported,
    change,
    problem,
    severity,
    size: {
      width: Math.ceil(Math.min(maxWidth, Math.max(...widths) + frame.width)),
      height: lines * text.lineHeight + frame.height,
    },
  };
}
