import { valuesOf } from './sql.ts';
import type { MeasureKind } from './measure-kind.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';

/** The value of a property. */
export const value: MeasureKind<'value'> = {
  isTime: false,
  text: ({ value: { value: property } }) => property,
  measure: ({ value: { value: property } }, subject) => valuesOf(propertySql(property, subject.graph), subject),
};

/** A property by its name, quoted as the graph writes it. */
export function propertySql(name: string, { properties, dialect: { identifiers } }: JudgedGraphTables): string {
  const known = properties.flatMap((table) => table.properties);
  const key = identifiers.key(name);
  return identifiers.quote(
    known.find((each) => each === name) ?? known.find((each) => identifiers.key(each) === key) ?? name,
  );
}
