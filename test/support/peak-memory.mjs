// Loaded before a program (`--import`): writes the peak memory of its process in bytes to the file
// ENTITY_GRAPH_PEAK_MEMORY.
import { writeFileSync } from 'node:fs';

const file = process.env.ENTITY_GRAPH_PEAK_MEMORY;
// Processes that it starts are not measured.
delete process.env.ENTITY_GRAPH_PEAK_MEMORY;
if (file !== undefined) process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS * 1024)));
