import { type Shape, object, text } from '../../../protocol/shapes/shape.ts';
import type { GraphFile } from '../project/open-project.ts';

export const graphFile: Shape<GraphFile> = object<GraphFile>({ path: text, text });
