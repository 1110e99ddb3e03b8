import type { SourceQuestion } from '../../../../protocol/source-kinds.ts';
import { translatable } from '../translatable.ts';

/** The questions of *Add Data Source*. */
export const ocelQuestions: readonly SourceQuestion[] = [
  {
    setting: 'path',
    prompt: translatable('Path of the OCEL 2.0 file (JSON, XML or SQLite), relative to entity-sources.yaml'),
    fallback: 'log.jsonocel',
  },
];
