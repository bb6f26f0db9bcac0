import tls from "node:tls";
import { describe, expect, it } from "vitest";
import { Clients, type OriginClient } from "../../src/fetch/clients.ts";
import { Connector } from "../../src/fetch/connector.ts";
import { later } from "./servers.ts";

describe("clients", () => {
  it("without work are kept up to the limit, the longest idle goes first", () => {
    const clients = newClients(3);
    for (let i = 0; i < 3; i++) clients.release(take(clients, i));
    expect(clients.size).toBe(3);
    const first = take(clients, 0);
    clients.release(first);
    clients.release(take(clients, 3));
    expect(clients.size).toBe(3);
    // 1 was idle longest: 0 is still the same.
    expect(take(clients, 0)).toBe(first);
  });

  it("at work are never closed, however many", () => {
    const clients = newClients(3);
    const busy = Array.from({ length: 10 }, (_, i) => take(clients, i));
    expect(clients.size).toBe(10);
    expect(busy.map((client, i) => take(clients, i) === client)).toEqual(Array(10).fill(true));
  });

  it("at work give way once they are idle", () => {
    const clients = newClients(3);
    for (const client of Array.from({ length: 10 }, (_, i) => take(clients, i))) clients.release(client);
    for (let i = 10; i < 30; i++) clients.release(take(clients, i));
    expect(clients.size).toBe(3);
  });

  it("without work are closed when their time is over", async () => {
    let nowMs = 0;
    const clients = newClients(100, 20, () => nowMs);
    clients.release(take(clients, 0));
    take(clients, 1);
    nowMs = 20;
    await expect.poll(() => clients.size).toBe(1);
  });
});

function newClients(idleMax: number, keepAliveMs = 10_000, nowMs = (): number => 0): Clients {
  const connector = new Connector({
    secureContext: () => tls.createSecureContext(),
    connectMs: 1_000,
    openSocket: () => {
      throw new Error("nothing is asked here");
    },
  });
  const timeouts = { connectMs: 1_000, headersMs: 1_000, bodyMs: 1_000, totalMs: 1_000 };
  const clients = new Clients({
    connector,
    clock: { nowMs },
    connections: 1,
    timeouts,
    keepAliveMs,
    idleMax,
  });
  later(() => clients.close());
  return clients;
}

function take(clients: Clients, i: number): OriginClient {
  return clients.take(new URL(`http://h${i}.example/`), { addresses: ["93.184.216.34"], port: 80 });
}
