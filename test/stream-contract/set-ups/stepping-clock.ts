// Preloaded into a server process: its parent sets the system time, as NTP does.
const trueNow = Date.now.bind(Date);
let offsetMs = 0;

Date.now = () => trueNow() + offsetMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, values: readonly unknown[], newTarget) =>
    Reflect.construct(target, values.length > 0 ? values : [target.now()], newTarget) as Date,
});

process.on('message', (offset) => {
  offsetMs = Number(offset);
  process.send?.('set');
});
process.channel?.unref();
