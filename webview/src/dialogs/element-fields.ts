import { elementFields } from '../../../protocol/fields/element.ts';
import type { Field } from '../../../protocol/fields/field.ts';
import { masterDataFields } from '../../../protocol/fields/master-data.ts';
import { labelOf, t } from '../ui/translate.ts';
import type { CardValues } from './card-values.ts';

/** A field of the element dialog that shows the problems of a property. */
interface ElementField {
  readonly id: string;
  readonly name: string;
  /** The section that must be open to see it. */
  readonly section?: Section;
}

/** The sections of a dialog that may be closed. */
export type Section = 'isSqlOpen' | 'areCorrelationsOpen' | 'isLifecycleOpen' | 'areNamesOpen' | 'areExpectationsOpen';

/** The field of a property of an element; computed times have fields of their own. */
export function fieldOf(property: string, values: CardValues): ElementField | undefined {
  const [first = '', index] = property.split('.');
  const field = tables.get(first);
  if (field?.expression !== undefined && values[field.expression as keyof CardValues] !== undefined) {
    return { id: controlId(field.expression), name: t('{0} as SQL', labelOf(field)), section: 'isSqlOpen' };
  }
  if (first === 'correlatesWith' && index !== undefined) return { ...correlations, id: `correlation-key-${index}` };
  return field && elementField(first, field);
}

/** The id of the control of a field, such as `start-timestamp`. */
export function controlId(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const correlations: ElementField = {
  id: 'add-correlation',
  section: 'areCorrelationsOpen',
  name: t('Entities of Each Row'),
};

const tables: ReadonlyMap<string, Field> = new Map(
  [...Object.entries<Field>(masterDataFields), ...Object.entries<Field>(elementFields)].filter(
    ([, { type }]) => type !== 'processContext',
  ),
);

const sectionOf: Readonly<Partial<Record<Field['type'], Section>>> = {
  lifecycle: 'isLifecycleOpen',
  activityNames: 'areNamesOpen',
  expectations: 'areExpectationsOpen',
};

function elementField(key: string, field: Field): ElementField {
  const { type, section } = field;
  if (type === 'rowCorrelations' || type === 'flag') return correlations;
  const id = type === 'properties' ? 'property-filter' : controlId(key);
  const closed = section === 'sql' ? 'isSqlOpen' : sectionOf[type];
  return { id, name: labelOf(field), ...(closed && { section: closed }) };
}

/** Properties whose fields show their own problems; text fields cannot. */
export const propertiesWithField = [...tables].flatMap(([key, { type }]) =>
  type === 'name' || type === 'entityType' ? [] : [key],
);
