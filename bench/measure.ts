/** CPU seconds, not wall time, so that a busy machine does not distort the figures. */
export function cpuSeconds(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

export function bestCpuSeconds(runs: number, work: () => void): number {
  return Math.min(...Array.from({ length: runs }, () => cpuSeconds(work)));
}
