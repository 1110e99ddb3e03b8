import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

/**
 * The files of a zip archive (no zip64, no encryption: what vsce writes), in their order.
 * @returns {{ path: string, size: number, read(): Buffer }[]} `size` is in bytes, unpacked.
 */
export function readZip(path) {
  const data = readFileSync(path);
  const end = data.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  if (end < 0) throw new Error(`${path} is not a zip archive.`);
  const entries = [];
  let at = data.readUInt32LE(end + 16);
  for (let left = data.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = data.readUInt16LE(at + 28);
    const name = data.toString('utf8', at + 46, at + 46 + nameLength);
    if (!name.endsWith('/')) entries.push({ path: name, size: data.readUInt32LE(at + 24), read: reader(data, at) });
    at += 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
  }
  return entries;
}

function reader(data, directoryEntry) {
  const method = data.readUInt16LE(directoryEntry + 10);
  const packedSize = data.readUInt32LE(directoryEntry + 20);
  const local = data.readUInt32LE(directoryEntry + 42);
  return () => {
    const start = local + 30 + data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28);
    const packed = data.subarray(start, start + packedSize);
    return method === 0 ? packed : inflateRawSync(packed);
  };
}
