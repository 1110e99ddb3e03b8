import type { ClearWhat, MeasureKindName, MeasuredWhat, WhatOf } from '../model/measure.ts';
import { count } from './count.ts';
import { duration } from './duration.ts';
import type { MeasureKind } from './measure-kind.ts';
import { sql } from './sql.ts';
import { value } from './value.ts';

/** Every kind of measures. */
export const measureKinds: { readonly [Kind in MeasureKindName]: MeasureKind<Kind> } = { duration, count, value, sql };

export function measureKindOf<Kind extends MeasureKindName>(what: WhatOf<Kind>): MeasureKind<Kind> {
  return measureKinds[what.kind];
}

export function isClearWhat(what: MeasuredWhat): what is ClearWhat {
  return what.kind !== 'unclear';
}
