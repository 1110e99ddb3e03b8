import type { importRequest, slice } from './shapes/import-shapes.ts';
import type { Checked, ObjectOf } from './shapes/shape.ts';

export type ImportSlice = ObjectOf<typeof slice>;

/** The rows of each element that a sample reads unless the user says otherwise. */
export const sampleRows = 1000;

export type ImportRequest = Checked<typeof importRequest>;
export type BuildRequest = Extract<ImportRequest, { readonly kind: 'build' }>;
