import { settings } from './settings.ts';

/** Says what answers, where it is not a real gateway. */
export function SandboxNote() {
  return settings.hasSandbox ? (
    <footer className="hint">
      Everything here comes from the built-in sandbox. It answers every family at no cost, but it is no model:
      it writes, draws and plays by rules. Voices are cloned and access tokens are made in GraphiQL.
    </footer>
  ) : null;
}
