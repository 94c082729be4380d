// Loaded before a program whose start is measured. Reports its processor time and resident memory on request.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpuMicros: user + system, residentBytes: process.memoryUsage.rss() });
});
