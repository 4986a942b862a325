// Sockets that systemd or another program has opened for this one.
import { readFileSync, readlinkSync } from 'node:fs';

const kFirst = 3; // as systemd passes them

/** Returns their descriptors. They are not passed on to other programs. */
export function inheritedSockets(): number[] {
  const { LISTEN_PID, LISTEN_FDS } = process.env;
  delete process.env['LISTEN_PID'];
  delete process.env['LISTEN_FDS'];
  if (LISTEN_PID !== String(process.pid) || !/^\d{1,4}$/.test(LISTEN_FDS ?? '')) return [];
  return Array.from({ length: Number(LISTEN_FDS) }, (_, i) => kFirst + i);
}

/** Returns the path of a Unix socket, which Node.js does not know; '' if the system does not tell. */
export function pathOfSocket(descriptor: number): string {
  try {
    const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.[1];
    const line = readFileSync('/proc/net/unix', 'utf8').split('\n').find((each) => each.split(/\s+/)[6] === inode);
    return line?.split(/\s+/)[7] ?? '';
  } catch {
    return '';
  }
}
