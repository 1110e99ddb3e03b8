import {
  type Shape,
  anything,
  count,
  flag,
  list,
  object,
  optional,
  record,
  tagged,
  text,
} from '../../../protocol/shapes/shape.ts';
import type { ValueUse } from '../connectors/permit-use.ts';
import { graphFile } from './graph-file-shape.ts';
import type { EngineJob, ToEngine } from './engine-messages.ts';

// What the processes beside the language server are told. Both ends are ours: it is not looked deeper than where the other end would stumble.

export const toEngine: Shape<ToEngine> = tagged<ToEngine, 'kind'>('kind', {
  import: {
    job: object<EngineJob>({
      file: graphFile,
      openTexts: record(text),
      workspaceFolder: optional(text),
      network: optional(anything as Shape<NonNullable<EngineJob['network']>>),
      sample: optional(count),
      since: optional(text),
      isFull: optional(flag),
      isFetch: optional(flag),
    }),
  },
  cancel: {},
  answer: { request: count, value: optional(text), refused: optional(list(anything as Shape<ValueUse>)) },
});
