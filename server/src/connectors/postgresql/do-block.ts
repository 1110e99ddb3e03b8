/** A statement that runs a PL/pgSQL block, between dollar signs with a tag that the block does not contain. */
export function doBlock(block: string): string {
  let tag = '$$';
  for (let number = 1; block.includes(tag); number += 1) tag = `$block_${number}$`;
  return `DO ${tag} ${block} ${tag}`;
}
