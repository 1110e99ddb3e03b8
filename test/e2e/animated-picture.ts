import { crc32 } from 'node:zlib';

/** A picture of an animation, and how long it is shown. */
export interface Frame {
  /** A PNG file; all of an animation have one size. */
  readonly picture: Buffer;
  readonly milliseconds: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * An animated PNG that repeats for ever: the compressed data of its pictures as they are, with the chunks `acTL`, `fcTL`
 * and `fdAT` of the PNG specification (third edition). Programs without animations show the first picture.
 */
export function animatedPicture(frames: readonly Frame[]): Buffer {
  const read = frames.map(({ picture }) => chunksOf(picture));
  const [header] = read.map((chunks) => chunks.find(({ type }) => type === 'IHDR')?.data);
  if (!header) throw new Error('An animation needs a picture.');
  let sequence = 0;
  const numbered = (): Buffer => numbers([sequence++]);
  const parts: Chunk[] = [
    { type: 'IHDR', data: header },
    { type: 'acTL', data: numbers([frames.length, 0]) },
  ];
  for (const [index, chunks] of read.entries()) {
    const own = chunks.find(({ type }) => type === 'IHDR')?.data;
    if (!own?.equals(header)) throw new Error(`Picture ${index + 1} has another size or form than the first one.`);
    const { milliseconds = 0 } = frames[index] ?? {};
    const delay = Buffer.alloc(6);
    delay.writeUInt16BE(milliseconds, 0);
    delay.writeUInt16BE(1000, 2);
    // The size, no offset, the delay; the picture is neither blended nor removed.
    parts.push({
      type: 'fcTL',
      data: Buffer.concat([numbered(), header.subarray(0, 8), numbers([0, 0]), delay]),
    });
    for (const { type, data } of chunks) {
      if (type !== 'IDAT') continue;
      parts.push(index === 0 ? { type, data } : { type: 'fdAT', data: Buffer.concat([numbered(), data]) });
    }
  }
  parts.push({ type: 'IEND', data: Buffer.alloc(0) });
  return Buffer.concat([signature, ...parts.map(written)]);
}

function chunksOf(picture: Buffer): readonly Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = signature.length; at < picture.length;) {
    const length = picture.readUInt32BE(at);
    const type = picture.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: picture.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
}

function written({ type, data }: Chunk): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([numbers([data.length]), body, numbers([crc32(body)])]);
}

function numbers(values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, index * 4);
  return buffer;
}
