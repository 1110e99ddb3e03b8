/**
 * Two fields whose aliases expand to a few more nodes than `model/yaml-links.ts` allows (400,000). They are not nested,
 * so that they harm no reader without a limit.
 */
export const tooManyAliases = `x-list: &list [${Array(1_000).fill(1).join(', ')}]\nx-all: &all [${Array(401).fill('*list').join(', ')}]\n`;
