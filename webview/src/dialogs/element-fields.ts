import { t } from '../ui/translate.ts';
import type { CardValues } from './card-values.ts';

/** A field of the element dialog that shows the problems of a property. */
export interface ElementField {
  readonly id: string;
  readonly name: string;
  /** The section that must be open to see it. */
  readonly section?: 'isSqlOpen' | 'areCorrelationsOpen';
}

/** The field of a property of an element; computed times have fields of their own. */
export function fieldOf(property: string, values: CardValues): ElementField | undefined {
  const [first = '', index] = property.split('.');
  if (first === 'startTimestamp' && values.startExpression !== undefined) return computed.startTimestamp;
  if (first === 'changeTimestamp' && values.changeExpression !== undefined) return computed.changeTimestamp;
  if (first === 'correlatesWith' && index !== undefined) return { ...correlations, id: `correlation-key-${index}` };
  return fields[first];
}

const correlations: ElementField = {
  id: 'add-correlation',
  section: 'areCorrelationsOpen',
  name: t('Entities of Each Row'),
};

const fields: Readonly<Record<string, ElementField>> = {
  name: { id: 'name', name: t('Name') },
  activityName: { id: 'activity-name', name: t('Activity Name') },
  dataObject: { id: 'data-object', name: t('Data Object') },
  startTimestamp: { id: 'start-timestamp', name: t('Start Timestamp') },
  changeTimestamp: { id: 'change-timestamp', name: t('Change Timestamp') },
  key: { id: 'key', name: t('Key') },
  validFrom: { id: 'valid-from', name: t('Valid From') },
  entityType: { id: 'entity-type', name: t('Entity Type') },
  properties: { id: 'property-filter', name: t('Properties') },
  joins: { id: 'joins', name: t('Custom JOIN clauses'), section: 'isSqlOpen' },
  where: { id: 'where', name: t('WHERE filter'), section: 'isSqlOpen' },
  sequence: { id: 'sequence', name: t('Sequence'), section: 'isSqlOpen' },
  activityColumn: { id: 'activity-column', name: t('Activity Column'), section: 'isSqlOpen' },
  correlatesWith: correlations,
  ownEntity: correlations,
};

const computed = {
  startTimestamp: { id: 'start-expression', name: t('Start Timestamp as SQL'), section: 'isSqlOpen' },
  changeTimestamp: { id: 'change-expression', name: t('Change Timestamp as SQL'), section: 'isSqlOpen' },
} as const;

/** Properties whose fields show their own problems; text fields cannot. */
export const propertiesWithField = Object.keys(fields).filter(
  (property) => !['name', 'activityName', 'entityType'].includes(property),
);
