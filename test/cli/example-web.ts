/** The web as an example of the docs means it: https://www.example.com/, behind a proxy that the environment names. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import net, { type AddressInfo, type Server } from "node:net";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const fileOf = (name: string): string => fileURLToPath(new URL(`example-web/${name}`, import.meta.url));

/** Variables of the environment that lead a command there; it is gone when the test ends. */
export async function exampleWeb(): Promise<NodeJS.ProcessEnv> {
  const certificate = fileOf("certificate.pem");
  const files = { cert: readFileSync(certificate), key: readFileSync(fileOf("key.pem")) };
  const site = await portOf(
    createSecureServer(files, (request, response) => {
      if (request.url === "/robots.txt") response.writeHead(404).end();
      else response.writeHead(200, { "content-type": "text/html" }).end("<h1>Example</h1>");
    }),
  );
  const proxy = createServer().on("connect", (request, socket) => {
    if (request.url !== "www.example.com:443") return void socket.end("HTTP/1.1 502 Not Here\r\n\r\n");
    const there = net.connect(site, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      there.pipe(socket).pipe(there);
    });
    for (const each of [there, socket]) each.on("error", () => there.destroy());
  });
  return { https_proxy: `http://127.0.0.1:${await portOf(proxy)}`, no_proxy: "", SSL_CERT_FILE: certificate };
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
