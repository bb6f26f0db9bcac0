/** A way to a server of this machine that can be cut, or lose what the server says. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface TcpProxy {
  readonly port: number;
  /** What the server says is lost from now on, while it hears everything. */
  losesReplies: boolean;
  /** Nothing goes through any more, in either direction, and nothing is cut. */
  isSilent: boolean;
  /** Cuts all connections; new ones can be made, and nothing is lost any more. */
  cut(): void;
  close(): Promise<void>;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(targetPort, "127.0.0.1");
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on("data", (data) => proxy.isSilent || target.write(data));
    target.on("data", (data) => proxy.isSilent || proxy.losesReplies || client.write(data));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
    proxy.losesReplies = false;
    proxy.isSilent = false;
  };
  const proxy: TcpProxy = {
    port: address.port,
    losesReplies: false,
    isSilent: false,
    cut,
    close: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}
