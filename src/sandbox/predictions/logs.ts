/** Lines of a whole progress bar. */
const lineCount = 20;
const stepsPerSecond = 12.5;

/** The logs of a prediction at a progress from 0 to 1. Later logs begin with earlier ones. */
export function writeLogs(
  { seed, steps }: { readonly seed: number; readonly steps: number },
  done: number,
): string {
  if (done <= 0) return '';
  const lines = [`Using seed: ${seed}`];
  const count = Math.min(lineCount, steps);
  for (let line = 0; line <= Math.floor(done * count + 1e-9); line += 1) {
    lines.push(drawBar(Math.round((line / count) * steps), steps));
  }
  return `${lines.join('\n')}\n`;
}

/** ` 40%|████      | 20/50 [00:01<00:02, 12.50it/s]` */
function drawBar(step: number, steps: number): string {
  const percent = String(Math.floor((step * 100) / steps)).padStart(3);
  const bar = '█'.repeat(Math.floor((step * 10) / steps)).padEnd(10);
  const pace =
    step === 0 ? '?, ?it/s' : `${clock((steps - step) / stepsPerSecond)}, ${stepsPerSecond.toFixed(2)}it/s`;
  return `${percent}%|${bar}| ${step}/${steps} [${clock(step / stepsPerSecond)}<${pace}]`;
}

function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${String(Math.floor(whole / 60)).padStart(2, '0')}:${String(whole % 60).padStart(2, '0')}`;
}
