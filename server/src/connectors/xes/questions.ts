import type { SourceQuestion } from '../../../../protocol/source-kinds.ts';
import { translatable } from '../translatable.ts';

/** The questions of *Add Data Source*. */
export const xesQuestions: readonly SourceQuestion[] = [
  {
    setting: 'path',
    prompt: translatable('Path of the XES file (.xes or .xes.gz), relative to entity-sources.yaml'),
    fallback: 'log.xes',
  },
];
