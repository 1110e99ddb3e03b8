import { fileTools } from './file-tools.ts';
import { graphTools } from './graph-tools.ts';
import { sourceTools } from './source-tools.ts';
import type { Tool } from './tool.ts';

/** Every tool. A new one is a row of its group; `test/server/mcp.test.ts` runs all of them beside the command line. */
export const tools: readonly Tool[] = [...fileTools, ...graphTools, ...sourceTools];
