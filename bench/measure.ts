/** CPU seconds, not wall time: a busy machine then says nothing worse than a slow one. */
export function cpuSeconds(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

export function bestCpuSeconds(runs: number, work: () => void): number {
  return Math.min(...Array.from({ length: runs }, () => cpuSeconds(work)));
}
