import type { ElementValues } from '../../../protocol/canvas-intents.ts';
import { t } from '../ui/translate.ts';

/** A field of the element dialog that shows the problems of a property. */
export interface ElementField {
  readonly id: string;
  readonly name: string;
  /** It stands in the section *Advanced SQL*. */
  readonly isAdvanced?: boolean;
}

/** The field of a property of an element; computed times have fields of their own. */
export function fieldOf(property: string, values: ElementValues): ElementField | undefined {
  const [first = ''] = property.split('.');
  if (first === 'startTimestamp' && values.startExpression !== undefined) return computed.startTimestamp;
  if (first === 'changeTimestamp' && values.changeExpression !== undefined) return computed.changeTimestamp;
  return fields[first];
}

const fields: Readonly<Record<string, ElementField>> = {
  activityName: { id: 'activity-name', name: t('Activity Name') },
  dataObject: { id: 'data-object', name: t('Data Object') },
  startTimestamp: { id: 'start-timestamp', name: t('Start Timestamp') },
  changeTimestamp: { id: 'change-timestamp', name: t('Change Timestamp') },
  key: { id: 'key', name: t('Key') },
  entityType: { id: 'entity-type', name: t('Entity Type') },
  properties: { id: 'property-filter', name: t('Properties') },
  joins: { id: 'joins', name: t('Custom JOIN clauses'), isAdvanced: true },
  where: { id: 'where', name: t('WHERE filter'), isAdvanced: true },
  sequence: { id: 'sequence', name: t('Sequence'), isAdvanced: true },
  activityColumn: { id: 'activity-column', name: t('Activity Column'), isAdvanced: true },
};

const computed = {
  startTimestamp: { id: 'start-expression', name: t('Start Timestamp as SQL'), isAdvanced: true },
  changeTimestamp: { id: 'change-expression', name: t('Change Timestamp as SQL'), isAdvanced: true },
} as const;

/** Properties whose fields show their own problems; text fields cannot. */
export const propertiesWithField = Object.keys(fields).filter(
  (property) => property !== 'activityName' && property !== 'entityType',
);
