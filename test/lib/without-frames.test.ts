import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { withoutFrames } from '../../src/lib/without-frames.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** An error that a method of a large object created, and a reference that does not keep the object. */
function failIn(keep: (error: Error) => Error): { readonly error: Error; readonly object: WeakRef<object> } {
  const owner = {
    bytes: new Uint8Array(1000),
    fail(): Error {
      return keep(new Error(`failed with ${this.bytes.length} bytes`));
    },
  };
  return { error: owner.fail(), object: new WeakRef(owner) };
}

test('a kept error does not hold what its frames refer to', async () => {
  const whole = failIn((error) => error);
  const bare = failIn(withoutFrames);
  // A WeakRef holds its object until the end of the turn that created it.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(whole.object.deref()).toBeDefined();
  expect(bare.object.deref()).toBeUndefined();
  expect(bare.error.stack).toContain('failIn');
  expect(whole.error.message).toBe(bare.error.message);
});
