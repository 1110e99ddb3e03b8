import type { RelationshipView } from '../../../protocol/graph-view.ts';
import type { Size } from './geometry.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';

/** The label of a relationship; with a cross table it is a small node. */
export interface RelationshipLabel {
  readonly name: string;
  readonly crossTable?: string | undefined;
  /** The join, or why there is none yet; the tooltip shows the remedy. */
  readonly detail?: string | undefined;
  readonly size: Size;
}

const maxWidth = 240;
const iconWidth = 20;

/** Content and size of a relationship's label. */
export function relationshipLabel(relationship: RelationshipView, text: TextMetrics): RelationshipLabel {
  const { name, crossTable, draft } = relationship;
  const detail = relationship.label || draft?.problem;
  const widths = [
    text.width(name, 'bold') + (draft === undefined ? 0 : iconWidth),
    crossTable === undefined ? 0 : text.width(crossTable, 'normal') + iconWidth,
    detail === undefined ? 0 : text.width(detail, 'normal'),
  ];
  const lines = 1 + (crossTable === undefined ? 0 : 1) + (detail === undefined ? 0 : 1);
  const frame = crossTable === undefined ? { width: 12, height: 2 } : { width: 18, height: 10 };
  return {
    name,
    crossTable,
    detail,
    size: {
      width: Math.ceil(Math.min(maxWidth, Math.max(...widths) + frame.width)),
      height: lines * text.lineHeight + frame.height,
    },
  };
}
