import { BlockList, isIP } from "node:net";
const block = new BlockList();
for (const [a, n] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  block.addSubnet(a, n);
export function isPublicAddress(ip: string): boolean {
  return isIP(ip) === 4 ? !block.check(ip) : /^[23]/.test(ip);
}
export function literalAddress(host: string): string | null {
  const plain = host.replace(/^\[(.*)\]$/, "$1");
  return isIP(plain) === 0 ? null : plain;
}
