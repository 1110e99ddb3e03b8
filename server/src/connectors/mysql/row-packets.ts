import type { Query } from 'mysql2';

/** A packet of the driver; valid only while it is passed on. */
export interface RowPacket {
  readonly buffer: Buffer;
  /** Where the row starts and ends. */
  readonly offset: number;
  readonly end: number;
  isEOF(): boolean;
}

/**
 * Passes on the packets of rows instead of `result` events, for which the driver would make a JavaScript value of every
 * cell. The driver calls `row` of the command for each packet after the column definitions, and then what it returned.
 */
export function onRowPackets(query: Query, onPacket: (packet: RowPacket) => void): void {
  const command = query as unknown as Command;
  const endRows = command.row;
  const row: RowHandler = (packet, connection) => {
    if (packet.isEOF()) return endRows.call(command, packet, connection);
    onPacket(packet);
    return row;
  };
  command.row = row;
}

type RowHandler = (packet: RowPacket, connection: unknown) => unknown;

interface Command {
  row: RowHandler;
}
