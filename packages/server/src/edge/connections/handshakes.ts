/**
 * TLS handshakes under way. A connection belongs to the shares of connections once its handshake is complete; until then each
 * address has so many, of which the oldest gives way. Those of proxies are everybody's.
 */
import type { Socket } from "node:net";
import { type AddressList, addressShare, unmapped } from "./address-list.ts";

export interface Handshakes {
  /** Takes the connection as the system gave it. */
  readonly begin: (socket: Socket) => void;
  /** Takes the same one with TLS. */
  complete(socket: Socket): void;
  /** Cuts those that are under way: no call has come over them. */
  readonly cut: () => void;
}

const ofAddressMax = 1_024;

export function createHandshakes(trustedProxies: AddressList, max = ofAddressMax): Handshakes {
  const underWay = new Map<string, Map<string, Socket>>();
  const end = ({ share, key }: Peer) => {
    const ofShare = underWay.get(share);
    if (ofShare?.delete(key) && ofShare.size === 0) underWay.delete(share);
  };
  return {
    begin(socket) {
      const peer = peerOf(socket);
      const isProxy = trustedProxies.has(peer.address);
      const ofShare = underWay.get(peer.share) ?? new Map<string, Socket>();
      const [oldest] = ofShare.values();
      if (!isProxy && ofShare.size >= max) oldest?.destroy();
      underWay.set(peer.share, ofShare.set(peer.key, socket));
      socket.once("close", () => end(peer));
    },
    complete: (socket) => end(peerOf(socket)),
    cut() {
      for (const ofShare of underWay.values()) for (const socket of ofShare.values()) socket.destroy();
    },
  };
}

interface Peer {
  readonly address: string;
  readonly share: string;
  readonly key: string;
}

function peerOf({ remoteAddress = "", remotePort }: Socket): Peer {
  const address = unmapped(remoteAddress);
  return { address, share: addressShare(address), key: `${address} ${remotePort}` };
}
