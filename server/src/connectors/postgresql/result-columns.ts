import type { FieldDef } from 'pg';
import type { QueryColumn } from '../connector.ts';
import { columnTypeOf, type ColumnType } from './column-type.ts';
import type { Session } from './session.ts';

/** A result column and how to read it. */
export interface ResultColumn extends QueryColumn {
  readonly columnType: ColumnType;
  readonly oid: number;
}

/** The types of result fields (domains already appear as their base type), with one query. */
export async function resultColumns(
  session: Session,
  fields: readonly FieldDef[],
  signal: AbortSignal | undefined,
): Promise<readonly ResultColumn[]> {
  const types = await session.rows<TypeRow>(
    typesOfFields,
    [fields.map((field) => field.dataTypeID), fields.map((field) => field.dataTypeModifier)],
    signal,
  );
  return fields.map((field, index) => {
    const { type = 'unknown', kind = 'b', category = 'U' } = types[index] ?? {};
    const oid = field.dataTypeID;
    const columnType = columnTypeOf({ oid, modifier: field.dataTypeModifier, kind, category });
    const zoned = columnType.zoned === undefined ? {} : { zoned: columnType.zoned };
    return { name: field.name, type, sense: columnType.sense, ...zoned, columnType, oid };
  });
}

/** The column in the connector's interface. */
export function queryColumn({ name, type, sense, zoned }: ResultColumn): QueryColumn {
  return { name, type, sense, ...(zoned !== undefined && { zoned }) };
}

interface TypeRow {
  readonly type: string;
  readonly kind: string;
  readonly category: string;
}

const typesOfFields = `SELECT format_type(field.oid, field.modifier) AS type, pg_type.typtype AS kind, pg_type.typcategory AS category
FROM unnest($1::oid[], $2::int4[]) WITH ORDINALITY AS field (oid, modifier, place)
LEFT JOIN pg_catalog.pg_type ON pg_type.oid = field.oid
ORDER BY field.place`;
